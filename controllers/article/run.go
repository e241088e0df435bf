package article

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/fence"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/backoff"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/maker"
	"github.com/pressroom-dev/pressroom/internal/money"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// End records the result of an attempt.
func (s *runSubject) End(ctx context.Context, result RunResult) (outcome string, err error) {
	switch err := result.Err; {
	case errors.Is(err, errInterrupted):
		return s.recordInterrupted(ctx)
	case errors.Is(err, context.Canceled):
		addUsage(s.article.Status.Run, result.Result.Usage)
		return s.recordCutOff(v1alpha1.ReasonStopped, "the controller was stopped during the attempt, which does not count"), nil
	case errors.Is(err, fence.ErrHeldUp):
		return s.recordCutOff(v1alpha1.ReasonStopped, err.Error()+": the attempt does not count"), nil
	case err != nil:
		return s.recordFailure(failureOf(err)), nil
	case s.site == nil:
		// The revision needs the site's language and slugs.
		return "", nil
	}
	wanted := revision.New(s.article, result.Result.Document, s.generation.origin(s.article, result))
	rev, err := s.generation.createText(ctx, s.article, wanted)
	if err != nil {
		return "", err
	}
	return s.recordSuccess(ctx, rev, result.Result)
}

// createText creates a run's revision, or returns the one that an earlier attempt of the run has made. It deletes an author's text that
// has the name: such a revision was made before the run began, and never got into status.
func (g *Generation) createText(
	ctx context.Context, a *v1alpha1.Article, wanted *v1alpha1.ArticleRevision,
) (*v1alpha1.ArticleRevision, error) {
	got, err := createRevision(ctx, g.Base, a, wanted.DeepCopy())
	if err != nil || madeByRun(got) {
		return got, err
	}
	if err := prune(ctx, g.Base, a, []int32{got.Spec.Number}); err != nil {
		return nil, err
	}
	return createRevision(ctx, g.Base, a, wanted)
}

// madeByRun reports whether a generator wrote the text of a revision, and not the author.
func madeByRun(rev *v1alpha1.ArticleRevision) bool { return rev.Spec.Generator != nil }

// origin returns the origin of a run's revision. Its scores are for the request that the model got, because the article may have
// another one now.
func (g *Generation) origin(a *v1alpha1.Article, attempt RunResult) revision.Origin {
	run, result := a.Status.Run, attempt.Result
	tokens := result.Usage
	tokens.InputTokens, tokens.OutputTokens = run.InputTokens+tokens.InputTokens, run.OutputTokens+tokens.OutputTokens
	origin := revision.Origin{
		Name: run.Name, Number: run.Number, Source: v1alpha1.SourceGenerated, MadeBy: maker.Requester(a),
		Generator: &v1alpha1.GeneratorRecord{
			Type: run.Type, Model: bounds.Cut(result.Model, v1alpha1.MaxModelBytes),
			InputTokens: tokens.InputTokens, OutputTokens: tokens.OutputTokens, CachedTokens: tokens.CachedTokens,
			Cost: costOf(tokens, attempt.Prices), Turns: boundedTurns(result.Usage.Turns),
			Repairs: boundedTurns(int64(len(result.Repairs))), PromptVersion: result.PromptVersion,
		},
	}
	return origin.CheckedBy(result.Report, attempt.Brief)
}

// costOf returns the cost of tokens; nil if their prices are not known.
func costOf(tokens generate.Usage, prices generate.Prices) *v1alpha1.Cost {
	if !prices.Known() {
		return nil
	}
	return &v1alpha1.Cost{Amount: money.Format(prices.Cost(tokens)), Currency: prices.Currency}
}

// boundedTurns keeps a count of turns within the API's bounds, 0 to 1000.
func boundedTurns(n int64) int32 { return int32(min(max(n, 0), 1000)) }

