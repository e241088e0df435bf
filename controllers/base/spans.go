package base

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// StartSpan starts a span. The tracer is looked up each time: it is a no-op until tracing.Setup has run.
func StartSpan(ctx context.Context, name string, kind trace.SpanKind, attributes ...attribute.KeyValue) (context.Context, trace.Span) {
	return otel.Tracer("github.com/pressroom-dev/pressroom/controllers").Start(ctx, name,
		trace.WithSpanKind(kind), trace.WithAttributes(attributes...))
}

// ArticleSpan starts a span in the trace of an article.
func ArticleSpan(ctx context.Context, a *v1alpha1.Article, name string, kind trace.SpanKind, more ...attribute.KeyValue,
) (context.Context, trace.Span) {
	more = append(more, tracing.Workspace.String(a.Namespace), tracing.Article.String(a.Name), tracing.Site.String(a.Spec.SiteRef.Name))
	return StartSpan(tracing.Continue(ctx, a, a.Name), name, kind, more...)
}

// AttemptAttributes returns the attributes of the last attempt in a record, which has one.
func AttemptAttributes(r *v1alpha1.DeliveryRecord) []attribute.KeyValue {
	last := r.Attempts[len(r.Attempts)-1]
	return []attribute.KeyValue{tracing.Attempt.String(last.ID), tracing.AttemptNumber.Int64(int64(last.Number))}
}
