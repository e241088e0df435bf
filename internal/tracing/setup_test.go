package tracing_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/trace/noop"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// clean unsets the variables of tracing.
func clean(t *testing.T) {
	t.Helper()
	for _, name := range []string{
		"OTEL_SDK_DISABLED", "OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
		"OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
	} {
		t.Setenv(name, "")
	}
}

func TestWithoutAnEndpointTracesAreOff(t *testing.T) {
	clean(t)
	before := runtime.NumGoroutine()
	shutdown := setUp(t)
	a := article("shoes")
	ctx, span := otel.Tracer("test").Start(tracing.Continue(t.Context(), a, a.Name), "work")
	tracing.Inject(ctx, a)
	span.End()
	if span.IsRecording() || len(a.Annotations) != 0 {
		t.Errorf("the span is recording or leaves %v, want nothing", a.Annotations)
	}
	if err := shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines, want the %d from before", after, before)
	}
}

// setUp sets tracing up as the environment asks, until the test ends.
func setUp(t *testing.T) (shutdown func(context.Context) error) {
	t.Helper()
	t.Cleanup(func() { otel.SetTracerProvider(noop.NewTracerProvider()) })
	shutdown, err := tracing.Setup(t.Context(), "pressroom-test", "v1", logr.Discard())
	if err != nil {
		t.Fatal(err)
	}
	return shutdown
}

func TestTheEnvironmentTurnsTracesOff(t *testing.T) {
	for name, value := range map[string]string{"OTEL_SDK_DISABLED": "true", "OTEL_TRACES_EXPORTER": "none"} {
		t.Run(name, func(t *testing.T) {
			clean(t)
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
			t.Setenv(name, value)
			setUp(t)
			if _, span := otel.Tracer("test").Start(t.Context(), "work"); span.IsRecording() {
				t.Error("the span is recording")
			}
		})
	}
}

func TestValuesThatCannotBeUsedAreErrors(t *testing.T) {
	for _, tt := range []struct{ name, value string }{
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "://"},
		{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "/v1/traces"},
		{"OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"},
		{"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/json"},
		{"OTEL_TRACES_EXPORTER", "zipkin"},
	} {
		t.Run(tt.name+"="+tt.value, func(t *testing.T) {
			clean(t)
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
			t.Setenv(tt.name, tt.value)
			if _, err := tracing.Setup(t.Context(), "pressroom-test", "v1", logr.Discard()); err == nil || !strings.Contains(err.Error(), "OTEL_") {
				t.Errorf("err = %v, want one that names the variable", err)
			}
		})
	}
}

func TestSpansArriveAtTheCollectorWhenTheProcessStops(t *testing.T) {
	got := make(chan *collector.ExportTraceServiceRequest, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		request := &collector.ExportTraceServiceRequest{}
		if err != nil || proto.Unmarshal(body, request) != nil || r.URL.Path != "/v1/traces" || r.Header.Get("x-tenant") != "acme" {
			t.Errorf("got %s with %v, %v", r.URL.Path, r.Header, err)
		}
		got <- request
	}))
	defer server.Close()
	clean(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-tenant=acme")
	shutdown := setUp(t)
	_, span := otel.Tracer("test").Start(t.Context(), "work")
	tracing.End(span, "Rejected", true)
	if err := shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	sent := (<-got).GetResourceSpans()[0]
	about := map[string]string{}
	for _, attribute := range sent.GetResource().GetAttributes() {
		about[attribute.GetKey()] = attribute.GetValue().GetStringValue()
	}
	if about["service.name"] != "pressroom-test" || about["service.version"] != "v1" || about["host.name"] == "" {
		t.Errorf("the resource is %v", about)
	}
	arrived := sent.GetScopeSpans()[0].GetSpans()[0]
	if arrived.GetName() != "work" || arrived.GetStatus().GetMessage() != "Rejected" {
		t.Errorf("arrived %v, want the span with its outcome", arrived)
	}
}
