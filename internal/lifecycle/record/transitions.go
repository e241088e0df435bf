package record

import (
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
)

// Transitions appends the transitions between two states of an article to its status, which is written with the second state, and
// returns them. wants reports whether a subscription selects a type: those transitions are to be dispatched.
func Transitions(
	before, a *v1alpha1.Article, site *v1alpha1.Site, now time.Time, wants func(v1alpha1.ArticleEventType) bool,
) ([]v1alpha1.ArticleTransition, error) {
	had := len(a.Status.Transitions)
	for _, kind := range lifecycle.EventKinds {
		number, happened := kind.Happened(before, a, site, now)
		if !happened {
			continue
		}
		t := transition(a, site, kind.Type, number, now)
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

// inProgress reports whether an attempt of a run or of a delivery is in progress.
func inProgress(a *v1alpha1.Article) bool {
	return a.Status.Run != nil && a.Status.Run.State == v1alpha1.RunRunning || lifecycle.DeliveryInProgress(a) != nil
}

// transition describes a transition of this moment.
func transition(
	a *v1alpha1.Article, site *v1alpha1.Site, kind v1alpha1.ArticleEventType, number int32, now time.Time,
) v1alpha1.ArticleTransition {
	by, message := "", ""
	switch kind {
	case v1alpha1.EventApproved, v1alpha1.EventRejected:
		if decision := lifecycle.ReviewOf(a, site); decision == lifecycle.ReviewApproved || decision == lifecycle.ReviewRejected {
			by, message = a.Spec.Review.By, a.Spec.Review.Note
		}
	case v1alpha1.EventFailed:
		message = causeOfFailure(a, site)
	}
	return v1alpha1.ArticleTransition{
		Type: kind, RevisionNumber: number, Time: v1alpha1.NewMicroTime(now), By: bounds.Cut(by, v1alpha1.MaxTransitionByBytes),
		Message: bounds.Cut(message, v1alpha1.MaxTransitionMessageBytes),
	}
}

// causeOfFailure is the reason and the message of the condition that says why an article is Failed.
func causeOfFailure(a *v1alpha1.Article, site *v1alpha1.Site) string {
	failed := v1alpha1.ConditionGenerated
	if lifecycle.DeliveryFailed(a, site) {
		failed = v1alpha1.ConditionPublished
	}
	if c := meta.FindStatusCondition(a.Status.Conditions, failed); c != nil {
		return c.Reason + ": " + c.Message
	}
	return ""
}

// ErrOutboxFull means that v1alpha1.MaxOutbox transitions of an article are in its outbox.
var ErrOutboxFull = errors.New("the article's outbox is full: its pending transitions must be dispatched first")

// putIntoOutbox makes a transition pending if wants reports that a subscription selects its type, and the outbox does not have it yet: each
// is dispatched once for a revision or run, except those that may happen to it again.
func putIntoOutbox(a *v1alpha1.Article, t *v1alpha1.ArticleTransition, wants func(v1alpha1.ArticleEventType) bool) error {
	for i := range a.Status.Transitions {
		other := &a.Status.Transitions[i]
		if other.Dispatch != "" && other.Type == t.Type && other.RevisionNumber == t.RevisionNumber && !repeats(t.Type) {
			return nil
		}
	}
	if !wants(t.Type) {
		return nil
	}
	if outboxSize(a) >= v1alpha1.MaxOutbox {
		return ErrOutboxFull
	}
	t.Dispatch = v1alpha1.DispatchPending
	return nil
}

// repeats reports whether a transition may happen to a revision again: one that is unpublished can be published again.
func repeats(t v1alpha1.ArticleEventType) bool {
	return t == v1alpha1.EventPublished || t == v1alpha1.EventUnpublished
}

// outboxSize is how many transitions are in the outbox.
func outboxSize(a *v1alpha1.Article) int {
	size := 0
	for i := range a.Status.Transitions {
		if inOutbox(a, &a.Status.Transitions[i]) {
			size++
		}
	}
	return size
}

// inOutbox reports whether a transition waits to be dispatched, or is kept so that it is dispatched once: that of the current revision or
// run.
func inOutbox(a *v1alpha1.Article, t *v1alpha1.ArticleTransition) bool {
	switch t.Dispatch {
	case "":
		return false
	case v1alpha1.DispatchPending:
		return true
	default:
		revision, run := a.Status.Revision, a.Status.Run
		return !repeats(t.Type) && (revision != nil && t.RevisionNumber == revision.Number || run != nil && t.RevisionNumber == run.Number)
	}
}
