package controllers

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/revision"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// startSpan starts a span. The tracer is looked up each time: it is a no-op until tracing.Setup has run.
func startSpan(ctx context.Context, name string, kind trace.SpanKind, attributes ...attribute.KeyValue) (context.Context, trace.Span) {
	return otel.Tracer("github.com/pressroom-dev/pressroom/controllers").Start(ctx, name,
		trace.WithSpanKind(kind), trace.WithAttributes(attributes...))
}

// articleSpan starts a span in the trace of an article.
func articleSpan(ctx context.Context, a *v1alpha1.Article, name string, kind trace.SpanKind, more ...attribute.KeyValue,
) (context.Context, trace.Span) {
	more = append(more, tracing.Workspace.String(a.Namespace), tracing.Article.String(a.Name), tracing.Site.String(a.Spec.SiteRef.Name))
	return startSpan(tracing.Continue(ctx, a, a.Name), name, kind, more...)
}

// runSpan starts the span of one attempt to generate. The function that it returns ends the span.
func runSpan(ctx context.Context, a *v1alpha1.Article) (context.Context, func(RunResult) RunResult) {
	g := a.Status.Generation
	ctx, span := articleSpan(ctx, a, "generation attempt", trace.SpanKindClient,
		tracing.Revision.String(g.ID), tracing.AttemptNumber.Int64(int64(g.Attempt)),
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
	return articleSpan(ctx, a, "revision", trace.SpanKindInternal, tracing.Revision.String(name))
}

// deliverySpan starts the span of one attempt to publish an article.
func deliverySpan(ctx context.Context, a *v1alpha1.Article) (context.Context, trace.Span) {
	return articleSpan(ctx, a, "publication attempt", trace.SpanKindClient,
		append(lastAttempt(&a.Status.Publication.DeliveryRecord), tracing.Revision.String(a.Status.Revision.Name))...)
}

// eventSpan starts the span of dispatching an event to the subscriptions that want it.
func eventSpan(ctx context.Context, a *v1alpha1.Article, e v1alpha1.ArticleEvent) (context.Context, trace.Span) {
	return articleSpan(ctx, a, "event", trace.SpanKindProducer,
		tracing.EventType.String(string(e.Type)), tracing.Revision.String(revision.Name(a, e.Number)))
}

// eventAttemptSpan starts the span of one attempt to send an event.
func eventAttemptSpan(ctx context.Context, d *v1alpha1.EventDelivery) (context.Context, trace.Span) {
	if d.Spec.Type != v1alpha1.EventTest {
		// A test is in a trace of its own, as that of a site's connection.
		ctx = tracing.Continue(ctx, d, d.Spec.ArticleRef.Name)
	}
	return startSpan(ctx, "event attempt", trace.SpanKindClient,
		append(lastAttempt(&d.Status.DeliveryRecord),
			tracing.Workspace.String(d.Namespace), tracing.Article.String(d.Spec.ArticleRef.Name),
			tracing.EventType.String(string(d.Spec.Type)), tracing.Subscription.String(d.Spec.SubscriptionRef.Name))...)
}

// connectionTestSpan starts the span of a test of a site's connection, in a trace of its own.
func connectionTestSpan(ctx context.Context, s *v1alpha1.Site) (context.Context, trace.Span) {
	return startSpan(ctx, "connection test", trace.SpanKindClient,
		tracing.Workspace.String(s.Namespace), tracing.Site.String(s.Name), tracing.Attempt.String(s.Status.ConnectionTest.ID))
}

// lastAttempt returns the attributes of the last attempt in a record.
func lastAttempt(r *v1alpha1.DeliveryRecord) []attribute.KeyValue {
	last := r.Attempts[len(r.Attempts)-1]
	return []attribute.KeyValue{tracing.Attempt.String(last.ID), tracing.AttemptNumber.Int64(int64(last.Number))}
}
