package middleware

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// traced makes a span of each request. A client cannot begin a trace or decide whether it is sampled: its trace context becomes
// a link, not the parent.
func traced(tracer tracing.Tracer) gin.HandlerFunc {
	return func(c *gin.Context) {
		method, route := knownMethod(c.Request.Method), c.FullPath()
		name := method
		if route != "" {
			name += " " + route
		}
		ctx, span := tracer.Start(c.Request.Context(), name, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
			attribute.String("http.request.method", method), attribute.String("http.route", route),
			tracing.RequestID.String(RequestID(c.Request.Context())),
		))
		if theirs := tracing.Parse(ctx, c.GetHeader("traceparent")); theirs.IsValid() {
			span.AddLink(trace.Link{SpanContext: theirs})
		}
		// Deferred, so that the span of a request whose connection the recovery breaks ends too.
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
}
