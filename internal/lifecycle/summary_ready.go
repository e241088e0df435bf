package lifecycle

import (
	"fmt"

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
	published := Published(a)
	switch {
	case published && removalOf(a, s.site) != removalNone:
		return s.readyAfterRemoval()
	case a.Spec.Stage == v1alpha1.StageArchived:
		return conditions.True(v1alpha1.ReasonArchived, "the author archived the article")
	case published && Pending(a, s.site):
		return s.readyAfterUpdate()
	case published:
		return s.asPublished()
	case s.site == nil:
		return s.noSite()
	case s.is.text != textGenerating && (s.is.sending == sendingFailed || s.is.sending == sendingAsked):
		return failed(v1alpha1.ReasonDeliveryFailed, s.condition(v1alpha1.ConditionPublished))
	default:
		return texts[s.is.text].ready(s)
	}
}

// failed returns a reason of ConditionReady with the condition that says more.
func failed(reason string, because metav1.Condition) metav1.Condition {
	return conditions.False(reason, because.Reason+": "+because.Message)
}

// readyAfterUpdate summarizes a published article whose other text is not at the site yet.
func (s summary) readyAfterUpdate() metav1.Condition {
	update := s.pending()
	switch row := conditions.Reasons[update.Reason]; {
	case update.Reason == v1alpha1.ReasonScheduled, update.Reason == v1alpha1.ReasonChangedAtSite:
	case s.is.sending == sendingFailed:
		return failed(v1alpha1.ReasonDeliveryFailed, update)
	case s.is.text == textGenerationFailed:
		return failed(v1alpha1.ReasonGenerationFailed, update)
	case row.WaitsFor != conditions.NeedPerson || row.Blocks:
		return update
	}
	return conditions.True(update.Reason, update.Message)
}

// readyAfterRemoval summarizes an article whose post is to be taken back.
func (s summary) readyAfterRemoval() metav1.Condition {
	removal := standings[s.is.standing](s)
	switch {
	case removal.Reason == v1alpha1.ReasonChangedAtSite:
		return conditions.True(removal.Reason, removal.Message)
	case s.is.standing == standingRemovalFailed:
		return failed(v1alpha1.ReasonDeliveryFailed, removal)
	default:
		return removal
	}
}

// noSite says that nothing is done for the article before its Site exists.
func (s summary) noSite() metav1.Condition {
	return conditions.False(v1alpha1.ReasonSiteNotFound,
		fmt.Sprintf("the Site %q does not exist in this namespace; the article goes on when it does", s.article.Spec.SiteRef.Name))
}

// asPublished has the reason of the condition Published. An article whose post was taken back waits for a person.
func (s summary) asPublished() metav1.Condition {
	c := s.condition(v1alpha1.ConditionPublished)
	if c.Reason == v1alpha1.ReasonUnpublished {
		return conditions.True(c.Reason, c.Message)
	}
	return metav1.Condition{Status: c.Status, Reason: c.Reason, Message: c.Message}
}

func (s summary) generationFailed() metav1.Condition {
	return failed(v1alpha1.ReasonGenerationFailed, s.condition(v1alpha1.ConditionGenerated))
}

func (s summary) readyToRequest() metav1.Condition {
	c := s.condition(v1alpha1.ConditionPublished)
	if c.Reason == v1alpha1.ReasonUnpublished {
		return s.asPublished()
	}
	return conditions.True(v1alpha1.ReasonApproved, "approved; "+c.Message)
}
