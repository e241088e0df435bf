package lifecycle

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// RunDueAt returns when the next attempt of an article's run became due; zero if the article does not say.
func RunDueAt(a *v1alpha1.Article) time.Time {
	switch g := a.Status.Generation; {
	case g != nil && g.State == v1alpha1.RunRetryScheduled:
		return timeOf(g.NextAttemptAt)
	case g == nil && a.Generation == 1:
		return a.CreationTimestamp.Time
	default:
		return time.Time{}
	}
}

// PublicationDueAt returns when the next attempt to publish an article became due; zero if the article does not say, as for a
// redelivery that a nonce asks for.
func PublicationDueAt(a *v1alpha1.Article) time.Time {
	switch p := a.Status.Publication; {
	case RedeliveryAsked(a), a.Status.Revision == nil:
		return time.Time{}
	case p != nil && p.Cycle != nil && p.Revision == a.Status.Revision.Name:
		return timeOf(p.Cycle.NextAttemptAt)
	}
	due := a.Status.Revision.CreatedAt.Time
	if c := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionApproved); c != nil && c.Status == metav1.ConditionTrue {
		due = later(due, c.LastTransitionTime.Time)
	}
	if a.Spec.PublishAfter != nil {
		due = later(due, a.Spec.PublishAfter.Time)
	}
	return due
}

// EventDueAt returns when the next attempt to deliver an event became due; zero if the delivery does not say.
func EventDueAt(d *v1alpha1.EventDelivery) time.Time {
	switch {
	case eventRedeliveryAsked(d):
		return time.Time{}
	case d.Status.Cycle == nil:
		return d.Spec.At.Time
	default:
		return timeOf(d.Status.Cycle.NextAttemptAt)
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
