package event

import (
	"context"

	"go.opentelemetry.io/otel/trace"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/revision"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// eventSpan starts the span of dispatching an event to the subscriptions that want it.
func eventSpan(ctx context.Context, a *v1alpha1.Article, e v1alpha1.ArticleTransition) (context.Context, trace.Span) {
	return base.ArticleSpan(ctx, a, "event", trace.SpanKindProducer,
		tracing.EventType.String(string(e.Type)), tracing.Revision.String(revision.Name(a, e.RevisionNumber)))
}

// eventAttemptSpan starts the span of one attempt to send an event.
func eventAttemptSpan(ctx context.Context, d *v1alpha1.EventDelivery) (context.Context, trace.Span) {
	if d.Spec.Type != v1alpha1.EventTest {
		// A test is in a trace of its own, as that of a site's connection.
		ctx = tracing.Continue(ctx, d, d.Spec.ArticleRef.Name)
	}
	return base.StartSpan(ctx, "event attempt", trace.SpanKindClient,
		append(base.AttemptAttributes(&d.Status.DeliveryRecord),
			tracing.Workspace.String(d.Namespace), tracing.Article.String(d.Spec.ArticleRef.Name),
			tracing.EventType.String(string(d.Spec.Type)), tracing.Subscription.String(d.Spec.SubscriptionRef.Name))...)
}
