package controllers

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// The spans of the controllers.
const (
	spanRun      = "generation attempt"
	spanRevision = "revision"
	spanDelivery = "publication attempt"
	spanEvent    = "event"
	spanTelling  = "event attempt"
	spanTest     = "connection test"
)

// span starts a span of an article's trace.
func (b *Base) span(ctx context.Context, a *v1alpha1.Article, name string, more ...attribute.KeyValue) (context.Context, trace.Span) {
	more = append(more, tracing.Workspace.String(a.Namespace), tracing.Article.String(a.Name), tracing.Site.String(a.Spec.SiteRef.Name))
	return b.Tracer.Start(b.Tracer.Continue(ctx, a, a.Name), name, trace.WithAttributes(more...), trace.WithSpanKind(kindOf(name)))
}

// runSpan starts the span of an attempt of the generator, and returns what ends it.
func (b *Base) runSpan(ctx context.Context, a *v1alpha1.Article) (context.Context, func(RunResult) RunResult) {
	g := a.Status.Generation
	ctx, span := b.span(ctx, a, spanRun, tracing.Revision.String(g.ID), tracing.AttemptNumber.Int64(int64(g.Attempt)),
		attribute.String("gen_ai.provider.name", string(g.Type)), attribute.String("gen_ai.request.model", g.Model))
	return ctx, func(result RunResult) RunResult {
		reason := v1alpha1.ReasonSucceeded
		switch {
		case errors.Is(result.Err, context.Canceled):
			reason = v1alpha1.ReasonInterrupted
		case result.Err != nil:
			reason = outcomeOf(result.Err).reason
		}
		tracing.End(span, reason, result.Err != nil,
			attribute.Int64("gen_ai.usage.input_tokens", result.Result.Usage.InputTokens),
			attribute.Int64("gen_ai.usage.output_tokens", result.Result.Usage.OutputTokens))
		return result
	}
}

// deliverySpan starts the span of an attempt to publish an article, and returns what ends it.
func (b *Base) deliverySpan(ctx context.Context, a *v1alpha1.Article) (context.Context, func(publish.Outcome) publish.Outcome) {
	ctx, span := b.span(ctx, a, spanDelivery, append(
		attempted(&a.Status.Publication.DeliveryRecord), tracing.Revision.String(a.Status.Revision.Name))...)
	return ctx, func(o publish.Outcome) publish.Outcome { return delivered(span, o) }
}

// eventSpan starts the span of handing an event on to the subscriptions that want it.
func (b *Base) eventSpan(ctx context.Context, a *v1alpha1.Article, e v1alpha1.ArticleEvent) (context.Context, trace.Span) {
	return b.span(ctx, a, spanEvent, tracing.EventType.String(string(e.Type)), tracing.Revision.String(revisionName(a, e.Number)))
}

// tellingSpan starts the span of an attempt to send an event, and returns what ends it.
func (b *Base) tellingSpan(ctx context.Context, d *v1alpha1.EventDelivery) (context.Context, func(publish.Outcome) publish.Outcome) {
	about := append(attempted(&d.Status.DeliveryRecord),
		tracing.Workspace.String(d.Namespace), tracing.Article.String(d.Spec.ArticleRef.Name),
		tracing.EventType.String(string(d.Spec.Type)), tracing.Subscription.String(d.Spec.SubscriptionRef.Name))
	ctx, span := b.Tracer.Start(b.Tracer.Continue(ctx, d, d.Spec.ArticleRef.Name), spanTelling, trace.WithAttributes(about...),
		trace.WithSpanKind(kindOf(spanTelling)))
	return ctx, func(o publish.Outcome) publish.Outcome { return delivered(span, o) }
}

// testSpan starts the span of a test of a site's connection, a trace of its own, and returns what ends it.
func (b *Base) testSpan(ctx context.Context, s *v1alpha1.Site) (context.Context, func(publish.Outcome) publish.Outcome) {
	ctx, span := b.Tracer.Start(ctx, spanTest, trace.WithSpanKind(kindOf(spanTest)), trace.WithAttributes(
		tracing.Workspace.String(s.Namespace), tracing.Site.String(s.Name), tracing.Attempt.String(s.Status.ConnectionTest.ID)))
	return ctx, func(o publish.Outcome) publish.Outcome { return delivered(span, o) }
}

// kindOf a span: the attempts reach out of the process.
func kindOf(name string) trace.SpanKind {
	switch name {
	case spanRun, spanDelivery, spanTelling, spanTest:
		return trace.SpanKindClient
	case spanEvent:
		return trace.SpanKindProducer
	default:
		return trace.SpanKindInternal
	}
}

// attempted tells of the last attempt.
func attempted(r *v1alpha1.DeliveryRecord) []attribute.KeyValue {
	last := r.Attempts[len(r.Attempts)-1]
	return []attribute.KeyValue{tracing.Attempt.String(last.ID), tracing.AttemptNumber.Int64(int64(last.Number))}
}

// delivered ends the span of an attempt to send.
func delivered(span trace.Span, o publish.Outcome) publish.Outcome {
	var more []attribute.KeyValue
	if o.HTTPStatus != 0 {
		more = append(more, attribute.Int("http.response.status_code", int(o.HTTPStatus)))
	}
	if o.ErrorClass != "" {
		more = append(more, attribute.String("error.type", string(o.ErrorClass)))
	}
	tracing.End(span, string(o.Outcome), o.Outcome != v1alpha1.AttemptAccepted, more...)
	return o
}
