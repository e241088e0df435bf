package controllers

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// errSiteMissing says that a result cannot be recorded yet: the revision needs the site's language and its slugs.
var errSiteMissing = errors.New("the site does not exist")

// record writes down what an attempt came to.
func (r *GenerationReconciler) record(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site, result RunResult) error {
	if errors.Is(result.Err, context.Canceled) {
		return r.recordInterrupted(ctx, a, site)
	}
	if result.Err != nil {
		return r.recordFailure(ctx, a, site, outcomeOf(result.Err))
	}
	if site == nil {
		return errSiteMissing
	}
	doc, err := content.Complete(revision.OverlayFields(result.Result.Document, a.Spec.Content))
	if err != nil {
		return r.recordFailure(ctx, a, site, outcome{
			reason: v1alpha1.ReasonInvalidAnswer, retryable: true, message: err.Error(), usage: result.Result.Usage,
		})
	}
	g := a.Status.Generation
	rev, err := revision.New(a, doc, r.origin(a, result.Result, g))
	if err != nil {
		return err
	}
	rev, err = r.createRevision(ctx, a, rev)
	if err != nil {
		return err
	}
	return r.recordSuccess(ctx, a, site, rev, result.Result)
}

func (r *GenerationReconciler) origin(a *v1alpha1.Article, result generate.Result, g *v1alpha1.GenerationRun) revision.Origin {
	origin := revision.Origin{
		Name: g.ID, Number: g.Number, Source: v1alpha1.SourceGenerated, Encoding: r.Encoding,
		Generator: &v1alpha1.GeneratorRecord{
			Type: g.Type, Model: lifecycle.Bounded(result.Model, 200),
			InputTokens: g.InputTokens + result.Usage.InputTokens, OutputTokens: g.OutputTokens + result.Usage.OutputTokens,
		},
	}
	if a.Spec.Generate != nil {
		origin.Keyword, origin.SecondaryKeywords = a.Spec.Generate.Keyword, a.Spec.Generate.SecondaryKeywords
	}
	return origin
}

// recordSuccess makes the run's revision the current one.
func (r *GenerationReconciler) recordSuccess(
	ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site, rev *v1alpha1.ArticleRevision, result generate.Result,
) error {
	err := r.takeIn(ctx, r.Slugs, a, site, rev, takenInBy(a), func(a *v1alpha1.Article) {
		g, now := a.Status.Generation, r.now()
		g.State, g.FinishedAt, g.Step, g.Steps, g.ProgressAt = v1alpha1.RunSucceeded, &now, 0, 0, nil
		g.Reason, g.Message = "", ""
		if result.Model != "" {
			g.Model = lifecycle.Bounded(result.Model, 200)
		}
		addUsage(g, result.Usage)
	})
	if err != nil {
		return err
	}
	runsTotal.WithLabelValues(v1alpha1.ReasonSucceeded).Inc()
	r.event(a, corev1.EventTypeNormal, "ReadyForReview", "Generate", fmt.Sprintf("revision %d is ready for review", rev.Spec.Number))
	return nil
}

// takenInBy returns the hash of the content that a generated revision has taken in: not that of a body which the author
// wrote while the run was under way.
func takenInBy(a *v1alpha1.Article) string {
	hash := lifecycle.ContentHash(a.Spec.Content)
	if !lifecycle.Written(a) {
		return hash
	}
	if a.Status.Revision != nil && a.Status.Revision.ContentHash == hash {
		return hash
	}
	return ""
}

// outcome is a failed attempt in the words of status.
type outcome struct {
	reason     string
	message    string
	retryable  bool
	retryAfter time.Duration
	usage      generate.Usage
}

// outcomeOf reads the typed error of a generator.
func outcomeOf(err error) outcome {
	if typed, ok := errors.AsType[*generate.Error](err); ok {
		return outcome{
			reason: typed.Reason, message: typed.Message, usage: typed.Usage,
			retryable: typed.Retryable, retryAfter: typed.RetryAfter,
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return outcome{reason: v1alpha1.ReasonTimeout, message: "the generator did not finish in time", retryable: true}
	}
	return outcome{reason: v1alpha1.ReasonBackendUnavailable, message: "the generator failed", retryable: true}
}

// recordFailure schedules the next attempt, or ends the run.
func (r *GenerationReconciler) recordFailure(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site, o outcome) error {
	old := a.DeepCopy()
	g, now := a.Status.Generation, r.now()
	g.FinishedAt, g.Reason, g.Message = &now, o.reason, lifecycle.Bounded(o.message, v1alpha1.MaxRunMessageBytes)
	addUsage(g, o.usage)
	ended := !o.retryable || g.Attempt >= lifecycle.MaxRunAttempts
	if ended {
		g.State, g.Charge = v1alpha1.RunFailed, v1alpha1.RefundDue
	} else {
		due := metav1.NewMicroTime(now.Add(lifecycle.RunBackoff(g.Attempt, o.retryAfter, r.Random())))
		g.State, g.NextAttemptAt = v1alpha1.RunRetryScheduled, &due
	}
	if err := r.save(ctx, old, a, site, lifecycle.Obstacles{}); err != nil {
		return err
	}
	runsTotal.WithLabelValues(o.reason).Inc()
	if ended {
		r.event(a, corev1.EventTypeWarning, v1alpha1.ReasonGenerationFailed, "Generate", o.reason+": "+g.Message)
	}
	return nil
}

// recordInterrupted takes a run up again whose process ended. A revision that it had already made counts.
func (r *GenerationReconciler) recordInterrupted(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site) error {
	g := a.Status.Generation
	if site != nil {
		rev, err := r.revision(ctx, a, g.ID)
		if err != nil {
			return err
		}
		if rev != nil {
			return r.recordSuccess(ctx, a, site, rev, generate.Result{Model: modelOf(rev)})
		}
	}
	if g.Attempt >= lifecycle.MaxRunAttempts {
		return r.recordFailure(ctx, a, site, outcome{
			reason: v1alpha1.ReasonInterrupted, message: "the controller's process ended during every attempt",
		})
	}
	old, now := a.DeepCopy(), r.now()
	g.State, g.FinishedAt, g.NextAttemptAt = v1alpha1.RunRetryScheduled, &now, &now
	g.Reason, g.Message = v1alpha1.ReasonInterrupted, "the controller's process ended during the attempt"
	if err := r.save(ctx, old, a, site, lifecycle.Obstacles{}); err != nil {
		return err
	}
	runsTotal.WithLabelValues(v1alpha1.ReasonInterrupted).Inc()
	return nil
}

func modelOf(rev *v1alpha1.ArticleRevision) string {
	if rev.Spec.Generator == nil {
		return ""
	}
	return rev.Spec.Generator.Model
}

func addUsage(g *v1alpha1.GenerationRun, u generate.Usage) {
	const most = 1_000_000_000 // the bound of the API
	g.InputTokens = min(g.InputTokens+max(u.InputTokens, 0), most)
	g.OutputTokens = min(g.OutputTokens+max(u.OutputTokens, 0), most)
}
