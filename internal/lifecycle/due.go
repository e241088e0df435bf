package lifecycle

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// RunDueAt returns when the next attempt of an article's run became due; zero if the article does not say, as after a blocker.
func RunDueAt(a *v1alpha1.Article) time.Time {
	switch g := a.Status.Run; {
	case conditions.ReasonOf(a.Status.Conditions, v1alpha1.ConditionGenerated).Blocks:
		return time.Time{}
	case g != nil && g.State == v1alpha1.RunRetryScheduled:
		return timeOf(g.NextAttemptTime)
	case g == nil && a.Generation == 1:
		return a.CreationTimestamp.Time
	default:
		return time.Time{}
	}
}

// PublicationDueAt returns when the next attempt to publish an article became due; zero if the article does not say: a person has
// made it due, by a nonce, a decision, another stage or a Secret, and status has no time of that.
func PublicationDueAt(a *v1alpha1.Article) time.Time {
	switch p := a.Status.Publication; {
	case Published(a) && (unpublishAsked(a) || isArchived(a) || unpublishing(a, v1alpha1.CycleRetryScheduled)):
		if unpublishing(a, v1alpha1.CycleRetryScheduled) && !unpublishAsked(a) {
			return timeOf(p.Cycle.NextAttemptTime)
		}
		return time.Time{}
	case RedeliveryAsked(a), a.Status.Revision == nil, PublicationBlocked(a), madeDue(a):
		return time.Time{}
	case p != nil && p.Cycle != nil && Sending(p).Name == a.Status.Revision.Name:
		return timeOf(p.Cycle.NextAttemptTime)
	}
	return firstDue(a)
}

// DeliveryWaitsSince returns since when an article waits to be delivered: an attempt is due, in progress, blocked, or follows a failed
// one. It is zero if none is, or if the delivery has ended.
func DeliveryWaitsSince(a *v1alpha1.Article, now time.Time) time.Time {
	c := meta.FindStatusCondition(a.Status.Conditions, deliveryCondition(a))
	if a.Status.Revision == nil || c == nil || c.Status != metav1.ConditionFalse || conditions.Reasons[c.Reason].NotDueYet {
		return time.Time{}
	}
	switch c.Reason {
	case v1alpha1.ReasonProgressing, v1alpha1.ReasonDelivering, v1alpha1.ReasonPublishing, v1alpha1.ReasonRetryScheduled:
	default:
		if TextPhase(a, now) != v1alpha1.PhaseApproved || !PublicationBlocked(a) {
			return time.Time{}
		}
	}
	return firstDue(a)
}

// firstDue returns when the first attempt to publish the current revision became due.
func firstDue(a *v1alpha1.Article) time.Time {
	due := a.Status.Revision.CreationTime.Time
	if c := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionApproved); c != nil && c.Status == metav1.ConditionTrue {
		due = later(due, c.LastTransitionTime.Time)
	}
	if a.Spec.PublishAfter != nil {
		due = later(due, a.Spec.PublishAfter.Time)
	}
	return due
}

// madeDue reports whether a person has made publishing due since status was written.
func madeDue(a *v1alpha1.Article) bool {
	c := meta.FindStatusCondition(a.Status.Conditions, deliveryCondition(a))
	switch {
	case c == nil || !conditions.Reasons[c.Reason].NotDueYet:
		return false
	case c.Reason == v1alpha1.ReasonScheduled:
		return a.Status.ObservedGeneration != a.Generation
	default:
		return true
	}
}

func timeOf(t *metav1.MicroTime) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.Time
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
