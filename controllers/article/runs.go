package article

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/attempt"
	"github.com/pressroom-dev/pressroom/internal/fence"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/related"
	"github.com/pressroom-dev/pressroom/internal/sitegenerator"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// RunResult is the result of an attempt of a run. While the attempt is in progress, it has the step only.
type RunResult struct {
	Result generate.Result
	Err    error
	// Prices by which the result's tokens are shown as a cost.
	Prices generate.Prices
	// Brief that the text rests on; nil if there is none.
	Brief *v1alpha1.RevisionBrief
	// Took is how long the generator took.
	Took time.Duration

	Step, Steps int
}

// Generation runs the generator: it reserves the credit, writes the attempt to status, calls the model outside of the reconcile, and
// records the result.
type Generation struct {
	*base.Base
	// Related caches the stems of articles, for comparisons.
	Related *related.Index
	// Briefs reads what texts rest on.
	Briefs *Briefs
	// Backends finds the generators of sites.
	Backends sitegenerator.Finder
	// Charger takes and refunds credits.
	Charger *ledger.Charger
	// Tokens are those that the ledger does not have yet.
	Tokens *ledger.TokenBook
	// Engine makes the attempts.
	Engine *attempt.Engine[RunResult]
}

// failureOf returns the typed error of a generator, or describes another one.
func failureOf(err error) *generate.Error {
	if typed, ok := errors.AsType[*generate.Error](err); ok {
		return typed
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &generate.Error{Reason: v1alpha1.ReasonTimeout, Message: "the generator did not finish in time", Retryable: true}
	}
	return &generate.Error{Reason: v1alpha1.ReasonBackendUnavailable, Message: "the generator failed", Retryable: true}
}

// errInterrupted is the error of an attempt whose process ended.
var errInterrupted = errors.New("the controller's process ended during the attempt")

// RunResults tells the engine of runs how to read results.
func RunResults() attempt.Results[RunResult] {
	return attempt.Results[RunResult]{
		Results: inflight.Results[RunResult]{
			TimedOut: func(r RunResult) bool { return r.Err != nil && failureOf(r.Err).Reason == v1alpha1.ReasonTimeout },
			RetryAfter: func(r RunResult) time.Duration {
				if r.Err == nil {
					return 0
				}
				return failureOf(r.Err).RetryAfter
			},
			Panicked: func(ctx context.Context, key types.NamespacedName, value any, stack []byte) RunResult {
				base.LogPanic(ctx, base.KindGeneration, key, value, stack)
				return RunResult{Err: &generate.Error{Reason: v1alpha1.ReasonInvalidAnswer, Retryable: true, Message: base.PanicMessage}}
			},
		},
		HeldUp:      RunResult.heldUp,
		Interrupted: RunResult{Err: errInterrupted},
		Seconds:     func(r RunResult) float64 { return r.Took.Seconds() },
	}
}

// heldUp returns what a result means if the fence refused a request, because the process was held up. The attempt does not count if the
// model was not called.
func (r RunResult) heldUp(called bool) RunResult {
	switch {
	case r.Err == nil:
	case !called:
		r.Err = fence.ErrHeldUp
	default:
		held := *failureOf(r.Err)
		held.Reason, held.Retryable, held.RetryAfter, held.Message = v1alpha1.ReasonInterrupted, true, 0, fence.ErrHeldUp.Error()
		r.Err = &held
	}
	return r
}

// runSpan starts the span of one attempt to generate. The function that it returns ends the span.
func runSpan(ctx context.Context, a *v1alpha1.Article) (context.Context, func(RunResult)) {
	g := a.Status.Run
	ctx, span := base.ArticleSpan(ctx, a, "generation attempt", trace.SpanKindClient,
		tracing.Revision.String(g.Name), tracing.AttemptNumber.Int64(int64(g.Attempt)),
		attribute.String("gen_ai.provider.name", string(g.Type)), attribute.String("gen_ai.request.model", g.Model))
	return ctx, func(result RunResult) {
		reason := v1alpha1.ReasonSucceeded
		switch {
		case errors.Is(result.Err, context.Canceled), errors.Is(result.Err, fence.ErrHeldUp):
			reason = v1alpha1.ReasonInterrupted
		case result.Err != nil:
			reason = failureOf(result.Err).Reason
		}
		tracing.End(span, reason, result.Err != nil,
			attribute.Int64("gen_ai.usage.input_tokens", result.Result.Usage.InputTokens),
			attribute.Int64("gen_ai.usage.output_tokens", result.Result.Usage.OutputTokens))
	}
}
