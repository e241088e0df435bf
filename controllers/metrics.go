package controllers

import (
	"errors"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

var (
	runsTotal = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_generation_attempts_total",
		Help: "Attempts of the generator that have ended, by outcome.",
	}, []string{"outcome"})
	deliveriesTotal = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_delivery_attempts_total",
		Help: "Attempts to deliver an article that have ended, by outcome.",
	}, []string{"outcome"})
	deliverySeconds = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name:    "pressroom_delivery_attempt_duration_seconds",
		Help:    "How long attempts to deliver an article took.",
		Buckets: []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20, 30},
	})
	eventDeliveriesTotal = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_event_delivery_attempts_total",
		Help: "Attempts to deliver an event to a subscription that have ended, by outcome.",
	}, []string{"outcome"})
	eventDeliverySeconds = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name:    "pressroom_event_delivery_attempt_duration_seconds",
		Help:    "How long attempts to deliver an event took.",
		Buckets: []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20, 30},
	})
)

// registerMetrics adds the metrics to the manager's registry, once for a process.
func registerMetrics() error {
	for _, c := range []prometheus.Collector{
		runsTotal, deliveriesTotal, deliverySeconds, eventDeliveriesTotal, eventDeliverySeconds,
	} {
		err := metrics.Registry.Register(c)
		if _, again := errors.AsType[prometheus.AlreadyRegisteredError](err); err != nil && !again {
			return fmt.Errorf("registering metrics: %w", err)
		}
	}
	return nil
}
