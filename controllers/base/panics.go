package base

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// PanicMessage is the message in status about an attempt that panicked.
const PanicMessage = "an internal error ended the attempt; it is in the controller's log"

// DeliveryResults tells the tracker of a kind of deliveries how to read outcomes. An attempt that panicked may have reached the
// receiver.
func DeliveryResults(kind string) inflight.Results[publish.Outcome] {
	return inflight.Results[publish.Outcome]{
		TimedOut:   func(o publish.Outcome) bool { return o.Outcome == v1alpha1.AttemptTimeout },
		RetryAfter: func(o publish.Outcome) time.Duration { return o.RetryAfter },
		Panicked: func(ctx context.Context, key types.NamespacedName, value any, stack []byte) publish.Outcome {
			LogPanic(ctx, kind, key, value, stack)
			return publish.Outcome{AttemptResult: v1alpha1.AttemptResult{
				Outcome: v1alpha1.AttemptUnknown, ErrorClass: v1alpha1.ErrorInterrupted, Message: PanicMessage,
			}}
		},
	}
}

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
