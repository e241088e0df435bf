package lifecycle

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Phase summarizes an article. The first rule that holds wins (docs/reference/article.md, Phase). It never reads the stored
// phase, so it is also right between a change of the spec and the controller's answer to it.
func Phase(a *v1alpha1.Article, now time.Time) v1alpha1.ArticlePhase {
	switch {
	case a.Spec.Stage == v1alpha1.StageArchived:
		return v1alpha1.PhaseArchived
	case Published(a):
		return v1alpha1.PhasePublished
	default:
		return TextPhase(a, nil, now)
	}
}

// TextPhase is the phase of an article whose current text the site does not have.
func TextPhase(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) v1alpha1.ArticlePhase {
	switch {
	case runPending(a, site):
		return v1alpha1.PhaseGenerating
	case generationFailed(a, site), DeliveryFailed(a, site):
		return v1alpha1.PhaseFailed
	case reviewOf(a, site) == rejected:
		return v1alpha1.PhaseRejected
	case a.Spec.Stage == v1alpha1.StageDraft:
		return v1alpha1.PhaseDraft
	case !isApproved(a, site):
		return v1alpha1.PhaseReview
	case a.Spec.Stage == v1alpha1.StagePublished && early(a, now) && !Held(a):
		return v1alpha1.PhaseScheduled
	default:
		return v1alpha1.PhaseApproved
	}
}

// generationFailed reports whether the run ended in failure and there is no revision to show.
func generationFailed(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	g := a.Status.Run
	return g != nil && g.State == v1alpha1.RunFailed && !current(a, site) && !revisionWanted(a, site)
}

// DeliveryFailed reports whether delivering the current revision, which the site does not have, ended in failure.
func DeliveryFailed(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	return PutsCurrent(a) && CycleOf(a).State == v1alpha1.CycleFailed && !LiveIsCurrent(a) && current(a, site)
}

// isApproved reports whether the current revision is approved: by the reviewer, or by the site's policy, which the
// condition Approved records in the same write as the revision.
func isApproved(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	if !current(a, site) {
		return false
	}
	c := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionApproved)
	return approvedIf(a, site, c != nil && c.Status == metav1.ConditionTrue && c.Reason == v1alpha1.ReasonAutomatic)
}

// approvedIf reports whether the current revision is approved if the site's policy is, or is not, automatic: the reviewer's
// decision comes first.
func approvedIf(a *v1alpha1.Article, site *v1alpha1.Site, automatic bool) bool {
	switch reviewOf(a, site) {
	case approved:
		return true
	case rejected:
		return false
	default:
		return automatic
	}
}

// early reports whether the article's time has not come. One that cannot be read never comes.
func early(a *v1alpha1.Article, now time.Time) bool {
	return a.Spec.PublishAfter.Unreadable() || a.Spec.PublishAfter != nil && a.Spec.PublishAfter.After(now)
}

// NotBefore returns the time before which the article is not published; zero if it has none, or none that can be read.
func NotBefore(a *v1alpha1.Article) time.Time {
	if a.Spec.PublishAfter == nil || a.Spec.PublishAfter.Unreadable() {
		return time.Time{}
	}
	return a.Spec.PublishAfter.Time
}
