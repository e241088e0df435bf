package middleware

import (
	"fmt"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
)

// metrics count requests. Routes are templates, never paths, so that the labels are bounded.
type metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

// eventStream is the media type of streams.
const eventStream = "text/event-stream"

func newMetrics(registry prometheus.Registerer) (*metrics, error) {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "pressroom_http_requests_total",
			Help: "Requests to the REST API by route template, method and status code.",
		}, []string{"route", "method", "code"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "pressroom_http_request_duration_seconds",
			Help:    "Time to answer a request to the REST API by route template and method.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route", "method"}),
	}
	for _, c := range []prometheus.Collector{m.requests, m.duration} {
		if err := registry.Register(c); err != nil {
			return nil, fmt.Errorf("registering metrics: %w", err)
		}
	}
	return m, nil
}

func (m *metrics) observe(c *gin.Context) {
	began := time.Now()
	// Deferred, so that a request whose connection the recovery breaks is counted too.
	defer func() {
		route, method := c.FullPath(), knownMethod(c.Request.Method)
		if route == "" {
			route = "none"
		}
		m.requests.WithLabelValues(route, method, strconv.Itoa(c.Writer.Status())).Inc()
		if c.Writer.Header().Get("Content-Type") == eventStream {
			// How long a stream lasts says nothing about how fast answers are.
			return
		}
		m.duration.WithLabelValues(route, method).Observe(time.Since(began).Seconds())
	}()
	c.Next()
}

// knownMethod returns one name for all unknown methods, so that a client cannot add labels.
func knownMethod(method string) string {
	switch method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
		return method
	}
	return "other"
}
