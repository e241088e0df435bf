package article

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/delivery"
	"github.com/pressroom-dev/pressroom/internal/fence"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/due"
	"github.com/pressroom-dev/pressroom/internal/revision"
	"github.com/pressroom-dev/pressroom/internal/sitegenerator"
)

// progressInterval is how often the progress of a run is written at the most.
const progressInterval = time.Minute

// attempt makes the first attempt of a new run, which costs a credit, or the next one of a run. First it finds out whether a new run can
// be paid, and reads everything that the attempt needs, then it writes the attempt to status, and only then it calls the model.
func (g *Generation) attempt(ctx context.Context, t *task) (progress, error) {
	var paid credit
	fresh := t.decision.Step == lifecycle.StartRun
	if fresh {
		var err error
		if paid, err = g.precheck(ctx, t); err != nil {
			return progress{}, t.recordBlocker(err)
		}
	}
	backend, err := g.Backends.For(ctx, t.site)
	if err != nil {
		return progress{}, t.recordBlocker(err)
	}
	slotRequest, err := g.SlotRequest(ctx, t.article.Namespace, backend.Host)
	if err != nil {
		return progress{}, err
	}
	slotRequest.UID, slotRequest.Uncapped = t.article.UID, backend.Default
	request := generateRequest(t.article, t.site)
	if err := checkRequest(t.article, backend, request); err != nil {
		return progress{}, t.recordBlocker(err)
	}
	slot := g.Runs.Acquire(client.ObjectKeyFromObject(t.article), slotRequest)
	if slot == nil {
		return progress{}, t.queueRun()
	}
	defer slot.Release()
	if err := base.RequireSpec(ctx, g.Base, "sites", t.site); err != nil {
		return progress{}, err
	}
	if err := g.material(ctx, t, backend, &request); err != nil {
		return progress{}, err
	}
	dueAt, run := due.Run(t.article), g.nextAttempt(t.article, backend, fresh)
	if fresh {
		if err := g.reserve(ctx, t, paid); err != nil {
			return retryIfBusy(t.recordBlocker(err))
		}
		t.article.Status.Prepaid = nil
		attempts.Handle(t.article, &t.article.Status.HandledRequests, v1alpha1.RegenerateAnnotation)
	}
	t.article.Status.Run = run
	t.article.Status.LastRevisionNumber = max(t.article.Status.LastRevisionNumber, run.Number)
	ahead := g.Clock.Now()
	if err := delivery.WriteAhead(ctx, t.save); err != nil {
		return progress{}, err
	}
	if !dueAt.IsZero() {
		base.AttemptLateness.WithLabelValues(base.KindGeneration).Observe(max(g.Clock.Since(dueAt), 0).Seconds())
	}
	if fresh {
		warnOfSameKeyword(t, request.Site)
	}
	g.launch(ctx, slot, t, backend, request, ahead)
	return progress{after: progressInterval}, nil
}

// recordBlocker records a blocker of the run for the conditions, and returns err unchanged.
func (t *task) recordBlocker(err error) error {
	errors.As(err, &t.blockers.Generation)
	return err
}

// queueRun records that the run waits for a slot; the tracker notifies the article when one is free. It does so only if status is
// wrong: if it names a blocker that no longer exists, or is older than the article's request for the run.
func (t *task) queueRun() error {
	if !lifecycle.GenerationBlocked(t.article) && t.article.Status.ObservedGeneration == t.article.Generation {
		return nil
	}
	return t.recordBlocker(lifecycle.NoSlotAtGenerator())
}

// nextAttempt returns the run with its next attempt: a new run, or the one that waits for its retry.
func (g *Generation) nextAttempt(a *v1alpha1.Article, backend sitegenerator.Backend, fresh bool) *v1alpha1.GenerationRun {
	run := &v1alpha1.GenerationRun{Charge: v1alpha1.Charged}
	if fresh {
		run.Number = a.Status.LastRevisionNumber + 1
		run.Name = nextRun(a)
	} else {
		run = a.Status.Run.DeepCopy()
		if run.Reason == v1alpha1.ReasonStopped {
			run.Attempt-- // It was cut off by this controller, and does not count.
		}
		run.Reason, run.Message, run.NextAttemptTime, run.FinishTime = "", "", nil, nil
		run.Step, run.Steps, run.ProgressTime = 0, 0, nil
	}
	run.Attempt++
	run.State, run.Holder, run.StartTime = v1alpha1.RunRunning, g.Holder, g.Now()
	run.RequestHash = lifecycle.RequestHash(a.Spec.Generate)
	run.Type, run.Model = backend.Type, backend.Model
	return run
}

