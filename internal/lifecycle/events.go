package lifecycle

import (
	"errors"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// ErrOutboxFull says that an article's outbox has no room before its pending events have been told.
var ErrOutboxFull = errors.New("the article's outbox is full: its pending events must be told first")

// AppendEvents puts the transitions between two states of an article into its outbox, to be written with the second. Each is
// told once for a revision. wants says whether a subscription is there for it: for others no write is spent.
func AppendEvents(old, a *v1alpha1.Article, now time.Time, wants func(v1alpha1.ArticleEventType) bool) error {
	for _, t := range transitions(old, a, now) {
		told := slices.ContainsFunc(a.Status.Events, func(e v1alpha1.ArticleEvent) bool {
			return e.Type == t.Type && e.Number == t.Number
		})
		if told || !wants(t.Type) {
			continue
		}
		a.Status.Events = forget(a)
		if len(a.Status.Events) >= v1alpha1.MaxArticleEvents {
			return ErrOutboxFull
		}
		t.At, t.State = metav1.NewMicroTime(now), v1alpha1.EventPending
		a.Status.Events = append(a.Status.Events, t)
	}
	return nil
}

// forget leaves out what was told of revisions and runs that are no longer the article's.
func forget(a *v1alpha1.Article) []v1alpha1.ArticleEvent {
	return slices.DeleteFunc(slices.Clone(a.Status.Events), func(e v1alpha1.ArticleEvent) bool {
		if e.State == v1alpha1.EventPending {
			return false
		}
		current := a.Status.Revision != nil && e.Number == a.Status.Revision.Number
		run := a.Status.Generation != nil && e.Number == a.Status.Generation.Number
		return !current && !run
	})
}

// transitions are the events between two states, in the order in which they happen.
func transitions(old, a *v1alpha1.Article, now time.Time) []v1alpha1.ArticleEvent {
	var found []v1alpha1.ArticleEvent
	if a.Status.Revision != nil {
		found = revisionTransitions(old, a)
	}
	if subject, failed := failure(a, now); failed && old.Status.Phase != v1alpha1.PhaseFailed {
		found = append(found, v1alpha1.ArticleEvent{Type: v1alpha1.EventFailed, Number: subject})
	}
	return found
}

// revisionTransitions are those of the current revision.
func revisionTransitions(old, a *v1alpha1.Article) []v1alpha1.ArticleEvent {
	var found []v1alpha1.ArticleEvent
	add := func(t v1alpha1.ArticleEventType) {
		found = append(found, v1alpha1.ArticleEvent{Type: t, Number: a.Status.Revision.Number})
	}
	fresh := old.Status.Revision == nil || old.Status.Revision.Name != a.Status.Revision.Name
	// The stored phase tells of an author who has moved a draft on.
	moved := old.Status.Phase == v1alpha1.PhaseDraft || old.Status.Phase == v1alpha1.PhaseArchived
	if (fresh || moved) && inReview(a) {
		add(v1alpha1.EventReadyForReview)
	}
	if holds(a, v1alpha1.ConditionApproved) && (fresh || !holds(old, v1alpha1.ConditionApproved)) {
		add(v1alpha1.EventApproved)
	}
	if isRejected(a) && (fresh || !isRejected(old)) {
		add(v1alpha1.EventRejected)
	}
	if published(a) && !published(old) {
		add(v1alpha1.EventPublished)
	}
	return found
}

// inReview reports whether the current revision is where reviewers see it.
func inReview(a *v1alpha1.Article) bool {
	return a.Spec.Stage != v1alpha1.StageDraft && a.Spec.Stage != v1alpha1.StageArchived && !published(a)
}

func holds(a *v1alpha1.Article, kind string) bool {
	return meta.IsStatusConditionTrue(a.Status.Conditions, kind)
}

func isRejected(a *v1alpha1.Article) bool {
	c := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionApproved)
	return c != nil && c.Reason == v1alpha1.ReasonRejected
}

// failure returns what a failed article's event is about: the revision that could not be delivered, or the run that made none.
func failure(a *v1alpha1.Article, now time.Time) (int64, bool) {
	switch {
	case Phase(a, now) != v1alpha1.PhaseFailed:
		return 0, false
	case deliveryFailed(a):
		return a.Status.Revision.Number, true
	default:
		return a.Status.Generation.Number, true
	}
}

// EventsPending reports whether an article's outbox has something to be told.
func EventsPending(a *v1alpha1.Article) bool {
	return slices.ContainsFunc(a.Status.Events, func(e v1alpha1.ArticleEvent) bool { return e.State == v1alpha1.EventPending })
}

// Selects reports whether a subscription wants a transition of an article of a site.
func Selects(s *v1alpha1.EventSubscription, t v1alpha1.ArticleEventType, site string) bool {
	if s.Spec.SiteRef != nil && s.Spec.SiteRef.Name != site {
		return false
	}
	return slices.Contains(s.Spec.Events, v1alpha1.SelectAll) || slices.Contains(s.Spec.Events, v1alpha1.EventSelector(t))
}
