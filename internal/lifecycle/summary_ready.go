package lifecycle

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// ready summarizes the conditions: True if the article is as far as it can be without a person or the clock.
func (s summary) ready() conditionState {
	ready := s.readyUnlessSuspended()
	if ready.reason == v1alpha1.ReasonSuspended {
		return isTrue(ready.reason, ready.message)
	}
	return ready
}

func (s summary) readyUnlessSuspended() conditionState {
	a := s.article
	generated := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionGenerated)
	publication := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionPublished)
	switch phase := Phase(a, s.now); {
	case phase == v1alpha1.PhaseArchived:
		return isTrue(v1alpha1.ReasonArchived, "the author archived the article")
	case phase == v1alpha1.PhasePublished:
		return isTrue(publication.Reason, publication.Message)
	case s.site == nil:
		return s.noSite()
	case phase == v1alpha1.PhaseGenerating:
		return isFalse(generated.Reason, generated.Message)
	case generationFailed(a):
		return isFalse(v1alpha1.ReasonGenerationFailed, fmt.Sprintf("%s: %s", generated.Reason, generated.Message))
	case phase == v1alpha1.PhaseFailed:
		return isFalse(v1alpha1.ReasonDeliveryFailed, fmt.Sprintf("%s: %s", publication.Reason, publication.Message))
	}
	return s.readyBeforePublishing(publication)
}

// noSite says that nothing is done for the article before its Site exists.
func (s summary) noSite() conditionState {
	return isFalse(v1alpha1.ReasonSiteNotFound,
		fmt.Sprintf("the Site %q does not exist in this namespace; the article goes on when it does", s.article.Spec.SiteRef.Name))
}

// readyBeforePublishing summarizes an article that has not failed and is not published.
func (s summary) readyBeforePublishing(publication *metav1.Condition) conditionState {
	a := s.article
	approval := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionApproved)
	switch Phase(a, s.now) {
	case v1alpha1.PhaseRejected:
		return isTrue(v1alpha1.ReasonRejected, approval.Message)
	case v1alpha1.PhaseDraft:
		return isTrue(v1alpha1.ReasonDraft, "the author keeps the article as a draft")
	case v1alpha1.PhaseReview:
		if !current(a) {
			return isFalse(approval.Reason, approval.Message)
		}
		return isTrue(v1alpha1.ReasonAwaitingReview, approval.Message)
	case v1alpha1.PhaseScheduled:
		return isTrue(v1alpha1.ReasonScheduled, publication.Message)
	}
	if a.Spec.Stage != v1alpha1.StagePublished {
		return isTrue(v1alpha1.ReasonApproved, "approved; "+publication.Message)
	}
	return isFalse(publication.Reason, publication.Message)
}
