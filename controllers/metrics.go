package controllers

import (
	"errors"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/delivery"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// requestBuckets are those of a request to a receiver, which has 30 s (contract, section 8).
var requestBuckets = []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20, 30}

var (
	runsTotal = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_generation_attempts_total",
		Help: "Attempts of the generator that have ended, by outcome.",
	}, []string{"outcome"})
	runSeconds = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name:    "pressroom_generation_attempt_duration_seconds",
		Help:    "How long attempts of the generator took.",
		Buckets: []float64{.1, .5, 1, 5, 15, 30, 60, 120, 300, 600, 1200},
	})
	tokensTotal = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_generation_tokens_total",
		Help: "Tokens of the generator's attempts, as the endpoint counted them, by direction.",
	}, []string{"direction"})
	deliveriesTotal = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_delivery_attempts_total",
		Help: "Attempts to deliver an article that have ended, by outcome.",
	}, []string{"outcome"})
	deliverySeconds = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name:    "pressroom_delivery_attempt_duration_seconds",
		Help:    "How long attempts to deliver an article took.",
		Buckets: requestBuckets,
	})
	eventDeliveriesTotal = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_event_delivery_attempts_total",
		Help: "Attempts to deliver an event to a subscription that have ended, by outcome.",
	}, []string{"outcome"})
	eventDeliverySeconds = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name:    "pressroom_event_delivery_attempt_duration_seconds",
		Help:    "How long attempts to deliver an event took.",
		Buckets: requestBuckets,
	})
	testsTotal = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_connection_tests_total",
		Help: "Tests of a site's connection that have ended, by outcome.",
	}, []string{"outcome"})
	testSeconds = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name:    "pressroom_connection_test_duration_seconds",
		Help:    "How long tests of a site's connection took.",
		Buckets: requestBuckets,
	})
	attemptLateness = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "pressroom_attempt_start_delay_seconds",
		Help:    "How long after they became due attempts began, by kind.",
		Buckets: []float64{.1, .5, 1, 5, 15, 60, 300, 600, 1800, 3600},
	}, []string{"kind"})
	attemptPanics = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_attempt_panics_total",
		Help: "Attempts that a panic ended, by kind.",
	}, []string{"kind"})
	deliveriesEnded = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_deliveries_total",
		Help: "Deliveries of an article that have ended, after all their retries, by outcome.",
	}, []string{"outcome"})
	slugsChanged = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "pressroom_slugs_changed_total",
		Help: "Posts that a CMS gave another slug than the article's.",
	})
	eventDeliveriesEnded = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_event_deliveries_total",
		Help: "Deliveries of an event to a subscription that have ended, after all their retries, by outcome.",
	}, []string{"outcome"})
)

// The kinds of attempts.
const (
	kindGeneration  = "generation"
	kindPublication = "publication"
	kindEvent       = "event"
	kindConnection  = "connection"
)

// The metrics of what the delivery engine sends.
var (
	publicationMetrics = delivery.Metrics{
		Attempts: deliveriesTotal, Seconds: deliverySeconds, Lateness: attemptLateness.WithLabelValues(kindPublication),
	}
	eventMetrics = delivery.Metrics{
		Attempts: eventDeliveriesTotal, Seconds: eventDeliverySeconds, Lateness: attemptLateness.WithLabelValues(kindEvent),
	}
	testMetrics = delivery.Metrics{
		Attempts: testsTotal, Seconds: testSeconds, Lateness: attemptLateness.WithLabelValues(kindConnection),
	}
)

// countEnd counts a cycle of attempts that has ended.
func countEnd(ended *prometheus.CounterVec, c *v1alpha1.DeliveryCycle) {
	if c.State == v1alpha1.CycleDelivered || c.State == v1alpha1.CycleFailed {
		ended.WithLabelValues(c.Reason).Inc()
	}
}

func countTokens(u generate.Usage) {
	tokensTotal.WithLabelValues("input").Add(float64(max(u.InputTokens, 0)))
	tokensTotal.WithLabelValues("output").Add(float64(max(u.OutputTokens, 0)))
}

// startAtZero exports the series that alerts use before they count anything: an increase needs a value before it.
func startAtZero() {
	runsTotal.WithLabelValues(v1alpha1.ReasonBackendRejected)
	countTokens(generate.Usage{})
	for _, reason := range []string{
		v1alpha1.ReasonDelivered, v1alpha1.ReasonExhausted, v1alpha1.ReasonAddressBlocked, v1alpha1.ReasonReceiverRejected,
		v1alpha1.ReasonNotSent,
	} {
		deliveriesEnded.WithLabelValues(reason)
		eventDeliveriesEnded.WithLabelValues(reason)
	}
	for reason, row := range lifecycle.Reasons {
		if row.UntilChange {
			deliveriesEnded.WithLabelValues(reason)
		}
	}
	eventDeliveriesEnded.WithLabelValues(v1alpha1.ReasonExpired)
	for _, kind := range []string{kindGeneration, kindPublication, kindEvent, kindConnection} {
		attemptPanics.WithLabelValues(kind)
	}
}

// registerMetrics adds the metrics to the manager's registry, once for a process.
func registerMetrics() error {
	startAtZero()
	for _, c := range []prometheus.Collector{
		runsTotal, runSeconds, tokensTotal, deliveriesTotal, deliverySeconds, deliveriesEnded, slugsChanged,
		eventDeliveriesTotal, eventDeliverySeconds, eventDeliveriesEnded, testsTotal, testSeconds,
		attemptLateness, attemptPanics,
	} {
		err := metrics.Registry.Register(c)
		if _, again := errors.AsType[prometheus.AlreadyRegisteredError](err); err != nil && !again {
			return fmt.Errorf("registering metrics: %w", err)
		}
	}
	return nil
}

// registerInFlight exports how many attempts of a kind are in progress in this process. It replaces the gauge of an earlier
// manager in the same process.
func registerInFlight(kind string, count func() int) error {
	gauge := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name:        "pressroom_attempts_in_flight",
		Help:        "Attempts in progress in this process: model calls, requests to receivers and connection tests.",
		ConstLabels: prometheus.Labels{"kind": kind},
	}, func() float64 { return float64(count()) })
	err := metrics.Registry.Register(gauge)
	if again, ok := errors.AsType[prometheus.AlreadyRegisteredError](err); ok {
		metrics.Registry.Unregister(again.ExistingCollector)
		err = metrics.Registry.Register(gauge)
	}
	if err != nil {
		return fmt.Errorf("registering metrics: %w", err)
	}
	return nil
}
