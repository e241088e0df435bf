package tracing_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"go.opentelemetry.io/otel"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// process returns the tracer of a process, and what it exports.
func process(t *testing.T) (trace.Tracer, *tracetest.InMemoryExporter) {
	t.Helper()
	spans := tracetest.NewInMemoryExporter()
	provider, err := tracing.NewProvider(t.Context(), "test", "dev", sdktrace.NewSimpleSpanProcessor(spans))
	if err != nil {
		t.Fatal(err)
	}
	return provider.Tracer("test"), spans
}

func article(name string) *v1alpha1.Article {
	return &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: "acme-blog", Name: name}}
}

func TestATraceTravelsWithTheObject(t *testing.T) {
	facade, _ := process(t)
	controller, spans := process(t)
	a := article("shoes")
	a.Annotations = map[string]string{v1alpha1.RequestHashAnnotation: "kept"}
	ctx, request := facade.Start(t.Context(), "request")
	tracing.Inject(ctx, a)
	request.End()

	ctx = tracing.Continue(t.Context(), a, a.Name)
	_, work := controller.Start(ctx, "work")
	work.End()
	got := spans.GetSpans()[0]
	if want := request.SpanContext(); got.SpanContext.TraceID() != want.TraceID() || got.Parent.SpanID() != want.SpanID() || !got.Parent.IsRemote() {
		t.Errorf("the work's parent is %v, want %v", got.Parent, want)
	}
	if a.Annotations[v1alpha1.RequestHashAnnotation] != "kept" {
		t.Error("the annotation removed another annotation")
	}
}

func TestAnArticleThatIsNotSampledIsSampledNowhere(t *testing.T) {
	controller, _ := process(t)
	t.Setenv("OTEL_TRACES_SAMPLER", "always_off")
	facade, _ := process(t)
	a := article("shoes")
	ctx, request := facade.Start(t.Context(), "request")
	defer request.End()
	tracing.Inject(ctx, a)
	if !isSampled(t.Context(), controller, article("boots")) || isSampled(t.Context(), controller, a) {
		t.Error("the controller has spans of a trace that the request left out")
	}
}

func TestNothingIsAnnotatedIfTracesAreOff(t *testing.T) {
	a := article("shoes")
	ctx, request := otel.Tracer("test").Start(t.Context(), "request")
	defer request.End()
	tracing.Inject(ctx, a)
	if len(a.Annotations) != 0 {
		t.Errorf("annotations are %v, want none", a.Annotations)
	}
}

// An article that kubectl created has a trace too, which is the same for every process.
func TestAnArticleWithoutTheAnnotationHasATraceOfItsOwn(t *testing.T) {
	of := func(obj metav1.Object, article string) trace.SpanContext {
		tracer, _ := process(t)
		_, span := tracer.Start(tracing.Continue(t.Context(), obj, article), "work")
		defer span.End()
		return span.SpanContext()
	}
	one := of(article("shoes"), "shoes")
	again := of(article("shoes"), "shoes")
	delivery := &v1alpha1.EventDelivery{ObjectMeta: metav1.ObjectMeta{Namespace: "acme-blog", Name: "some-id"}}
	if one.TraceID() != again.TraceID() || one.TraceID() != of(delivery, "shoes").TraceID() {
		t.Error("two processes see two traces of one article")
	}
	if one.SpanID() == again.SpanID() {
		t.Error("two spans have one id")
	}
	if one.TraceID() == of(article("boots"), "boots").TraceID() {
		t.Error("two articles have one trace")
	}
}

func TestAMalformedAnnotationIsIgnored(t *testing.T) {
	tracer, _ := process(t)
	_, span := tracer.Start(tracing.Continue(t.Context(), article("shoes"), "shoes"), "work")
	own := span.SpanContext().TraceID()
	for _, value := range []string{
		"", "nonsense", "00-00000000000000000000000000000000-00f067aa0ba902b7-01", "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
		"00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
		"ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", strings.Repeat("0", 100_000),
	} {
		a := article("shoes")
		a.Annotations = map[string]string{v1alpha1.TraceParentAnnotation: value}
		_, span := tracer.Start(tracing.Continue(t.Context(), a, a.Name), "work")
		if got := span.SpanContext().TraceID(); got != own {
			t.Errorf("with the annotation %.60q the trace is %s, want the article's own", value, got)
		}
	}
}

// Samplers by ratio look at the bits of the trace's id: those of the articles' own must look random, and the same
// in every process.
func TestARatioOfArticlesIsSampledWhole(t *testing.T) {
	t.Setenv("OTEL_TRACES_SAMPLER", "parentbased_traceidratio")
	t.Setenv("OTEL_TRACES_SAMPLER_ARG", "0.25")
	one, _ := process(t)
	other, _ := process(t)
	const articles = 2000
	sampled := 0
	for i := range articles {
		a := article(fmt.Sprintf("0198f0a1-b2c3-7d4e-95f6-%012x", i))
		got := isSampled(t.Context(), one, a)
		if got != isSampled(t.Context(), other, a) {
			t.Fatalf("one process samples %s, another does not", a.Name)
		}
		if got {
			sampled++
		}
	}
	if sampled < articles/5 || sampled > articles/3 {
		t.Errorf("%d of %d articles are sampled, want about a quarter", sampled, articles)
	}
}

func isSampled(ctx context.Context, tracer trace.Tracer, a *v1alpha1.Article) bool {
	_, span := tracer.Start(tracing.Continue(ctx, a, a.Name), "work")
	defer span.End()
	return span.SpanContext().IsSampled()
}