// recordSuccess makes the run's revision the current one. The revision has none of the author's content: the next step adds that to the
// generated text. If the revision is approved and due already, the first attempt to publish it is written together with it.
func (s *runSubject) recordSuccess(ctx context.Context, rev *v1alpha1.ArticleRevision, result generate.Result) (string, error) {
	before := s.article.Status.Revision
	if err := s.setCurrent(ctx, rev, ""); err != nil {
		return "", err
	}
	run, now := s.article.Status.Run, s.base.Now()
	if before != nil && before.Digest == rev.Spec.Digest {
		// Nobody pays for the text that there was.
		run.Charge = v1alpha1.RefundDue
	}
	run.State, run.FinishTime, run.Step, run.Steps, run.ProgressTime = v1alpha1.RunSucceeded, &now, 0, 0, nil
	run.Reason, run.Message = "", ""
	if result.Model != "" {
		run.Model = bounds.Cut(result.Model, v1alpha1.MaxModelBytes)
	}
	addUsage(run, result.Usage)
	s.afterSave = append(s.afterSave, func(context.Context) error {
		if lifecycle.Phase(s.article, s.site, s.base.Clock.Now()) == v1alpha1.PhaseReview {
			s.event(corev1.EventTypeNormal, base.ReasonReadyForReview, "Generate",
				fmt.Sprintf("revision %d is ready for review", rev.Spec.Number))
		}
		return nil
	})
	s.joins = true
	return v1alpha1.ReasonSucceeded, nil
}

// recordFailure schedules the next attempt, or ends the run. It returns the reason.
func (s *runSubject) recordFailure(f *generate.Error) string {
	run, now := s.article.Status.Run, s.base.Now()
	run.FinishTime, run.Reason, run.Message = &now, f.Reason, bounds.Cut(f.Message, v1alpha1.MaxRunMessageBytes)
	addUsage(run, f.Usage)
	ended := !f.Retryable || run.Attempt >= backoff.MaxRunAttempts && f.Reason != v1alpha1.ReasonBudgetReached
	if ended {
		run.State = v1alpha1.RunFailed
		if !f.Settings {
			run.Charge = v1alpha1.RefundDue
		}
	} else {
		due := v1alpha1.NewMicroTime(now.Add(backoff.Run(run.Attempt, f.RetryAfter, s.base.Random())))
		run.State, run.NextAttemptTime = v1alpha1.RunRetryScheduled, &due
	}
	if ended {
		s.afterSave = append(s.afterSave, func(context.Context) error {
			s.event(corev1.EventTypeWarning, v1alpha1.ReasonGenerationFailed, "Generate", f.Reason+": "+run.Message)
			return nil
		})
	}
	return f.Reason
}

// recordInterrupted schedules the next attempt of a run whose process ended. If that attempt has already made its revision, the run has
// succeeded.
func (s *runSubject) recordInterrupted(ctx context.Context) (string, error) {
	run := s.article.Status.Run
	if s.site != nil {
		rev, err := readRevision(ctx, s.base, s.article, run.Name)
		if err != nil {
			return "", err
		}
		if rev != nil && madeByRun(rev) {
			return s.recordSuccess(ctx, rev, generate.Result{Model: rev.Spec.Generator.Model})
		}
	}
	if run.Attempt >= backoff.MaxRunAttempts {
		return s.recordFailure(&generate.Error{
			Reason: v1alpha1.ReasonInterrupted, Message: "the controller's process ended during every attempt",
		}), nil
	}
	return s.recordCutOff(v1alpha1.ReasonInterrupted, errInterrupted.Error()), nil
}

// recordCutOff schedules the run's next attempt at once. It returns the reason.
func (s *runSubject) recordCutOff(reason, message string) string {
	run, now := s.article.Status.Run, s.base.Now()
	run.State, run.FinishTime, run.NextAttemptTime, run.Reason, run.Message = v1alpha1.RunRetryScheduled, &now, &now, reason, message
	return reason
}

func addUsage(run *v1alpha1.GenerationRun, u generate.Usage) {
	const most = 1_000_000_000 // the bound of the API
	run.InputTokens = min(run.InputTokens+max(u.InputTokens, 0), most)
	run.OutputTokens = min(run.OutputTokens+max(u.OutputTokens, 0), most)
}
