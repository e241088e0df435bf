package main

import (
	"runtime"

	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

// exportBuild adds the version of this program to its metrics.
func exportBuild() error {
	build := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name:        "pressroom_build_info",
		Help:        "1, with the version of the program and of Go that it was built with.",
		ConstLabels: prometheus.Labels{"version": version, "goversion": runtime.Version()},
	}, func() float64 { return 1 })
	// An earlier server in the same process has its own.
	metrics.Registry.Unregister(build)
	return metrics.Registry.Register(build)
}
