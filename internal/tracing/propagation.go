package tracing

import (
	"context"
	"crypto/rand"
	"crypto/sha256"

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
	return context.WithValue(ctx, traceKey{}, derivedTrace(obj.GetNamespace(), article))
}

type traceKey struct{}

// derivedTrace is the trace ID of an article without the annotation, such as one that kubectl created. It is derived from the article's
// uid, so every process finds the same ID without a write.
func derivedTrace(namespace, article string) trace.TraceID {
	// Hashed, because samplers by ratio expect IDs of random bits.
	sum := sha256.Sum256([]byte(identity.UID(identity.KindArticle, namespace, article)))
	return trace.TraceID(sum[:16])
}

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
