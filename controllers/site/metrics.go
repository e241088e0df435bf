package site

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/delivery"
)

var (
	testsTotal = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_connection_tests_total",
		Help: "Tests of a site's connection that have ended, by outcome.",
	}, []string{"outcome"})
	testSeconds = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name:    "pressroom_connection_test_duration_seconds",
		Help:    "How long tests of a site's connection took.",
		Buckets: base.RequestBuckets(),
	})
)

// TestMetrics are the metrics of the delivery engine for connection tests.
var TestMetrics = delivery.Metrics{
	Attempts: testsTotal, Seconds: testSeconds, Lateness: base.AttemptLateness.WithLabelValues(base.KindConnection),
}

// Collectors returns the metrics of sites.
func Collectors() []prometheus.Collector {
	return []prometheus.Collector{testsTotal, testSeconds, base.SitesFailing}
}
