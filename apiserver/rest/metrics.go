package rest

import (
	"errors"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// Metrics counts what the REST API answers. Routes are templates, never paths, so that the labels are bounded.
type Metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	charges  *prometheus.CounterVec
}

// NewMetrics makes the metrics and registers them.
func NewMetrics(registry prometheus.Registerer) (*Metrics, error) {
	m := &Metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "pressroom_http_requests_total",
			Help: "Requests to the REST API by route template, method and status code.",
		}, []string{"route", "method", "code"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "pressroom_http_request_duration_seconds",
			Help:    "Time to answer a request to the REST API by route template and method.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route", "method"}),
		charges: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "pressroom_ledger_charges_total",
			Help: "Credits asked of the ledger for generate calls, by outcome.",
		}, []string{"outcome"}),
	}
	for _, c := range []prometheus.Collector{m.requests, m.duration, m.charges} {
		if err := registry.Register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// charged counts what the ledger said to a charge.
func (m *Metrics) charged(taken bool, err error) {
	outcome := "Unavailable"
	limit, limited := errors.AsType[*ledger.LimitError](err)
	switch {
	case limited:
		outcome = string(limit.Code)
	case err == nil && taken:
		outcome = "Taken"
	case err == nil:
		outcome = "Repeated"
	}
	m.charges.WithLabelValues(outcome).Inc()
}

func (m *Metrics) observe(c *gin.Context) {
	began := time.Now()
	// Deferred, so that what the recovery gives up on is counted too.
	defer func() {
		route, method := c.FullPath(), knownMethod(c.Request.Method)
		if route == "" {
			route = "none"
		}
		m.requests.WithLabelValues(route, method, strconv.Itoa(c.Writer.Status())).Inc()
		m.duration.WithLabelValues(route, method).Observe(time.Since(began).Seconds())
	}()
	c.Next()
}

// knownMethod keeps a client from making labels.
func knownMethod(method string) string {
	switch method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
		return method
	}
	return "other"
}
