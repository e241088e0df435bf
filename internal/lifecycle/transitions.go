package lifecycle

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
)

// RecordTransitions appends the transitions between two states of an article to its status, which is written with the second state, and
// returns them. wants reports whether a subscription selects a type: those transitions are to be dispatched.
func RecordTransitions(
	before, a *v1alpha1.Article, now time.Time, wants func(v1alpha1.ArticleEventType) bool,
) ([]v1alpha1.ArticleTransition, error) {
	had := len(a.Status.Transitions)
	for _, kind := range EventKinds {
		if kind.happened == nil {
			continue
		}
		number, happened := kind.happened(change{before, a, now})
		if !happened {
			continue
		}
		t := transition(a, kind.Type, number, now)
		if err := putIntoOutbox(a, &t, wants); err != nil {
			return nil, err
		}
		a.Status.Transitions = append(a.Status.Transitions, t)
	}
	// The end of an attempt is a transition, for which the outbox has room: it must be possible to record that a text was sent.
	if inProgress(a) && outboxSize(a) >= v1alpha1.MaxOutbox && (!inProgress(before) || len(a.Status.Transitions) > had) {
		return nil, ErrOutboxFull
	}
	return a.Status.Transitions[had:], nil
}

func inProgress(a *v1alpha1.Article) bool { return RunOpen(a) || openDelivery(a) != nil }

// transition describes a transition of this moment.
func transition(a *v1alpha1.Article, kind v1alpha1.ArticleEventType, number int32, now time.Time) v1alpha1.ArticleTransition {
	by, message := "", ""
	switch kind {
	case v1alpha1.EventApproved, v1alpha1.EventRejected:
		if state := reviewOf(a); state == approved || state == rejected {
			by, message = a.Spec.Review.By, a.Spec.Review.Note
		}
	case v1alpha1.EventFailed:
		message = causeOfFailure(a)
	}
	return v1alpha1.ArticleTransition{
		Type: kind, RevisionNumber: number, Time: metav1.NewMicroTime(now), By: bounds.Cut(by, v1alpha1.MaxTransitionByBytes),
		Message: bounds.Cut(message, v1alpha1.MaxTransitionMessageBytes),
	}
}

// causeOfFailure is the reason and the message of the condition that says why an article is Failed.
func causeOfFailure(a *v1alpha1.Article) string {
	failed := v1alpha1.ConditionGenerated
	if deliveryFailed(a) {
		failed = v1alpha1.ConditionPublished
	}
	if c := meta.FindStatusCondition(a.Status.Conditions, failed); c != nil {
		return c.Reason + ": " + c.Message
	}
	return ""
}
