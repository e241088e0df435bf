package lifecycle

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/backoff"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
)

// Explanation is the reason for the phase of an article, as data: what the message of its condition Ready says to those who use kubectl.
type Explanation struct {
	// Reason of the condition Ready; empty while the conditions are not about the newest manifest.
	Reason string
	// Cause is the reason behind it: of the condition that waits, or of the attempt that failed. Empty if Reason says it all.
	Cause string
	// Detail is what an external endpoint answered, what a person wrote, or who has approved the text; empty if there is nothing.
	Detail string
	// Time that is waited for; zero if none is.
	Time time.Time
	// Attempt that is in progress or was made last, of at most MaxAttempts; 0 if the reason is about none.
	Attempt, MaxAttempts int32
	// By is who decided.
	By string
}

// Explain returns why an article is in its phase.
func Explain(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) Explanation {
	ready := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionReady)
	if ready == nil || ready.ObservedGeneration != a.Generation {
		return Explanation{}
	}
	if blocked := contentBlocked(a, site); blocked != nil {
		return Explanation{Reason: blocked.Reason, Detail: causeOf(blocked)}
	}
	e := Explanation{Reason: ready.Reason}
	text, phase := textOf(a, site, now), Phase(a, site, now)
	if phase == v1alpha1.PhasePublished && Pending(a, site) {
		phase = TextPhase(a, site, now)
	}
	switch phase {
	case v1alpha1.PhaseArchived, v1alpha1.PhaseDraft:
	case v1alpha1.PhaseGenerating:
		e.explainRun(a, text, now)
	case v1alpha1.PhaseRejected:
		e.By, e.Detail = a.Spec.Review.By, a.Spec.Review.Note
	case v1alpha1.PhaseReview:
		e.explainReview(a, site)
	case v1alpha1.PhaseScheduled:
		e.Time = NotBefore(a)
	default:
		if text == textGenerationFailed {
			e.explainRun(a, text, now)
			break
		}
		if last := LastApproval(a, site); last != nil && phase == v1alpha1.PhaseApproved {
			e.By = last.By
		}
		e.explainDelivery(a, site)
	}
	return e
}

// contentBlocked returns the condition that says why there is no revision of what the author wrote, in whatever phase the article is
// meanwhile; nil if there is one, or nothing is to be made.
func contentBlocked(a *v1alpha1.Article, site *v1alpha1.Site) *metav1.Condition {
	c := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionApproved)
	if a.Spec.Stage == v1alpha1.StageArchived || MakingOf(a, site) != RevisionDue || c == nil || c.Reason == v1alpha1.ReasonNoRevision {
		return nil
	}
	return c
}

// causeOf returns what the message of a blocker adds to its reason; empty if it adds nothing, or is for operators.
func causeOf(blocked *metav1.Condition) string {
	switch blocked.Reason {
	case v1alpha1.ReasonInvalidContent, v1alpha1.ReasonInvalidImage, v1alpha1.ReasonImageUnavailable, v1alpha1.ReasonBriefNotFound:
		return blocked.Message
	}
	return ""
}

// because takes the cause from a condition.
func (e *Explanation) because(a *v1alpha1.Article, kind string) {
	if c := meta.FindStatusCondition(a.Status.Conditions, kind); c != nil && c.Reason != e.Reason {
		e.Cause = c.Reason
	}
}

func (e *Explanation) explainReview(a *v1alpha1.Article, site *v1alpha1.Site) {
	if e.Reason == v1alpha1.ReasonContentChanged { // What waits, and why, are two things here.
		e.Reason = v1alpha1.ReasonAwaitingReview
	}
	e.because(a, v1alpha1.ConditionApproved)
	if e.Reason == v1alpha1.ReasonAwaitingApprovals {
		e.Detail = ApprovalsOf(a, site).String()
	}
}

func (e *Explanation) explainRun(a *v1alpha1.Article, text progress, now time.Time) {
	e.because(a, v1alpha1.ConditionGenerated)
	switch e.Reason {
	case v1alpha1.ReasonDailyLimitReached, v1alpha1.ReasonDailyTokensExceeded:
		e.Time = now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
	case v1alpha1.ReasonBudgetReached:
		e.Time = time.Date(now.UTC().Year(), now.UTC().Month()+1, 1, 0, 0, 0, 0, time.UTC)
	case v1alpha1.ReasonGenerating, v1alpha1.ReasonRetryScheduled, v1alpha1.ReasonGenerationFailed:
		g := a.Status.Run
		if g != nil && (g.State == v1alpha1.RunRunning || g.State == v1alpha1.RunRetryScheduled || text == textGenerationFailed) {
			e.Attempt, e.MaxAttempts = g.Attempt, backoff.MaxRunAttempts
			e.Cause, e.Detail, e.Time = g.Reason, g.Message, timeOf(g.NextAttemptTime)
		}
	}
}

func (e *Explanation) explainDelivery(a *v1alpha1.Article, site *v1alpha1.Site) {
	if c := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionPublished); c != nil && c.Status == metav1.ConditionFalse {
		e.because(a, v1alpha1.ConditionPublished)
	}
	if Published(a) && Frozen(a, site) && pendingUpdate(a) != "" {
		e.Cause = v1alpha1.ReasonUpdatesFrozen
	}
	doubt := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionUpToDate)
	if doubt != nil && doubt.Reason == v1alpha1.ReasonSiteUncertain {
		e.Cause = doubt.Reason
	}
	cycle := CycleOf(a)
	if cycle.State != "" && cycle.State != v1alpha1.CycleCancelled && !(Unpublished(a) && cycle.Purpose == v1alpha1.PurposeRemove) {
		e.explainCycle(a.Status.Publication)
	}
}

// explainCycle takes the attempts and the failure from the last delivery cycle.
func (e *Explanation) explainCycle(p *v1alpha1.Publication) {
	e.Attempt, e.MaxAttempts, e.Time = cycles.OfCycle(&p.DeliveryRecord), v1alpha1.MaxAttempts, timeOf(p.Cycle.NextAttemptTime)
	if last := cycles.Last(&p.DeliveryRecord); last != nil && last.Outcome != v1alpha1.AttemptAccepted {
		e.Detail = last.Message
	}
	if p.Cycle.State == v1alpha1.CycleFailed {
		e.Cause = p.Cycle.Reason
	}
}

func timeOf(t *v1alpha1.MicroTime) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.Time
}
