package rest

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// scope is the instrumentation scope of the facade's spans.
const scope = "github.com/pressroom-dev/pressroom/apiserver"

// linked ties the request's span to the trace of the article that it changed.
func linked(ctx context.Context, a *v1alpha1.Article) {
	span := trace.SpanFromContext(ctx)
	span.SetAttributes(tracing.Workspace.String(a.Namespace), tracing.Article.String(a.Name))
	if made := tracing.Parse(ctx, a.Annotations[v1alpha1.TraceParentAnnotation]); made.IsValid() {
		span.AddLink(trace.Link{SpanContext: made})
	}
}

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
		tracing.RequestID.String(requestID(c.Request.Context())),
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
