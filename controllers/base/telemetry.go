package base

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// The kinds of attempts, as labels of metrics.
const (
	KindGeneration  = "generation"
	KindPublication = "publication"
	KindEvent       = "event"
	KindConnection  = "connection"
)

// The metrics that all kinds of attempts have.
var (
	// AttemptLateness is observed when an attempt begins.
	AttemptLateness = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "pressroom_attempt_start_delay_seconds",
		Help:    "How long after they became due attempts began, by kind.",
		Buckets: []float64{.1, .5, 1, 5, 15, 60, 300, 600, 1800, 3600},
	}, []string{"kind"})
	attemptPanics = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_attempt_panics_total",
		Help: "Attempts that a panic ended, by kind.",
	}, []string{"kind"})
)

// Collectors returns the metrics that all kinds of attempts have. Series that alerts use start at zero.
func Collectors() []prometheus.Collector {
	for _, kind := range []string{KindGeneration, KindPublication, KindEvent, KindConnection} {
		attemptPanics.WithLabelValues(kind)
	}
	return []prometheus.Collector{AttemptLateness, attemptPanics}
}

// RequestSeconds returns a histogram of how long requests to receivers take, which have 30 seconds (docs/reference/contract.md, Limits).
func RequestSeconds(o prometheus.HistogramOpts) prometheus.Histogram {
	o.Buckets = []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20, 30}
	return prometheus.NewHistogram(o)
}

// StartAtZero returns a counter of deliveries that have ended, by outcome. The series that alerts use, those of these reasons and of
// more, start at zero: an increase needs a value before it.
func StartAtZero(ended *prometheus.CounterVec, more ...string) *prometheus.CounterVec {
	for _, reason := range append(more,
		v1alpha1.ReasonDelivered, v1alpha1.ReasonExhausted, v1alpha1.ReasonAddressBlocked, v1alpha1.ReasonReceiverRejected,
		v1alpha1.ReasonNotSent) {
		ended.WithLabelValues(reason)
	}
	return ended
}

// CountEnd counts a cycle of attempts that has ended.
func CountEnd(ended *prometheus.CounterVec, c *v1alpha1.DeliveryCycle) {
	if c.State == v1alpha1.CycleAccepted || c.State == v1alpha1.CycleFailed {
		ended.WithLabelValues(c.Reason).Inc()
	}
}

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

// PanicMessage is the message in status about an attempt that panicked.
const PanicMessage = "an internal error ended the attempt; it is in the controller's log"

// LogPanic logs and counts a panic. It quotes only errors of the Go runtime, because other values may hold parts of an answer.
func LogPanic(ctx context.Context, kind string, key types.NamespacedName, value any, stack []byte) {
	what := fmt.Sprintf("a panic of the type %T", value)
	if err, ok := value.(error); ok {
		if known, ok := errors.AsType[runtime.Error](err); ok {
			what = known.Error()
		}
	}
	log.FromContext(ctx).Error(errors.New(what), "an attempt panicked", "kind", kind, "object", key, "stack", string(stack))
	attemptPanics.WithLabelValues(kind).Inc()
}
