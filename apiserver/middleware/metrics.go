package middleware

import (
	"cmp"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// metrics count requests. Routes are templates, never paths, so that the labels are bounded.
type metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

// eventStream is the media type of streams.
const eventStream = "text/event-stream"

func newMetrics(registry prometheus.Registerer) *metrics {
	register := promauto.With(registry)
	return &metrics{
		requests: register.NewCounterVec(prometheus.CounterOpts{
			Name: "pressroom_http_requests_total",
			Help: "Requests to the REST API by route template, method, status code, and where they come from: network, page or mcp.",
		}, []string{"route", "method", "code", "via"}),
		duration: register.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "pressroom_http_request_duration_seconds",
			Help:    "Time to answer a request to the REST API by route template, method, and where it comes from: network, page or mcp.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route", "method", "via"}),
	}
}

func (m *metrics) observe(c *gin.Context) {
	began := time.Now()
	// Deferred, so that a request whose connection the recovery breaks is counted too.
	defer func() {
		route, method, via := cmp.Or(c.FullPath(), "none"), knownMethod(c.Request.Method), string(ViaOf(c.Request.Context()))
		m.requests.WithLabelValues(route, method, strconv.Itoa(c.Writer.Status()), via).Inc()
		if c.Writer.Header().Get("Content-Type") == eventStream {
			// How long a stream lasts says nothing about how fast answers are.
			return
		}
		m.duration.WithLabelValues(route, method, via).Observe(time.Since(began).Seconds())
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

// scope is the instrumentation scope of the facade's spans.
const scope = "github.com/pressroom-dev/pressroom/apiserver"

// traced makes a span of each request. A client neither starts a trace here nor decides what is sampled: its trace context
// becomes a link to its trace, not the parent.
func traced(c *gin.Context) {
	method, route := knownMethod(c.Request.Method), c.FullPath()
	name := method
	if route != "" {
		name += " " + route
	}
	ctx, span := otel.Tracer(scope).Start(c.Request.Context(), name, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
		attribute.String("http.request.method", method), attribute.String("http.route", route),
		tracing.RequestID.String(problem.RequestID(c.Request.Context())),
	))
	if theirs := tracing.Parse(ctx, c.GetHeader("traceparent")); theirs.IsValid() {
		span.AddLink(trace.Link{SpanContext: theirs})
	}
	// Deferred, so that the span also ends if a handler panics.
	defer func() {
		status := c.Writer.Status()
		span.SetAttributes(attribute.Int("http.response.status_code", status))
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}()
	c.Request = c.Request.WithContext(ctx)
	c.Next()
}
