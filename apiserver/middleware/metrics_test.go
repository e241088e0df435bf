package middleware_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/pressroom-dev/pressroom/apiserver/middleware"
)

func TestAStreamIsCountedAndItsDurationIsNot(t *testing.T) {
	registry := prometheus.NewRegistry()
	router := middleware.NewRouter(logr.Discard(), registry, nil)
	router.GET("/live", func(c *gin.Context) { c.Data(http.StatusOK, "text/event-stream", nil) })
	router.GET("/page", func(c *gin.Context) { c.Data(http.StatusOK, "text/html", nil) })
	for _, path := range []string{"/live", "/page"} {
		router.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string][]string{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			for _, label := range metric.GetLabel() {
				if label.GetName() == "route" {
					seen[family.GetName()] = append(seen[family.GetName()], label.GetValue())
				}
			}
		}
	}
	if got := seen["pressroom_http_requests_total"]; len(got) != 2 {
		t.Errorf("counted are the requests of %v, want both", got)
	}
	if got := seen["pressroom_http_request_duration_seconds"]; len(got) != 1 || got[0] != "/page" {
		t.Errorf("measured are the durations of %v, want that of /page alone", got)
	}
}
