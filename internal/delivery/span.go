package delivery

import (
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// endSpan ends the span of an attempt.
func endSpan(span trace.Span, o publish.Outcome) {
	var more []attribute.KeyValue
	if o.HTTPStatus != 0 {
		more = append(more, attribute.Int("http.response.status_code", int(o.HTTPStatus)))
	}
	if o.ErrorClass != "" {
		more = append(more, attribute.String("error.type", string(o.ErrorClass)))
	}
	tracing.End(span, string(o.Outcome), o.Outcome != v1alpha1.AttemptAccepted, more...)
}
