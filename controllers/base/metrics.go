package base

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// The kinds of attempts, as labels of metrics.
const (
	KindGeneration  = "generation"
	KindPublication = "publication"
	KindEvent       = "event"
	KindConnection  = "connection"
)

// RequestBuckets returns the buckets for the duration of a request to a receiver, in seconds. A receiver has 30 seconds (contract,
// section 8).
func RequestBuckets() []float64 { return []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20, 30} }

// The metrics that all kinds of attempts have.
var (
	// AttemptLateness is observed when an attempt begins.
	AttemptLateness = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "pressroom_attempt_start_delay_seconds",
		Help:    "How long after they became due attempts began, by kind.",
		Buckets: []float64{.1, .5, 1, 5, 15, 60, 300, 600, 1800, 3600},
	}, []string{"kind"})
	attemptPanics = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_attempt_panics_total",
		Help: "Attempts that a panic ended, by kind.",
	}, []string{"kind"})
)

// Collectors returns the metrics that all kinds of attempts have. Series that alerts use start at zero.
func Collectors() []prometheus.Collector {
	for _, kind := range []string{KindGeneration, KindPublication, KindEvent, KindConnection} {
		attemptPanics.WithLabelValues(kind)
	}
	return []prometheus.Collector{AttemptLateness, attemptPanics}
}

// CountEnd counts a cycle of attempts that has ended.
func CountEnd(ended *prometheus.CounterVec, c *v1alpha1.DeliveryCycle) {
	if c.State == v1alpha1.CycleDelivered || c.State == v1alpha1.CycleFailed {
		ended.WithLabelValues(c.Reason).Inc()
	}
}
