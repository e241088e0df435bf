// Package due says since when an attempt of an article is due. Pure.
package due

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// Run returns when the next attempt of an article's run became due; zero if the article does not say, as after a blocker.
func Run(a *v1alpha1.Article) time.Time {
	switch g := a.Status.Run; {
	case conditions.ReasonOf(a.Status.Conditions, v1alpha1.ConditionGenerated).Blocks:
		return time.Time{}
	case g != nil && g.State == v1alpha1.RunRetryScheduled:
		return ptr.Deref(g.NextAttemptTime, v1alpha1.MicroTime{}).Time
	case g == nil && a.Generation == 1:
		return a.CreationTimestamp.Time
	default:
		return time.Time{}
	}
}

// Publication returns when the next attempt of an article's delivery became due; zero if the article does not say: a person has made it
// due, by a nonce, a decision, another stage or a Secret, and status has no time of that.
func Publication(a *v1alpha1.Article) time.Time {
	cycle := lifecycle.CycleOf(a)
	switch {
	case cycle.State == v1alpha1.CycleRetryScheduled && !lifecycle.UnpublishRequested(a) && !lifecycle.RedeliveryRequested(a):
		return ptr.Deref(cycle.NextAttemptTime, v1alpha1.MicroTime{}).Time
	case lifecycle.LiveIsCurrent(a), lifecycle.Have(a).State == v1alpha1.PostUncertain, lifecycle.UnpublishRequested(a),
		lifecycle.RedeliveryRequested(a), a.Status.Revision == nil, lifecycle.PublicationBlocked(a), madeDue(a),
		cycle.State != "" && lifecycle.AimOf(a) == lifecycle.AimCurrent:
		return time.Time{}
	}
	return first(a)
}

// WaitsSince returns since when an article waits to be delivered: an attempt is due, in progress, blocked, or follows a failed
// one. It is zero if none is, or if the delivery has ended.
func WaitsSince(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) time.Time {
	c := meta.FindStatusCondition(a.Status.Conditions, lifecycle.DeliveryCondition(a))
	if a.Status.Revision == nil || c == nil || c.Status != metav1.ConditionFalse || conditions.Reasons[c.Reason].NotDueYet {
		return time.Time{}
	}
	switch c.Reason {
	case v1alpha1.ReasonProgressing, v1alpha1.ReasonDelivering, v1alpha1.ReasonPublishing, v1alpha1.ReasonRetryScheduled:
	default:
		if lifecycle.TextPhase(a, site, now) != v1alpha1.PhaseApproved || !lifecycle.PublicationBlocked(a) {
			return time.Time{}
		}
	}
	return first(a)
}

// first returns when the first attempt to publish the current revision became due.
func first(a *v1alpha1.Article) time.Time {
	due := a.Status.Revision.CreationTime.Time
	c := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionApproved)
	if c != nil && c.Status == metav1.ConditionTrue && c.LastTransitionTime.After(due) {
		due = c.LastTransitionTime.Time
	}
	if at := a.Spec.PublishAfter; at != nil && at.After(due) {
		due = at.Time
	}
	return due
}

// madeDue reports whether a person has made publishing due since status was written.
func madeDue(a *v1alpha1.Article) bool {
	c := meta.FindStatusCondition(a.Status.Conditions, lifecycle.DeliveryCondition(a))
	switch {
	case c == nil || !conditions.Reasons[c.Reason].NotDueYet:
		return false
	case c.Reason == v1alpha1.ReasonScheduled:
		return a.Status.ObservedGeneration != a.Generation
	default:
		return true
	}
}
