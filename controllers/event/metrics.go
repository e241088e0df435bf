package event

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/delivery"
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
