package middleware

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/pressroom-dev/pressroom/internal/tracing"
)

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
		tracing.RequestID.String(RequestID(c.Request.Context())),
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
