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

// header is the name of the W3C trace context in a carrier.
const header = "traceparent"

// Carry notes the span of ctx on an object that is about to be created, also that it is not sampled: the trace is then left out
// by whoever works on the object later, too.
func Carry(ctx context.Context, obj metav1.Object) {
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

// Parse reads a trace context as the header and the annotation hold it. It is an id and no more: what else may come with a
// trace (its state, baggage) is not read. What is malformed is no span context.
func Parse(ctx context.Context, value string) trace.SpanContext {
	// The span of ctx would be the answer where there is no other.
	none := trace.ContextWithSpanContext(ctx, trace.SpanContext{})
	return trace.SpanContextFromContext(propagation.TraceContext{}.Extract(none, propagation.MapCarrier{header: value}))
}

// Continue returns ctx as a part of an article's trace: under the span that is noted on obj, the article or an object made
// for it, or in the trace of the article's own where none is.
func (t Tracer) Continue(ctx context.Context, obj metav1.Object, article string) context.Context {
	if !t.On() {
		return ctx
	}
	if noted := Parse(ctx, obj.GetAnnotations()[v1alpha1.TraceParentAnnotation]); noted.IsValid() {
		return trace.ContextWithRemoteSpanContext(ctx, noted)
	}
	return context.WithValue(ctx, ownKey{}, own(obj.GetNamespace(), article))
}

type ownKey struct{}

// own is the trace of an article that nobody has noted one on, such as one that came by kubectl. It is made of the
// article's uid, so that nothing needs to be written: every process, and every span, finds the same.
func own(namespace, article string) trace.TraceID {
	// A hash, for samplers expect ids of random bits.
	sum := sha256.Sum256([]byte(identity.UID(identity.KindArticle, namespace, article)))
	return trace.TraceID(sum[:16])
}

// generator makes ids at random, but that of an article's own trace.
type generator struct{}

// NewIDs returns the ids of a span without a parent.
func (g generator) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	id, ok := ctx.Value(ownKey{}).(trace.TraceID)
	if !ok {
		rand.Read(id[:])
	}
	return id, g.NewSpanID(ctx, id)
}

// NewSpanID returns the id of a span.
func (generator) NewSpanID(context.Context, trace.TraceID) trace.SpanID {
	var id trace.SpanID
	rand.Read(id[:])
	return id
}
