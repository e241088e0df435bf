package article

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// runSpan starts the span of one attempt to generate. The function that it returns ends the span.
func runSpan(ctx context.Context, a *v1alpha1.Article) (context.Context, func(RunResult) RunResult) {
	g := a.Status.Run
	ctx, span := base.ArticleSpan(ctx, a, "generation attempt", trace.SpanKindClient,
		tracing.Revision.String(g.Name), tracing.AttemptNumber.Int64(int64(g.Attempt)),
		attribute.String("gen_ai.provider.name", string(g.Type)), attribute.String("gen_ai.request.model", g.Model))
	return ctx, func(result RunResult) RunResult {
		reason := v1alpha1.ReasonSucceeded
		switch {
		case errors.Is(result.Err, context.Canceled):
			reason = v1alpha1.ReasonInterrupted
		case result.Err != nil:
			reason = failureOf(result.Err).reason
		}
		tracing.End(span, reason, result.Err != nil,
			attribute.Int64("gen_ai.usage.input_tokens", result.Result.Usage.InputTokens),
			attribute.Int64("gen_ai.usage.output_tokens", result.Result.Usage.OutputTokens))
		return result
	}
}

// revisionSpan starts the span of storing a revision.
func revisionSpan(ctx context.Context, a *v1alpha1.Article, name string) (context.Context, trace.Span) {
	return base.ArticleSpan(ctx, a, "revision", trace.SpanKindInternal, tracing.Revision.String(name))
}

// deliverySpan starts the span of one attempt to publish an article.
func deliverySpan(ctx context.Context, a *v1alpha1.Article) (context.Context, trace.Span) {
	return base.ArticleSpan(ctx, a, "publication attempt", trace.SpanKindClient,
		append(base.AttemptAttributes(&a.Status.Publication.DeliveryRecord), tracing.Revision.String(a.Status.Revision.Name))...)
}
