package tracing_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// clean is an environment without a word of traces.
func clean(t *testing.T) {
	t.Helper()
	for _, name := range []string{
		"OTEL_SDK_DISABLED", "OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
		"OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
	} {
		t.Setenv(name, "")
	}
}

var program = tracing.Program{Name: "pressroom-test", Version: "v1"}

func TestWithoutAnEndpointNothingIsMade(t *testing.T) {
	clean(t)
	before := runtime.NumGoroutine()
	exporter, err := tracing.Start(t.Context(), program, logr.Discard())
	if err != nil || exporter != nil {
		t.Fatalf("Start = %v, %v, want nothing", exporter, err)
	}
	tracer, a := exporter.Tracer(), article("shoes")
	if tracer.On() {
		t.Error("the tracer is on")
	}
	cost := testing.AllocsPerRun(100, func() {
		ctx, span := tracer.Start(tracer.Continue(t.Context(), a, a.Name), "work")
		tracing.Carry(ctx, a)
		span.End()
	})
	if cost != 0 || len(a.Annotations) != 0 {
		t.Errorf("a span costs %v allocations and leaves %v, want nothing", cost, a.Annotations)
	}
	if err := exporter.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines, want the %d from before", after, before)
	}
}

func TestTheEnvironmentTurnsTracesOff(t *testing.T) {
	for name, value := range map[string]string{"OTEL_SDK_DISABLED": "true", "OTEL_TRACES_EXPORTER": "none"} {
		t.Run(name, func(t *testing.T) {
			clean(t)
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
			t.Setenv(name, value)
			if exporter, err := tracing.Start(t.Context(), program, logr.Discard()); err != nil || exporter != nil {
				t.Errorf("Start = %v, %v, want nothing", exporter, err)
			}
		})
	}
}

func TestWhatCannotBeDoneIsSaid(t *testing.T) {
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
			if _, err := tracing.Start(t.Context(), program, logr.Discard()); err == nil || !strings.Contains(err.Error(), "OTEL_") {
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
	exporter, err := tracing.Start(t.Context(), program, logr.Discard())
	if err != nil {
		t.Fatal(err)
	}
	_, span := exporter.Tracer().Start(t.Context(), "work")
	tracing.End(span, "Rejected", true)
	if err := exporter.Stop(t.Context()); err != nil {
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
