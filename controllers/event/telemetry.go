package event

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/delivery"
	"github.com/pressroom-dev/pressroom/internal/revision"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

var (
	eventDeliveriesTotal = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_event_delivery_attempts_total",
		Help: "Attempts to deliver an event to a subscription that have ended, by outcome.",
	}, []string{"outcome"})
	eventDeliverySeconds = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name:    "pressroom_event_delivery_attempt_duration_seconds",
		Help:    "How long attempts to deliver an event took.",
		Buckets: base.RequestBuckets(),
	})
	eventDeliveriesEnded = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_event_deliveries_total",
		Help: "Deliveries of an event to a subscription that have ended, after all their retries, by outcome.",
	}, []string{"outcome"})
)

// DeliveryMetrics are the metrics of the delivery engine for events.
var DeliveryMetrics = delivery.Metrics{
	Attempts: eventDeliveriesTotal, Seconds: eventDeliverySeconds, Lateness: base.AttemptLateness.WithLabelValues(base.KindEvent),
}

// Collectors returns the metrics of events. Series that alerts use start at zero: an increase needs a value before it.
func Collectors() []prometheus.Collector {
	for _, reason := range []string{
		v1alpha1.ReasonDelivered, v1alpha1.ReasonExhausted, v1alpha1.ReasonAddressBlocked, v1alpha1.ReasonReceiverRejected,
		v1alpha1.ReasonNotSent, v1alpha1.ReasonExpired,
	} {
		eventDeliveriesEnded.WithLabelValues(reason)
	}
	return []prometheus.Collector{eventDeliveriesTotal, eventDeliverySeconds, eventDeliveriesEnded}
}

// eventSpan starts the span of dispatching an event to the subscriptions that want it.
func eventSpan(ctx context.Context, a *v1alpha1.Article, e v1alpha1.ArticleTransition) (context.Context, trace.Span) {
	return base.ArticleSpan(ctx, a, "event", trace.SpanKindProducer,
		tracing.EventType.String(string(e.Type)), tracing.Revision.String(revision.Name(a, e.RevisionNumber)))
}

// eventAttemptSpan starts the span of one attempt to send an event.
func eventAttemptSpan(ctx context.Context, d *v1alpha1.EventDelivery) (context.Context, trace.Span) {
	if d.Spec.ArticleRef.Name != "" {
		// What is about no article is in a trace of its own, as the test of a site's connection.
		ctx = tracing.Continue(ctx, d, d.Spec.ArticleRef.Name)
	}
	return base.StartSpan(ctx, "event attempt", trace.SpanKindClient,
		append(base.AttemptAttributes(&d.Status.DeliveryRecord),
			tracing.Workspace.String(d.Namespace), tracing.Article.String(d.Spec.ArticleRef.Name),
			tracing.EventType.String(string(d.Spec.Type)), tracing.Subscription.String(d.Spec.SubscriptionRef.Name))...)
}
