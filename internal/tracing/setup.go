package tracing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// flushTimeout bounds how long the last spans are sent when the process stops. It comes after the work is drained and must
// end within the pod's terminationGracePeriodSeconds.
const flushTimeout = 3 * time.Second

// Setup sets the global tracer provider from the environment variables of the OpenTelemetry specification: OTLP over HTTP to
// OTEL_EXPORTER_OTLP_TRACES_ENDPOINT or OTEL_EXPORTER_OTLP_ENDPOINT. If neither is set, it does nothing. The function that it
// returns sends the last spans.
//
// The exporter's HTTP client is the only one that internal/egress does not make: it sends to an address that the operator
// names, and takes its headers, certificates and proxy from the environment too.
func Setup(ctx context.Context, service, version string, log logr.Logger) (shutdown func(context.Context) error, err error) {
	enabled, err := enabled()
	if err != nil || !enabled {
		return func(context.Context) error { return nil }, err
	}
	otel.SetLogger(log)
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Error(err, "sending spans") }))
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("making the exporter of spans: %w", err)
	}
	provider, err := NewProvider(ctx, service, version, sdktrace.NewBatchSpanProcessor(exporter))
	if err != nil {
		return nil, err
	}
	otel.SetTracerProvider(provider)
	return func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, flushTimeout)
		defer cancel()
		return provider.Shutdown(ctx)
	}, nil
}

// NewProvider makes a tracer provider whose ended spans go to processor. Its sampler is that of OTEL_TRACES_SAMPLER.
func NewProvider(ctx context.Context, service, version string, processor sdktrace.SpanProcessor) (*sdktrace.TracerProvider, error) {
	described, err := resource.New(ctx,
		resource.WithTelemetrySDK(), resource.WithHost(),
		resource.WithAttributes(attribute.String("service.name", service), attribute.String("service.version", version)),
		// Last, so that OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override.
		resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("describing the process for its spans: %w", err)
	}
	return sdktrace.NewTracerProvider(
		sdktrace.WithResource(described), sdktrace.WithIDGenerator(idGenerator{}), sdktrace.WithSpanProcessor(processor),
	), nil
}

// enabled reports whether the environment asks for spans. It returns an error for values that cannot be used; the exporter
// would silently send to its default endpoint instead.
func enabled() (bool, error) {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") {
		return false, nil
	}
	switch exporter := os.Getenv("OTEL_TRACES_EXPORTER"); exporter {
	case "", "otlp":
	case "none":
		return false, nil
	default:
		return false, fmt.Errorf("OTEL_TRACES_EXPORTER must be otlp or none, not %q", exporter)
	}
	endpoint := cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"))
	if endpoint == "" {
		return false, nil
	}
	if u, err := url.Parse(endpoint); err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return false, errors.New("OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address, such as http://collector:4318")
	}
	protocol := cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"), os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL"), httpProtobuf)
	if protocol != httpProtobuf {
		return false, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL must be %s, not %q", httpProtobuf, protocol)
	}
	return true, nil
}

const httpProtobuf = "http/protobuf"
