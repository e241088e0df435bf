package lifecycle

import (
	"errors"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// ErrOutboxFull means that an article's outbox has v1alpha1.MaxArticleEvents events that are not dispatched yet.
var ErrOutboxFull = errors.New("the article's outbox is full: its pending events must be dispatched first")

// AppendEvents adds the events between two states of an article to its outbox, which is written with the second state. Each event is
// recorded once for a revision or run. wants reports whether a subscription selects an event; others are left out.
func AppendEvents(old, a *v1alpha1.Article, now time.Time, wants func(v1alpha1.ArticleEventType) bool) error {
	for _, kind := range EventKinds {
		number, happened := kind.happened(change{old, a, now})
		if !happened || recorded(a, kind.Type, number) || !wants(kind.Type) {
			continue
		}
		a.Status.Events = withoutOutdated(a)
		if len(a.Status.Events) >= v1alpha1.MaxArticleEvents {
			return ErrOutboxFull
		}
		a.Status.Events = append(a.Status.Events, v1alpha1.ArticleEvent{
			Type: kind.Type, RevisionNumber: number, Time: metav1.NewMicroTime(now), State: v1alpha1.EventPending,
		})
	}
	return nil
}

// recorded reports whether the outbox has an event already.
func recorded(a *v1alpha1.Article, t v1alpha1.ArticleEventType, number int32) bool {
	return slices.ContainsFunc(a.Status.Events, func(e v1alpha1.ArticleEvent) bool { return e.Type == t && e.RevisionNumber == number })
}

// withoutOutdated returns the outbox without the dispatched events of revisions and runs that are no longer the article's.
func withoutOutdated(a *v1alpha1.Article) []v1alpha1.ArticleEvent {
	return slices.DeleteFunc(slices.Clone(a.Status.Events), func(e v1alpha1.ArticleEvent) bool {
		if e.State == v1alpha1.EventPending {
			return false
		}
		current := a.Status.Revision != nil && e.RevisionNumber == a.Status.Revision.Number
		run := a.Status.Run != nil && e.RevisionNumber == a.Status.Run.Number
		return !current && !run
	})
}

// EventsPending reports whether an article's outbox has events to dispatch.
func EventsPending(a *v1alpha1.Article) bool {
	return slices.ContainsFunc(a.Status.Events, func(e v1alpha1.ArticleEvent) bool { return e.State == v1alpha1.EventPending })
}

// Selects reports whether a subscription wants an event of an article of a site.
func Selects(s *v1alpha1.EventSubscription, t v1alpha1.ArticleEventType, site string) bool {
	if s.Spec.SiteRef != nil && s.Spec.SiteRef.Name != site {
		return false
	}
	return slices.Contains(s.Spec.Events, v1alpha1.SelectAll) || slices.Contains(s.Spec.Events, v1alpha1.EventSelector(t))
}