// launch calls the model outside of the reconcile. ahead is when the write of the attempt to status began.
func (g *Generation) launch(
	ctx context.Context, slot *inflight.Slot[RunResult], t *task, backend sitegenerator.Backend, request generate.Request, ahead time.Time,
) {
	id := runAttemptID(t.article)
	ctx, end := runSpan(ctx, t.article)
	slot.Go(ctx, id, func(ctx context.Context) RunResult {
		began := g.Clock.Now()
		ctx, fenced := fence.Begun(ctx, ahead)
		ctx, cancel := context.WithTimeout(ctx, generate.Deadline(request))
		defer cancel()
		result, err := backend.Generator.Generate(ctx, request, func(step, steps int) {
			g.Runs.Report(id, RunResult{Step: step, Steps: steps})
		})
		runSeconds.Observe(g.Clock.Since(began).Seconds())
		return end(RunResult{Result: result, Err: unlessHeldUp(err, fenced), Prices: backend.Prices})
	})
}

// unlessHeldUp returns the error of an attempt, or another one if the process was held up. The attempt does not count if the model was
// not called.
func unlessHeldUp(err error, fenced *fence.Attempt) error {
	if err == nil || !fenced.Refused() {
		return err
	}
	if !fenced.Sent() {
		return fence.ErrHeldUp
	}
	held := *failureOf(err)
	held.Reason, held.Retryable, held.RetryAfter, held.Message = v1alpha1.ReasonInterrupted, true, 0, fence.ErrHeldUp.Error()
	return &held
}

// follow records the attempt in progress if it has ended, or else its progress.
func (g *Generation) follow(ctx context.Context, t *task) (progress, error) {
	result, state := g.Runs.Look(runAttemptID(t.article))
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
	run, step, steps := t.article.Status.Run, boundedStep(soFar.Step), boundedStep(soFar.Steps)
	last := run.StartTime.Time
	if run.ProgressTime != nil {
		last = run.ProgressTime.Time
	}
	if step == run.Step && steps == run.Steps || g.Clock.Since(last) < progressInterval-time.Millisecond {
		return nil
	}
	now := g.Now()
	run.Step, run.Steps, run.ProgressTime = step, steps, &now
	return t.save(ctx)
}

// boundedStep keeps a count of steps within the API's bounds, 0 to 100.
func boundedStep(n int) int32 { return int32(min(max(n, 0), 100)) }

// supersede ends a run that waits for its retry, because the author has written the text. Its credit is refunded.
func (g *Generation) supersede(_ context.Context, t *task) (progress, error) {
	run, now := t.article.Status.Run, g.Now()
	run.State, run.NextAttemptTime, run.FinishTime = v1alpha1.RunSuperseded, nil, &now
	run.Charge = v1alpha1.RefundDue
	t.changed = true
	return progress{}, nil
}

// forgetEnded drops the result of the run if status holds it. It reads status, because a write that returned an error may still have
// been made.
func (g *Generation) forgetEnded(a *v1alpha1.Article) {
	if run := a.Status.Run; run != nil && run.State != v1alpha1.RunRunning {
		g.Runs.Forget(runAttemptID(a))
	}
}

// runAttemptID returns the id of the attempt of the run in status. It has a part that differs for another Article of the same name,
// whose runs have the same ids, and one for the process: an attempt that was cut off when a process stopped is made again under its number.
func runAttemptID(a *v1alpha1.Article) string {
	return fmt.Sprintf("%s#%s#%d#%s", a.UID, a.Status.Run.Name, a.Status.Run.Attempt, a.Status.Run.Holder)
}

// checkRequest returns a *lifecycle.BlockedError if the run can only fail, because of a setting of the article or the site. Such a run
// is refused before it is paid for.
func checkRequest(a *v1alpha1.Article, backend sitegenerator.Backend, request generate.Request) error {
	if err := revision.CheckFields(a.Spec.Content); err != nil {
		message := "spec.content cannot lie over a generated text: " + err.Error()
		return &lifecycle.BlockedError{Reason: v1alpha1.ReasonInvalidRequest, Message: message}
	}
	if refused, ok := errors.AsType[*generate.Error](generate.Check(backend.Generator, request)); ok {
		return &lifecycle.BlockedError{Reason: refused.Reason, Message: refused.Message}
	}
	return nil
}

// material adds the site's other articles, the generated text that the site has, and the number of tokens that the run has left, to the
// request of an attempt. The built-in outline needs none of them.
func (g *Generation) material(ctx context.Context, t *task, backend sitegenerator.Backend, request *generate.Request) error {
	if backend.Type == v1alpha1.GeneratorBuiltIn {
		return nil
	}
	if limit := t.site.Spec.Limits.TokensPerArticle; limit != nil {
		request.MaxTokens = tokensLeft(t.article, *limit)
	}
	if err := refresh(ctx, t, request); err != nil {
		return err
	}
	return addSiblings(ctx, g.Base, g.Subjects, request, t.article)
}

// tokensLeft returns how many tokens an attempt may take. The tokens of the run's earlier attempts count. An attempt that has none left
// ends before its first turn.
func tokensLeft(a *v1alpha1.Article, limit int64) int64 {
	run := a.Status.Run
	if run == nil || run.State != v1alpha1.RunRetryScheduled {
		return limit
	}
	return max(limit-run.InputTokens-run.OutputTokens, 1)
}
