package lifecycle

import (
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

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
