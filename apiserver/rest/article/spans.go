package article

import (
	"context"

	"go.opentelemetry.io/otel/trace"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// linkTrace links the request's span to the trace of the article that it changed.
func linkTrace(ctx context.Context, a *v1alpha1.Article) {
	span := trace.SpanFromContext(ctx)
	span.SetAttributes(tracing.Workspace.String(a.Namespace), tracing.Article.String(a.Name))
	if made := tracing.Parse(ctx, a.Annotations[v1alpha1.TraceParentAnnotation]); made.IsValid() {
		span.AddLink(trace.Link{SpanContext: made})
	}
}
