package rest_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/tracing"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

const theirTrace = "4bf92f3577b34da6a3ce929d0e0e4736"

// traced is an API that makes spans.
func traced(t *testing.T) (*operationtest.API, *tracetest.InMemoryExporter) {
	t.Helper()
	spans := tracetest.NewInMemoryExporter()
	provider, err := tracing.NewProvider(t.Context(), "test", "", sdktrace.NewSimpleSpanProcessor(spans))
	if err != nil {
		t.Fatal(err)
	}
	otel.SetTracerProvider(provider)
	t.Cleanup(func() { otel.SetTracerProvider(noop.NewTracerProvider()) })
	return operationtest.New(t), spans
}

// spanOf is the span of the one request that was made, and what it says.
func spanOf(t *testing.T, spans *tracetest.InMemoryExporter) (span tracetest.SpanStub, attributes map[string]string) {
	t.Helper()
	got := spans.GetSpans()
	if len(got) != 1 {
		t.Fatalf("%d spans, want one", len(got))
	}
	attributes = map[string]string{}
	for _, a := range got[0].Attributes {
		attributes[string(a.Key)] = a.Value.String()
	}
	return got[0], attributes
}

func TestARequestIsASpanByItsRoute(t *testing.T) {
	api, spans := traced(t)
	uid := "0198f0a1-0000-7000-8000-00000000aaaa"
	got := api.Do(operationtest.Request{Path: "/v1/api/blogs/" + uid + "?keyword=shoes"})
	span, attributes := spanOf(t, spans)
	want := map[string]string{
		"http.request.method": "GET", "http.route": "/v1/api/blogs/:uid", "http.response.status_code": "400",
		"pressroom.request_id": got.Header.Get("x-request-id"),
	}
	if span.Name != "GET /v1/api/blogs/:uid" || len(attributes) != len(want) {
		t.Errorf("the span is %s with %v, want %v", span.Name, attributes, want)
	}
	for key, value := range want {
		if attributes[key] != value {
			t.Errorf("%s is %q, want %q", key, attributes[key], value)
		}
	}
	if span.Status.Code == codes.Error {
		t.Error("a client's mistake is no failure of the facade")
	}
}

// A client may link its trace to the facade's. It neither names the facade's trace nor decides whether it is sampled.
func TestAClientsTraceIsALink(t *testing.T) {
	api, spans := traced(t)
	api.Do(operationtest.Request{Path: "/v1/api/sites", Header: map[string]string{
		"traceparent": "00-" + theirTrace + "-00f067aa0ba902b7-00", "tracestate": "vendor=secret",
	}})
	span, _ := spanOf(t, spans)
	if span.SpanContext.TraceID().String() == theirTrace || span.Parent.IsValid() {
		t.Errorf("the trace is %s, under %v: want one of our own", span.SpanContext.TraceID(), span.Parent)
	}
	if len(span.Links) != 1 || span.Links[0].SpanContext.TraceID().String() != theirTrace || span.Links[0].SpanContext.TraceState().Len() != 0 {
		t.Errorf("links are %v, want the client's id and no more", span.Links)
	}
}

func TestWhatNobodyKnowsMakesNoNames(t *testing.T) {
	for want, r := range map[string]operationtest.Request{"GET": {Path: "/nowhere/" + theirTrace}, "other": {Method: "BREW", Path: "/v1/api/sites"}} {
		api, spans := traced(t)
		api.Do(r)
		if span, _ := spanOf(t, spans); span.Name != want {
			t.Errorf("%s %s makes the span %q, want %q", r.Method, r.Path, span.Name, want)
		}
	}
}

func TestAPanicIsAFailedSpan(t *testing.T) {
	api, spans := traced(t)
	api.Deps.Authenticator = panicking{}
	api.Do(operationtest.Request{Path: "/v1/api/sites"})
	span, attributes := spanOf(t, spans)
	if span.Status.Code != codes.Error || attributes["http.response.status_code"] != "500" {
		t.Errorf("the span ended as %v with %v, want a failure", span.Status, attributes)
	}
	for _, value := range attributes {
		if strings.Contains(value, "secret of the house") {
			t.Error("the span shows the panic")
		}
	}
}

func TestWhatARequestMakesCarriesItsTrace(t *testing.T) {
	for _, r := range []operationtest.Request{
		{Method: http.MethodPost, Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)},
		{Method: http.MethodPost, Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Header: map[string]string{"Idempotency-Key": "k"}},
	} {
		api, spans := traced(t)
		if got := api.Do(r); got.Status != http.StatusAccepted {
			t.Fatalf("answered %d: %s", got.Status, got.Raw)
		}
		span, attributes := spanOf(t, spans)
		for key, a := range api.Objects.Articles {
			noted := tracing.Parse(context.Background(), a.Annotations[v1alpha1.TraceParentAnnotation])
			if noted.TraceID() != span.SpanContext.TraceID() || noted.SpanID() != span.SpanContext.SpanID() {
				t.Errorf("the article carries %v, want %v", noted, span.SpanContext)
			}
			if attributes["pressroom.article"] != key.Name || attributes["pressroom.workspace"] != operationtest.Workspace {
				t.Errorf("the span has %v, want the article's name", attributes)
			}
		}
		if len(api.Objects.Articles) != 1 {
			t.Errorf("%d articles, want one", len(api.Objects.Articles))
		}
	}
}

func TestWithoutTracesNothingIsNoted(t *testing.T) {
	api := operationtest.New(t)
	api.Do(operationtest.Request{Method: http.MethodPost, Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)})
	for _, a := range api.Objects.Articles {
		if noted, has := a.Annotations[v1alpha1.TraceParentAnnotation]; has {
			t.Errorf("the article carries %q, want nothing", noted)
		}
	}
}
