package article

import (
	"context"

	"go.opentelemetry.io/otel/trace"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// revisionSpan starts the span of storing a revision.
func revisionSpan(ctx context.Context, a *v1alpha1.Article, name string) (context.Context, trace.Span) {
	return base.ArticleSpan(ctx, a, "revision", trace.SpanKindInternal, tracing.Revision.String(name))
}

// deliverySpan starts the span of one attempt to publish an article.
func deliverySpan(ctx context.Context, a *v1alpha1.Article) (context.Context, trace.Span) {
	p := a.Status.Publication
	return base.ArticleSpan(ctx, a, "publication attempt", trace.SpanKindClient,
		append(base.AttemptAttributes(&p.DeliveryRecord), tracing.Revision.String(lifecycle.Sending(p).Name))...)
}
