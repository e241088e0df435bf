package article

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/fence"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// record records the result of an attempt. It stays in memory until status holds it.
func (g *Generation) record(ctx context.Context, t *task, result RunResult) (progress, error) {
	if errors.Is(result.Err, context.Canceled) {
		const message = "the controller was stopped during the attempt, which does not count"
		return progress{}, g.recordCutOff(ctx, t, v1alpha1.ReasonStopped, message)
	}
	if errors.Is(result.Err, fence.ErrHeldUp) {
		return progress{}, g.recordCutOff(ctx, t, v1alpha1.ReasonStopped, result.Err.Error()+": the attempt does not count")
	}
	if result.Err != nil {
		return progress{}, g.recordFailure(ctx, t, failureOf(result.Err))
	}
	if t.site == nil {
		// The revision needs the site's language and slugs.
		return progress{}, t.save(ctx)
	}
	a := t.article
	doc, err := content.Complete(result.Result.Document)
	if err != nil {
		return progress{}, g.recordFailure(ctx, t, &generate.Error{
			Reason: v1alpha1.ReasonInvalidAnswer, Retryable: true, Message: err.Error(), Usage: result.Result.Usage,
		})
	}
	rev, err := g.createText(ctx, a, revision.New(a, doc, g.origin(a, result)))
	if err != nil {
		return progress{}, t.recordBlocker(err)
	}
	return g.recordSuccess(ctx, t, rev, result.Result)
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
	return revision.Origin{
		Name: run.Name, Number: run.Number, Source: v1alpha1.SourceGenerated,
		Scores: revision.Scores(result.Report),
		Generator: &v1alpha1.GeneratorRecord{
			Type: run.Type, Model: bounds.Cut(result.Model, v1alpha1.MaxModelBytes),
			InputTokens: tokens.InputTokens, OutputTokens: tokens.OutputTokens, CachedTokens: tokens.CachedTokens,
			Cost: costOf(tokens, attempt.Prices), Turns: boundedTurns(result.Usage.Turns),
			Repairs: boundedTurns(int64(len(result.Repairs))), PromptVersion: result.PromptVersion,
		},
	}
}

// costOf returns the cost of tokens; nil if their prices are not known.
func costOf(tokens generate.Usage, prices generate.Prices) *v1alpha1.Cost {
	if !prices.Known() {
		return nil
	}
	return &v1alpha1.Cost{Amount: generate.Amount(prices.Cost(tokens)), Currency: prices.Currency}
}

// boundedTurns keeps a count of turns within the API's bounds, 0 to 1000.
func boundedTurns(n int64) int32 { return int32(min(max(n, 0), 1000)) }

// recordSuccess makes the run's revision the current one. The revision has none of the author's content: the next step adds that to the
// generated text. If the revision is approved and due already, the first attempt to publish it is written together with it.
func (g *Generation) recordSuccess(ctx context.Context, t *task, rev *v1alpha1.ArticleRevision, result generate.Result) (progress, error) {
	before := t.article.Status.Revision
	if err := t.setCurrent(ctx, rev, ""); err != nil {
		return progress{}, err
	}
	run, now := t.article.Status.Run, g.Now()
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
	g.spent(t, result.Usage)
	t.afterSave = append(t.afterSave, func(context.Context) error {
		runsTotal.WithLabelValues(v1alpha1.ReasonSucceeded).Inc()
		if lifecycle.Phase(t.article, g.Clock.Now()) == v1alpha1.PhaseReview {
			t.event(corev1.EventTypeNormal, "ReadyForReview", "Generate", fmt.Sprintf("revision %d is ready for review", rev.Spec.Number))
		}
		return nil
	})
	return progress{again: true}, nil
}

// recordFailure schedules the next attempt, or ends the run.
func (g *Generation) recordFailure(ctx context.Context, t *task, f *generate.Error) error {
	run, now := t.article.Status.Run, g.Now()
	run.FinishTime, run.Reason, run.Message = &now, f.Reason, bounds.Cut(f.Message, v1alpha1.MaxRunMessageBytes)
	addUsage(run, f.Usage)
	g.spent(t, f.Usage)
	ended := !f.Retryable || run.Attempt >= attempts.MaxPerRun
	if ended {
		run.State = v1alpha1.RunFailed
		if !f.Settings {
			run.Charge = v1alpha1.RefundDue
		}
	} else {
		due := v1alpha1.NewMicroTime(now.Add(attempts.RunBackoff(run.Attempt, f.RetryAfter, g.Random())))
		run.State, run.NextAttemptTime = v1alpha1.RunRetryScheduled, &due
	}
	if err := t.save(ctx); err != nil {
		return err
	}
	runsTotal.WithLabelValues(f.Reason).Inc()
	if ended {
		t.event(corev1.EventTypeWarning, v1alpha1.ReasonGenerationFailed, "Generate", f.Reason+": "+run.Message)
	}
	return nil
}

// recordInterrupted schedules the next attempt of a run whose process ended. If that attempt has already made its revision, the run has
// succeeded.
func (g *Generation) recordInterrupted(ctx context.Context, t *task) (progress, error) {
	run := t.article.Status.Run
	if t.site != nil {
		rev, err := readRevision(ctx, g.Base, t.article, run.Name)
		if err != nil {
			return progress{}, err
		}
		if rev != nil && madeByRun(rev) {
			return g.recordSuccess(ctx, t, rev, generate.Result{Model: rev.Spec.Generator.Model})
		}
	}
	if run.Attempt >= attempts.MaxPerRun {
		return progress{}, g.recordFailure(ctx, t, &generate.Error{
			Reason: v1alpha1.ReasonInterrupted, Message: "the controller's process ended during every attempt",
		})
	}
	return progress{}, g.recordCutOff(ctx, t, v1alpha1.ReasonInterrupted, "the controller's process ended during the attempt")
}

// recordCutOff schedules the run's next attempt at once.
func (g *Generation) recordCutOff(ctx context.Context, t *task, reason, message string) error {
	run, now := t.article.Status.Run, g.Now()
	run.State, run.FinishTime, run.NextAttemptTime, run.Reason, run.Message = v1alpha1.RunRetryScheduled, &now, &now, reason, message
	if err := t.save(ctx); err != nil {
		return err
	}
	runsTotal.WithLabelValues(reason).Inc()
	return nil
}

func addUsage(run *v1alpha1.GenerationRun, u generate.Usage) {
	const most = 1_000_000_000 // the bound of the API
	run.InputTokens = min(run.InputTokens+max(u.InputTokens, 0), most)
	run.OutputTokens = min(run.OutputTokens+max(u.OutputTokens, 0), most)
}
