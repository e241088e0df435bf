package base

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/attempt"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// DeliveryResults tells the engine of a kind of deliveries how to read outcomes. An attempt that panicked, or whose process ended, may
// have reached the receiver.
func DeliveryResults(kind string) attempt.Results[publish.Outcome] {
	return attempt.Results[publish.Outcome]{
		Results: inflight.Results[publish.Outcome]{
			TimedOut:   func(o publish.Outcome) bool { return o.Outcome == v1alpha1.AttemptTimeout },
			RetryAfter: func(o publish.Outcome) time.Duration { return o.RetryAfter },
			Panicked: func(ctx context.Context, key types.NamespacedName, value any, stack []byte) publish.Outcome {
				LogPanic(ctx, kind, key, value, stack)
				return publish.Outcome{AttemptResult: v1alpha1.AttemptResult{
					Outcome: v1alpha1.AttemptUnknown, ErrorClass: v1alpha1.ErrorInterrupted, Message: PanicMessage,
				}}
			},
		},
		HeldUp:      publish.Outcome.HeldUp,
		Interrupted: publish.Outcome{AttemptResult: cycles.Interrupted().AttemptResult},
		Seconds:     func(o publish.Outcome) float64 { return float64(o.Milliseconds) / 1000 },
	}
}

// EndOf describes the end of a delivery's attempt in the terms of status.
func EndOf(o publish.Outcome) cycles.End {
	return cycles.End{
		AttemptResult: o.AttemptResult, Final: o.Final, Uncounted: o.Uncounted, RetryAfter: o.RetryAfter, Snippet: o.Snippet,
	}
}

// EndSpan returns a function that ends the span of a delivery's attempt.
func EndSpan(span trace.Span) func(publish.Outcome) {
	return func(o publish.Outcome) {
		var more []attribute.KeyValue
		if o.HTTPStatus != 0 {
			more = append(more, attribute.Int("http.response.status_code", int(o.HTTPStatus)))
		}
		if o.ErrorClass != "" {
			more = append(more, attribute.String("error.type", string(o.ErrorClass)))
		}
		tracing.End(span, string(o.Outcome), o.Outcome != v1alpha1.AttemptAccepted, more...)
	}
}
