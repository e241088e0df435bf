package lifecycle

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Work is a kind of work out of the process.
type Work string

// The kinds of work.
const (
	// WorkGeneration is a run of the generator.
	WorkGeneration Work = "generation"
	// WorkPublication is sending an article to its site.
	WorkPublication Work = "publication"
	// WorkEvent is sending an event to a subscription.
	WorkEvent Work = "event"
	// WorkConnection is testing a site's connection.
	WorkConnection Work = "connection"
)

// Due tells which work an article waits for that should have begun by now, or "", and since when, as far as status has it: a
// zero time says that it does not. What waits for somebody outside, such as for credits or for a Secret, is not due.
func Due(a *v1alpha1.Article, site *v1alpha1.Site, mode Mode, now time.Time) (Work, time.Time) {
	switch Next(a, site, mode, now).Step {
	case StartRun:
		return dueUnless(waitsOutside(a.Status.Conditions, v1alpha1.ConditionGenerated), WorkGeneration), createdForIt(a)
	case RetryRun:
		return dueUnless(waitsOutside(a.Status.Conditions, v1alpha1.ConditionGenerated), WorkGeneration),
			timeOf(a.Status.Generation.NextAttemptAt)
	case StartCycle:
		return dueUnless(PublicationWaits(a), WorkPublication), time.Time{}
	case RetryDelivery:
		return dueUnless(PublicationWaits(a), WorkPublication), timeOf(a.Status.Publication.Cycle.NextAttemptAt)
	default:
		return "", time.Time{}
	}
}

// MayBeDue reports whether an article could be due at some time, whatever its site: an index that leaves the rest out need
// not be asked for every article.
func MayBeDue(a *v1alpha1.Article) bool {
	p := a.Status.Publication
	switch {
	case RunWanted(a):
		return true
	case a.Status.Revision == nil:
		return false
	case p != nil && (RedeliveryAsked(a) || p.Cycle != nil && p.Cycle.State == v1alpha1.CycleRetryScheduled):
		return true
	default:
		return a.Spec.Stage == v1alpha1.StagePublished && !published(a) && !(deliveryFailed(a) && p.Cycle != nil)
	}
}

// EventDue tells since when a delivery should have begun its next attempt, as Due does, and whether there is one.
func EventDue(d *v1alpha1.EventDelivery, s *v1alpha1.EventSubscription, now time.Time) (due bool, since time.Time) {
	switch NextForEvent(d, s, now).Step {
	case StartCycle:
		if d.Status.Cycle == nil {
			since = d.CreationTimestamp.Time
		}
	case RetryDelivery:
		since = timeOf(d.Status.Cycle.NextAttemptAt)
	default:
		return false, since
	}
	return !EventWaits(d), since
}

// TestDue reports whether a test should have begun: what it needs of others is looked for when it begins.
func TestDue(s *v1alpha1.Site, testable bool) bool { return NextForSite(s, testable).Step == StartTest }

// EventOpen reports whether more may be sent of a delivery, whatever its subscription.
func EventOpen(d *v1alpha1.EventDelivery) bool { return !eventEnded(d) || eventRedeliveryAsked(d) }

func dueUnless(waits bool, work Work) Work {
	if waits {
		return ""
	}
	return work
}

// BackendWaits reports whether status says that a run waits for what its backend needs, such as for the key's Secret.
func BackendWaits(a *v1alpha1.Article) bool {
	c := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionGenerated)
	return c != nil && (c.Reason == v1alpha1.ReasonSecretNotFound || c.Reason == v1alpha1.ReasonBackendRejected)
}

// PublicationWaits reports whether status says that an attempt to publish waits for somebody outside, such as for a Secret.
func PublicationWaits(a *v1alpha1.Article) bool {
	p := a.Status.Publication
	return p != nil && p.RedeliveryBlockedReason != "" || waitsOutside(a.Status.Conditions, v1alpha1.ConditionPublished)
}

// EventWaits is PublicationWaits of an event.
func EventWaits(d *v1alpha1.EventDelivery) bool {
	return waitsOutside(d.Status.Conditions, v1alpha1.ConditionDelivered)
}

// waitsOutside reports whether a condition says that its step waits for somebody outside.
func waitsOutside(conditions []metav1.Condition, kind string) bool {
	c := meta.FindStatusCondition(conditions, kind)
	return c != nil && c.Status == metav1.ConditionFalse && outside(c.Reason)
}

// outside reports whether a reason names something that somebody outside has to mend.
func outside(reason string) bool {
	switch reason {
	case v1alpha1.ReasonInsufficientCredits, v1alpha1.ReasonDailyLimitReached, v1alpha1.ReasonNotAWorkspace, v1alpha1.ReasonAccountNotFound,
		v1alpha1.ReasonSecretNotFound, v1alpha1.ReasonInvalidSecret, v1alpha1.ReasonBackendRejected:
		return true
	default:
		return false
	}
}

// createdForIt is when an article was created that has asked for its first run ever since: nobody has edited it.
func createdForIt(a *v1alpha1.Article) time.Time {
	if a.Status.Generation == nil && a.Generation == 1 {
		return a.CreationTimestamp.Time
	}
	return time.Time{}
}

func timeOf(t *metav1.MicroTime) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.Time
}
