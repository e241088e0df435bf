package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

func TestTheMetricsSayWhichVersionRuns(t *testing.T) {
	// A second server in the process takes the place of the first one.
	for range 2 {
		if err := exportBuild(); err != nil {
			t.Fatal(err)
		}
	}
	answer := httptest.NewRecorder()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody)
	promhttp.HandlerFor(metrics.Registry, promhttp.HandlerOpts{}).ServeHTTP(answer, request)
	want := fmt.Sprintf("\npressroom_build_info{goversion=%q,version=%q} 1\n", runtime.Version(), version)
	if !strings.Contains(answer.Body.String(), want) {
		t.Errorf("/metrics lacks %s", want)
	}
}
