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

// FlushTimeout bounds the sending of the last spans when the process stops. It comes after the work has been drained, and
// before the pod's terminationGracePeriodSeconds are over.
const FlushTimeout = 3 * time.Second

// Program says whose spans they are.
type Program struct {
	// Name is the service's, such as pressroom-controller.
	Name string
	// Version of the program.
	Version string
}

// Exporter sends spans to a collector. The nil Exporter, of a process that has no endpoint, does nothing.
type Exporter struct{ provider *sdktrace.TracerProvider }

// Start makes an exporter as the environment says, by the variables of the OpenTelemetry specification: OTLP over HTTP to
// OTEL_EXPORTER_OTLP_TRACES_ENDPOINT or OTEL_EXPORTER_OTLP_ENDPOINT. Where neither is set it makes nothing and returns nil.
//
// The exporter's HTTP client is the one that internal/egress does not make: it sends to an address that the operator has
// named, and is configured (headers, certificates, proxy) by that environment too.
func Start(ctx context.Context, p Program, log logr.Logger) (*Exporter, error) {
	wanted, err := configured()
	if err != nil || !wanted {
		return nil, err
	}
	otel.SetLogger(log)
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Error(err, "sending spans") }))
	client, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("making the exporter of spans: %w", err)
	}
	return New(ctx, p, sdktrace.NewBatchSpanProcessor(client))
}

// New makes an exporter of what ends spans.
func New(ctx context.Context, p Program, processor sdktrace.SpanProcessor) (*Exporter, error) {
	about, err := resource.New(ctx,
		resource.WithTelemetrySDK(), resource.WithHost(),
		resource.WithAttributes(attribute.String("service.name", p.Name), attribute.String("service.version", p.Version)),
		// OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES have the last word.
		resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("describing the process for its spans: %w", err)
	}
	// The sampler is that of OTEL_TRACES_SAMPLER.
	return &Exporter{sdktrace.NewTracerProvider(
		sdktrace.WithResource(about), sdktrace.WithIDGenerator(generator{}), sdktrace.WithSpanProcessor(processor),
	)}, nil
}

// Tracer returns what starts spans.
func (e *Exporter) Tracer() Tracer {
	if e == nil {
		return Tracer{}
	}
	return Tracer{e.provider.Tracer("github.com/pressroom-dev/pressroom")}
}

// Stop sends the spans that have ended and makes no more.
func (e *Exporter) Stop(ctx context.Context) error {
	if e == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, FlushTimeout)
	defer cancel()
	if err := e.provider.Shutdown(ctx); err != nil {
		return fmt.Errorf("sending the last spans: %w", err)
	}
	return nil
}

// configured reports whether the environment asks for spans, and finds fault with what could not be done. The exporter
// itself would fall back to a default endpoint silently.
func configured() (bool, error) {
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
	endpoint := either("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
	if endpoint == "" {
		return false, nil
	}
	if u, err := url.Parse(endpoint); err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return false, errors.New("OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address, such as http://collector:4318")
	}
	protocol := cmp.Or(either("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"), httpProtobuf)
	if protocol != httpProtobuf {
		return false, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL must be %s, not %q", httpProtobuf, protocol)
	}
	return true, nil
}

const httpProtobuf = "http/protobuf"

// either returns the variable for traces, else the one for everything.
func either(traces, all string) string { return cmp.Or(os.Getenv(traces), os.Getenv(all)) }
