// Package tracing carries the OpenTelemetry trace of an article from the request that creates it to its receivers. The trace
// travels with the objects: Inject writes the span that creates an object into an annotation, and Continue reads it, in
// another process and at another time. Spans are started with otel.Tracer, which is a no-op until Setup has found an endpoint.
//
// Spans say what was done and how it ended. They hold names of objects, never a text, a keyword, a URL, a secret or an
// address.
package tracing

import (
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// Attributes of spans. Each is bounded like the API field that it is taken from.
const (
	// Workspace is the namespace of the article.
	Workspace = attribute.Key("pressroom.workspace")
	// Article is the article's name.
	Article = attribute.Key("pressroom.article")
	// Site is the name of the article's site.
	Site = attribute.Key("pressroom.site")
	// Revision is the name of a revision; a run of the generator has the name of the revision that it makes.
	Revision = attribute.Key("pressroom.revision")
	// EventType is the type of an event, as in EventDelivery.
	EventType = attribute.Key("pressroom.event")
	// Subscription is the name of an EventSubscription.
	Subscription = attribute.Key("pressroom.subscription")
	// Attempt is the id of an attempt, as in status.
	Attempt = attribute.Key("pressroom.attempt")
	// AttemptNumber is the attempt's number in its cycle or run, from 1.
	AttemptNumber = attribute.Key("pressroom.attempt.number")
	// Outcome is the result of an attempt, with the values of status.
	Outcome = attribute.Key("pressroom.outcome")
	// RequestID is the x-request-id of a request to the REST API.
	RequestID = attribute.Key("pressroom.request_id")
)

// End ends a span with its outcome. A failure is described by the outcome's name only: the text of an error may hold anything.
func End(span trace.Span, outcome string, failed bool, more ...attribute.KeyValue) {
	span.SetAttributes(append(more, Outcome.String(outcome))...)
	if failed {
		span.SetStatus(codes.Error, outcome)
	}
	span.End()
}
