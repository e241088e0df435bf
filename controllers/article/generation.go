package article

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/controllers/post"
	"github.com/pressroom-dev/pressroom/internal/delivery"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/related"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// progressInterval is how often the progress of a run is written at the most.
const progressInterval = time.Minute

// RunResult is the result of an attempt of a run. While the attempt is in progress, it has the step and nothing else.
type RunResult struct {
	Result generate.Result
	Err    error
	// Prices by which the result's tokens are shown as a cost.
	Prices generate.Prices

	Step, Steps int
}

// Generation runs the generator: it reserves the credit, writes the attempt ahead, calls the model apart from the reconcile,
// and records the result.
type Generation struct {
	*base.Base
	// Slugs gives each article its own slug.
	Slugs *post.Slugs
	// Encoding of the bodies of new revisions.
	Encoding v1alpha1.BodyEncoding
	// Subjects remembers what articles are about.
	Subjects *related.Memory
	// Backends finds the generators of sites.
	Backends Backends
	// Charger takes and refunds credits.
	Charger *ledger.Charger
	// Tokens are those that the ledger does not have yet.
	Tokens *ledger.TokenBook
	// Runs are the attempts in progress.
	Runs *inflight.Tracker[RunResult]
}

// start makes the first attempt of a new run, which costs a credit.
func (g *Generation) start(ctx context.Context, t *task) (progress, error) {
	return g.attempt(ctx, t, true)
}

// retry makes the next attempt of a run.
func (g *Generation) retry(ctx context.Context, t *task) (progress, error) {
	return g.attempt(ctx, t, false)
}

// attempt makes the next attempt. First it reads what the attempt needs, then it writes the attempt ahead, and only then it
// calls the model.
func (g *Generation) attempt(ctx context.Context, t *task, fresh bool) (progress, error) {
	backend, err := g.Backends.For(ctx, t.site)
	if err != nil {
		return progress{}, t.generationBlocked(err)
	}
	claim, err := g.SlotClaim(ctx, t.article.Namespace, backend.Host)
	if err != nil {
		return progress{}, err
	}
	claim.Uncapped = backend.Default
	request := generateRequest(t.article, t.site)
	if err := checkRequest(t.article, backend, request); err != nil {
		return progress{}, t.generationBlocked(err)
	}
	slot := g.Runs.Acquire(client.ObjectKeyFromObject(t.article), claim)
	if slot == nil {
		return progress{}, t.queueRun()
	}
	defer slot.Release()
	if err := requireLatestSite(ctx, g.Base, t.site); err != nil {
		return progress{}, err
	}
	if err := g.material(ctx, t, backend, &request); err != nil {
		return progress{}, err
	}
	due, run := lifecycle.RunDueAt(t.article), g.nextAttempt(t.article, backend, fresh)
	if fresh {
		if err := g.reserve(ctx, t, run.ID); err != nil {
			return retryIfBusy(t.generationBlocked(err))
		}
		t.article.Status.Prepaid = nil
	}
	t.article.Status.Generation = run
	t.article.Status.LastRevisionNumber = max(t.article.Status.LastRevisionNumber, run.Number)
	if err := delivery.WriteAhead(ctx, t.save); err != nil {
		return progress{}, err
	}
	if !due.IsZero() {
		base.AttemptLateness.WithLabelValues(base.KindGeneration).Observe(max(g.Clock.Since(due), 0).Seconds())
	}
	if fresh {
		warnOfSameKeyword(t, request.Site)
	}
	g.launch(ctx, slot, t, backend, request)
	return progress{after: progressInterval}, nil
}

// generationBlocked keeps what blocks a run for the conditions, and passes on every error.
func (t *task) generationBlocked(err error) error {
	errors.As(err, &t.blockers.Generation)
	return err
}

// queueRun leaves the article to the tracker, which notifies it when a slot is free. Waiting for a slot is written only if
// status says otherwise: that a blocker exists that no longer applies, or what was true before the article asked for the run.
func (t *task) queueRun() error {
	if !lifecycle.GenerationBlocked(t.article) && !lifecycle.GenerationOutdated(t.article) {
		return nil
	}
	return t.generationBlocked(lifecycle.NoSlotAtGenerator())
}

// nextAttempt describes the attempt that is about to be made: of a new run, or of the one that waits for its retry.
func (g *Generation) nextAttempt(a *v1alpha1.Article, backend Backend, fresh bool) *v1alpha1.GenerationRun {
	run := &v1alpha1.GenerationRun{Charge: v1alpha1.Charged, Nonce: lifecycle.HandledRegenerate(a)}
	if fresh {
		run.Number = a.Status.LastRevisionNumber + 1
		run.ID = revision.Name(a, run.Number)
	} else {
		run = a.Status.Generation.DeepCopy()
		if run.Reason == v1alpha1.ReasonStopped {
			run.Attempt-- // It was cut off by this controller, and does not count.
		}
		run.Reason, run.Message, run.NextAttemptAt, run.FinishedAt = "", "", nil, nil
		run.Step, run.Steps, run.ProgressAt = 0, 0, nil
	}
	run.Attempt++
	run.State, run.Holder, run.StartedAt = v1alpha1.RunRunning, g.Holder, g.Now()
	run.RequestHash = lifecycle.RequestHash(a.Spec.Generate)
	run.Type, run.Model = backend.Type, backend.Model
	return run
}

