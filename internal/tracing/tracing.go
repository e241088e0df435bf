// Package tracing follows one article from the request that asked for it to its receivers, as spans of OpenTelemetry. The
// trace travels with the objects: the span that creates one is noted in an annotation, and who works on the object, in
// another process and at another time, goes on with its trace. Nothing is made, and nothing noted, until an endpoint is
// configured.
//
// Spans say what was done and how it ended. They hold names of objects, never a text, a keyword, a URL, a secret or an
// address.
package tracing

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// Attributes of spans. Each is bounded as the field of the API that it is taken from.
const (
	// Workspace is the namespace of the article.
	Workspace = attribute.Key("pressroom.workspace")
	// Article is the article's name.
	Article = attribute.Key("pressroom.article")
	// Site is the name of the article's site.
	Site = attribute.Key("pressroom.site")
	// Revision is the name of a revision; a run of the generator has the name of the revision that it makes.
	Revision = attribute.Key("pressroom.revision")
	// EventType is the type of an event, as EventDelivery has it.
	EventType = attribute.Key("pressroom.event")
	// Subscription is the name of an EventSubscription.
	Subscription = attribute.Key("pressroom.subscription")
	// Attempt is the id of an attempt, by which status tells of it too.
	Attempt = attribute.Key("pressroom.attempt")
	// AttemptNumber is the attempt's number in its cycle or run, from 1.
	AttemptNumber = attribute.Key("pressroom.attempt.number")
	// Outcome is what an attempt came to, in the words of status.
	Outcome = attribute.Key("pressroom.outcome")
	// RequestID is the x-request-id of a request to the REST API.
	RequestID = attribute.Key("pressroom.request_id")
)

// Tracer starts spans. The zero Tracer is off: it makes and notes nothing.
type Tracer struct{ tracer trace.Tracer }

// On reports whether spans are made.
func (t Tracer) On() bool { return t.tracer != nil }

// Start starts a span under that of ctx, or at the root of the trace that Continue has set.
func (t Tracer) Start(ctx context.Context, name string, options ...trace.SpanStartOption) (context.Context, trace.Span) {
	if !t.On() {
		return ctx, noop.Span{}
	}
	return t.tracer.Start(ctx, name, options...)
}

// End ends a span with what it came to. Only the outcome's name tells of a failure: texts of errors may hold anything.
func End(span trace.Span, outcome string, failed bool, more ...attribute.KeyValue) {
	span.SetAttributes(append(more, Outcome.String(outcome))...)
	if failed {
		span.SetStatus(codes.Error, outcome)
	}
	span.End()
}
