package lifecycle

import (
	"errors"
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

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

// DispatchPending reports whether an article's outbox has transitions to dispatch.
func DispatchPending(a *v1alpha1.Article) bool {
	return slices.ContainsFunc(a.Status.Transitions, func(t v1alpha1.ArticleTransition) bool {
		return t.Dispatch == v1alpha1.DispatchPending
	})
}

// Selects reports whether a subscription wants an event of a site or one of its articles.
func Selects(s *v1alpha1.EventSubscription, t v1alpha1.ArticleEventType, site string) bool {
	if s.Spec.SiteRef != nil && s.Spec.SiteRef.Name != site {
		return false
	}
	return slices.Contains(s.Spec.Events, v1alpha1.SelectAll) || slices.Contains(s.Spec.Events, v1alpha1.EventSelector(t))
}
