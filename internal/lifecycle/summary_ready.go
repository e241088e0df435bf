package lifecycle

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// ready summarizes the conditions: True if nothing is to be done before a person acts or a time comes.
func (s summary) ready() metav1.Condition {
	ready := s.readyUnlessSuspended()
	if ready.Reason == v1alpha1.ReasonSuspended {
		return conditions.True(ready.Reason, ready.Message)
	}
	return ready
}

func (s summary) readyUnlessSuspended() metav1.Condition {
	a := s.article
	generated := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionGenerated)
	publication := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionPublished)
	switch phase := Phase(a, s.Now); {
	case leaves(a, s.site):
		return s.readyBeforeUnpublish()
	case phase == v1alpha1.PhaseArchived:
		return conditions.True(v1alpha1.ReasonArchived, "the author archived the article")
	case phase == v1alpha1.PhasePublished && !Pending(a, s.site):
		return conditions.True(publication.Reason, publication.Message)
	case phase == v1alpha1.PhasePublished:
		return s.readyBeforeUpdate()
	case s.site == nil:
		return s.noSite()
	case phase == v1alpha1.PhaseGenerating:
		return conditions.False(generated.Reason, generated.Message)
	case generationFailed(a, s.site):
		return conditions.False(v1alpha1.ReasonGenerationFailed, fmt.Sprintf("%s: %s", generated.Reason, generated.Message))
	case phase == v1alpha1.PhaseFailed:
		return conditions.False(v1alpha1.ReasonDeliveryFailed, fmt.Sprintf("%s: %s", publication.Reason, publication.Message))
	}
	return s.readyBeforePublishing(publication)
}

// readyBeforeUpdate summarizes a published article whose other text is not at the site yet.
func (s summary) readyBeforeUpdate() metav1.Condition {
	update := s.update()
	switch {
	case update.Reason == v1alpha1.ReasonScheduled, update.Reason == v1alpha1.ReasonChangedAtSite:
	case DeliveryFailed(s.article, s.site) && !RedeliveryRequested(s.article):
		return conditions.False(v1alpha1.ReasonDeliveryFailed, fmt.Sprintf("%s: %s", update.Reason, update.Message))
	case generationFailed(s.article, s.site):
		return conditions.False(v1alpha1.ReasonGenerationFailed, fmt.Sprintf("%s: %s", update.Reason, update.Message))
	case conditions.Reasons[update.Reason].WaitsFor != conditions.NeedPerson || conditions.Reasons[update.Reason].Blocks:
		return conditions.False(update.Reason, update.Message)
	}
	return conditions.True(update.Reason, update.Message)
}

// readyBeforeUnpublish summarizes an article whose post is to be taken back.
func (s summary) readyBeforeUnpublish() metav1.Condition {
	update := s.unpublishing()
	switch {
	case update.Reason == v1alpha1.ReasonChangedAtSite:
		return conditions.True(update.Reason, update.Message)
	case removalEnded(s.article, s.site):
		return conditions.False(v1alpha1.ReasonDeliveryFailed, fmt.Sprintf("%s: %s", update.Reason, update.Message))
	default:
		return conditions.False(update.Reason, update.Message)
	}
}

// noSite says that nothing is done for the article before its Site exists.
func (s summary) noSite() metav1.Condition {
	return conditions.False(v1alpha1.ReasonSiteNotFound,
		fmt.Sprintf("the Site %q does not exist in this namespace; the article goes on when it does", s.article.Spec.SiteRef.Name))
}

// readyBeforePublishing summarizes an article that has not failed and is not published.
func (s summary) readyBeforePublishing(publication *metav1.Condition) metav1.Condition {
	a := s.article
	approval := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionApproved)
	switch Phase(a, s.Now) {
	case v1alpha1.PhaseRejected:
		return conditions.True(v1alpha1.ReasonRejected, approval.Message)
	case v1alpha1.PhaseDraft:
		return conditions.True(v1alpha1.ReasonDraft, "the author keeps the article as a draft")
	case v1alpha1.PhaseReview:
		if !current(a, s.site) {
			return conditions.False(approval.Reason, approval.Message)
		}
		return conditions.True(v1alpha1.ReasonAwaitingReview, approval.Message)
	case v1alpha1.PhaseScheduled:
		return conditions.True(v1alpha1.ReasonScheduled, publication.Message)
	}
	if publication.Reason == v1alpha1.ReasonUnpublished {
		return conditions.True(publication.Reason, publication.Message)
	}
	if a.Spec.Stage != v1alpha1.StagePublished {
		return conditions.True(v1alpha1.ReasonApproved, "approved; "+publication.Message)
	}
	return conditions.False(publication.Reason, publication.Message)
}
