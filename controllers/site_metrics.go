package controllers

import (
	"github.com/prometheus/client_golang/prometheus"

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
		Buckets: requestBuckets(),
	})
)

// testMetrics are what the delivery engine counts of connection tests.
var testMetrics = delivery.Metrics{
	Attempts: testsTotal, Seconds: testSeconds, Lateness: attemptLateness.WithLabelValues(kindConnection),
}

// siteCollectors returns the metrics of sites.
func siteCollectors() []prometheus.Collector { return []prometheus.Collector{testsTotal, testSeconds} }
