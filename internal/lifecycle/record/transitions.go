package record

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
)

// Transitions appends the transitions between two states of an article to its status, which is written with the second state, and
// returns them. wants reports whether a subscription selects a type: those transitions are to be dispatched. If the outbox is full, others
// are dropped from it, because no write of status waits for events. dropped is how many.
func Transitions(
	before, a *v1alpha1.Article, site *v1alpha1.Site, now time.Time, wants func(v1alpha1.ArticleEventType) bool,
) (recorded []v1alpha1.ArticleTransition, dropped int) {
	had := len(a.Status.Transitions)
	for _, kind := range lifecycle.EventKinds {
		number, happened := kind.Happened(before, a, site, now)
		if !happened {
			continue
		}
		t := transition(a, site, kind.Type, number, now)
		if isDispatched(a, &t) || !wants(t.Type) {
			a.Status.Transitions = append(a.Status.Transitions, t)
			continue
		}
		t.Dispatch = v1alpha1.DispatchPending
		a.Status.Transitions = append(a.Status.Transitions, t)
		for outboxSize(a) > v1alpha1.MaxOutbox && dropPending(a) {
			dropped++
		}
	}
	return a.Status.Transitions[had:], dropped
}

// transition describes a transition of this moment.
func transition(
	a *v1alpha1.Article, site *v1alpha1.Site, kind v1alpha1.ArticleEventType, number int32, now time.Time,
) v1alpha1.ArticleTransition {
	by, message := "", ""
	switch kind {
	case v1alpha1.EventApproved:
		if last := lifecycle.LastApproval(a, site); last != nil {
			by, message = last.By, last.Note
		}
	case v1alpha1.EventRejected:
		if lifecycle.ReviewOf(a, site) == lifecycle.ReviewRejected {
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

// isDispatched reports whether the outbox has a transition already: each is dispatched once for a revision or run, except those that may
// happen to it again.
func isDispatched(a *v1alpha1.Article, t *v1alpha1.ArticleTransition) bool {
	return !repeats(t.Type) && slices.ContainsFunc(a.Status.Transitions, func(other v1alpha1.ArticleTransition) bool {
		return other.Type == t.Type && other.RevisionNumber == t.RevisionNumber &&
			(other.Dispatch == v1alpha1.DispatchPending || other.Dispatch == v1alpha1.DispatchDone)
	})
}

// dropPending drops the oldest pending transition after which another one of its type is pending, or else the oldest. It reports false if
// none is pending.
func dropPending(a *v1alpha1.Article) bool {
	all, last, oldest := a.Status.Transitions, map[v1alpha1.ArticleEventType]int{}, -1
	for i := range all {
		if all[i].Dispatch == v1alpha1.DispatchPending {
			last[all[i].Type] = i
		}
	}
	for i := range all {
		if all[i].Dispatch != v1alpha1.DispatchPending {
			continue
		}
		if last[all[i].Type] > i {
			oldest = i
			break
		}
		if oldest < 0 {
			oldest = i
		}
	}
	if oldest < 0 {
		return false
	}
	all[oldest].Dispatch = v1alpha1.DispatchDropped
	return true
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
	case "", v1alpha1.DispatchDropped:
		return false
	case v1alpha1.DispatchPending:
		return true
	default:
		revision, run := a.Status.Revision, a.Status.Run
		return !repeats(t.Type) && (revision != nil && t.RevisionNumber == revision.Number || run != nil && t.RevisionNumber == run.Number)
	}
}
