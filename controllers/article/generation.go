package article

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/revision"
	"github.com/pressroom-dev/pressroom/internal/sitegenerator"
)

// progressInterval is how often the progress of a run is written at the most.
const progressInterval = time.Minute

// attempt makes the first attempt of a new run, which costs a credit, or the next one of a run.
func (g *Generation) attempt(ctx context.Context, t *task) (progress, error) {
	s := g.subject(t)
	begun, err := g.Engine.Start(ctx, s)
	if begun {
		return progress{after: progressInterval}, err
	}
	s.release()
	return retryIfBusy(t.recordBlocker(err))
}

// recordBlocker records a blocker of the run for the conditions, and returns err unchanged.
func (t *task) recordBlocker(err error) error {
	errors.As(err, &t.blockers.Generation)
	return err
}

// follow records the attempt in progress if it has ended, or else its progress.
func (g *Generation) follow(ctx context.Context, t *task) (progress, error) {
	s := g.subject(t)
	ended, soFar, err := g.Engine.Follow(ctx, s)
	if !ended {
		return progress{after: progressInterval}, g.writeProgress(ctx, t, soFar)
	}
	return progress{again: s.joins}, t.recordBlocker(err)
}

// subject returns what the step that was decided is about.
func (g *Generation) subject(t *task) *runSubject {
	return &runSubject{task: t, generation: g, fresh: t.decision.Step == lifecycle.StartRun}
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
		g.Engine.Calls.Forget(runAttemptID(a))
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

// material adds the Brief, the site's other articles, the generated text that the site has, and the number of tokens that the run has left,
// to the request of an attempt. The built-in outline needs the Brief alone. It returns a *lifecycle.BlockedError if the Brief does not
// exist, or if the run can only fail with it.
func (g *Generation) material(ctx context.Context, s *runSubject) error {
	used, err := g.Briefs.of(ctx, s.task)
	if err != nil {
		return err
	}
	if s.backend.Type != v1alpha1.GeneratorBuiltIn {
		if limit := s.site.Spec.Limits.TokensPerArticle; limit != nil {
			s.request.MaxTokens = tokensLeft(s.article, *limit)
		}
		if err := refresh(ctx, s.task, &s.request); err != nil {
			return err
		}
		if err := addSiblings(ctx, g.Base, g.Related, &s.request, s.article); err != nil {
			return err
		}
	}
	s.brief = named(used)
	if used == nil {
		return nil
	}
	addBrief(&s.request, used, s.article.Spec.Content)
	return polled(checkRequest(s.article, s.backend, s.request))
}

// polled has a run that is blocked be looked at again: no watch reports a changed Brief.
func polled(err error) error {
	if blocked, ok := errors.AsType[*lifecycle.BlockedError](err); ok {
		blocked.RetryAfter = lifecycle.BlockedPoll
	}
	return err
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
