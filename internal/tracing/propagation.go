// Package tracing carries the OpenTelemetry trace of an article from the request that creates it to its receivers. The trace
// travels with the objects: Inject writes the span that creates an object into an annotation, and Continue reads it, in
// another process and at another time. Spans are started with otel.Tracer, which is a no-op until Setup has found an endpoint.
//
// Spans say what was done and how it ended. They hold names of objects, never a text, a keyword, a URL, a secret or an
// address.
package tracing

import (
	"context"
	"crypto/rand"
	"crypto/sha256"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// header is the key of the W3C trace context in a carrier.
const header = "traceparent"

// Inject writes the span of ctx into an annotation of an object that is about to be created. A span that is not sampled is
// written too, so that later work on the object is not sampled either.
func Inject(ctx context.Context, obj metav1.Object) {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	annotations := obj.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[v1alpha1.TraceParentAnnotation] = carrier[header]
	obj.SetAnnotations(annotations)
}

// Parse reads the W3C trace context that the header and the annotation hold. It ignores trace state and baggage. If value is
// malformed, the span context is not valid.
func Parse(ctx context.Context, value string) trace.SpanContext {
	// Extract returns the span of its context if value is malformed.
	none := trace.ContextWithSpanContext(ctx, trace.SpanContext{})
	return trace.SpanContextFromContext(propagation.TraceContext{}.Extract(none, propagation.MapCarrier{header: value}))
}

// Continue returns ctx within the trace of an article: under the span in the annotation of obj, which is the article or an
// object made for it. Without the annotation, the next span starts the article's own trace.
func Continue(ctx context.Context, obj metav1.Object, article string) context.Context {
	if parent := Parse(ctx, obj.GetAnnotations()[v1alpha1.TraceParentAnnotation]); parent.IsValid() {
		return trace.ContextWithRemoteSpanContext(ctx, parent)
	}
	// Of the uid, so every process finds the same ID without a write. Hashed, because samplers by ratio expect IDs of random bits.
	sum := sha256.Sum256([]byte(identity.UID(identity.KindArticle, obj.GetNamespace(), article)))
	return context.WithValue(ctx, traceKey{}, trace.TraceID(sum[:16]))
}

// traceKey is the context key of the trace ID of an article without the annotation, such as one that kubectl created.
type traceKey struct{}

// idGenerator returns random IDs, except for a derived trace.
type idGenerator struct{}

// NewIDs returns the IDs of a span without a parent.
func (g idGenerator) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	id, ok := ctx.Value(traceKey{}).(trace.TraceID)
	if !ok {
		rand.Read(id[:])
	}
	return id, g.NewSpanID(ctx, id)
}

// NewSpanID returns the ID of a span.
func (idGenerator) NewSpanID(context.Context, trace.TraceID) trace.SpanID {
	var id trace.SpanID
	rand.Read(id[:])
	return id
}

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
