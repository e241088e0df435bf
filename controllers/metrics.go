package controllers

import (
	"errors"
	"fmt"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/pressroom-dev/pressroom/controllers/article"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/controllers/event"
	"github.com/pressroom-dev/pressroom/controllers/site"
)

// registerMetrics adds the metrics to the manager's registry, once for a process.
func registerMetrics() error {
	for _, c := range slices.Concat(base.Collectors(), article.Collectors(), event.Collectors(), site.Collectors()) {
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