// launch calls the model apart from the reconcile.
func (g *Generation) launch(
	ctx context.Context, slot *inflight.Slot[RunResult], t *task, backend Backend, request generate.Request,
) {
	id := runAttemptID(t.article)
	ctx, end := runSpan(ctx, t.article)
	slot.Go(ctx, id, func(ctx context.Context) RunResult {
		began := g.Clock.Now()
		ctx, cancel := context.WithTimeout(ctx, generate.Deadline(request))
		defer cancel()
		result, err := backend.Generator.Generate(ctx, request, func(step, steps int) {
			g.Runs.Report(id, RunResult{Step: step, Steps: steps})
		})
		runSeconds.Observe(g.Clock.Since(began).Seconds())
		return end(RunResult{Result: result, Err: err, Prices: backend.Prices})
	})
}

// follow records the attempt in progress if it has ended, else its progress.
func (g *Generation) follow(ctx context.Context, t *task) (progress, error) {
	result, state := g.Runs.Look(runAttemptID(t.article))
	if t.article.Status.Generation.Holder != g.Holder {
		state = inflight.Unknown
	}
	switch state {
	case inflight.Running:
		return progress{after: progressInterval}, g.writeProgress(ctx, t, result)
	case inflight.Unknown:
		return g.recordInterrupted(ctx, t)
	default:
		return g.record(ctx, t, result)
	}
}

// writeProgress writes the step of a running attempt, at most once a minute.
func (g *Generation) writeProgress(ctx context.Context, t *task, soFar RunResult) error {
	run, step, steps := t.article.Status.Generation, boundedStep(soFar.Step), boundedStep(soFar.Steps)
	last := run.StartedAt.Time
	if run.ProgressAt != nil {
		last = run.ProgressAt.Time
	}
	if step == run.Step && steps == run.Steps || g.Clock.Since(last) < progressInterval-time.Millisecond {
		return nil
	}
	now := g.Now()
	run.Step, run.Steps, run.ProgressAt = step, steps, &now
	return t.save(ctx)
}

// boundedStep keeps a count of steps within the API's bounds, 0 to 100.
func boundedStep(n int) int32 { return int32(min(max(n, 0), 100)) }

// supersede ends a run that waits for its retry, because the author wrote the text. Its credit is refunded.
func (g *Generation) supersede(_ context.Context, t *task) (progress, error) {
	run, now := t.article.Status.Generation, g.Now()
	run.State, run.NextAttemptAt, run.FinishedAt = v1alpha1.RunSuperseded, nil, &now
	run.Charge = v1alpha1.RefundDue
	t.changed = true
	return progress{}, nil
}

// forgetEnded drops the result of the run if status holds it. It does not depend on how the write ended: its answer may have
// been lost.
func (g *Generation) forgetEnded(a *v1alpha1.Article) {
	if run := a.Status.Generation; run != nil && run.State != v1alpha1.RunRunning {
		g.Runs.Forget(runAttemptID(a))
	}
}

// drop ends the run of an article that is gone.
func (g *Generation) drop(key types.NamespacedName) {
	g.Runs.Cancel(key)
	g.Runs.Drop(key)
}

// runAttemptID identifies the run's attempt in status: another article of the same name has runs of the same ids.
func runAttemptID(a *v1alpha1.Article) string {
	return fmt.Sprintf("%s#%s#%d", a.UID, a.Status.Generation.ID, a.Status.Generation.Attempt)
}

// checkRequest returns a *lifecycle.BlockedError if the run can only fail because of what the author or the site asks for: it is
// refused before it is paid for.
func checkRequest(a *v1alpha1.Article, backend Backend, request generate.Request) error {
	if err := revision.CheckFields(a.Spec.Content); err != nil {
		message := "spec.content cannot lie over a generated text: " + err.Error()
		return &lifecycle.BlockedError{Reason: v1alpha1.ReasonInvalidRequest, Message: message}
	}
	if refused, ok := errors.AsType[*generate.Error](generate.Check(backend.Generator, request)); ok {
		return &lifecycle.BlockedError{Reason: refused.Reason, Message: refused.Message}
	}
	return nil
}

// RunResults says what the tracker of runs has to know of results.
func RunResults() inflight.Results[RunResult] {
	return inflight.Results[RunResult]{
		TimedOut: func(r RunResult) bool { return r.Err != nil && failureOf(r.Err).reason == v1alpha1.ReasonTimeout },
		Panicked: func(ctx context.Context, key types.NamespacedName, value any, stack []byte) RunResult {
			base.NotePanic(ctx, base.KindGeneration, key, value, stack)
			return RunResult{Err: &generate.Error{Reason: v1alpha1.ReasonInvalidAnswer, Retryable: true, Message: base.PanicMessage}}
		},
	}
}
