package lifecycle

import (
	"cmp"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
)

// published says how publishing stands.
func (s summary) published() metav1.Condition {
	a := s.article
	p := a.Status.Publication
	if Published(a) {
		return conditions.True(s.publishedReason(), s.publishedMessage()+s.kept())
	}
	switch {
	case DeliveryInProgress(a) != nil && CycleOf(a).Purpose == v1alpha1.PurposePut:
		return conditions.False(v1alpha1.ReasonDelivering, cycles.Text(&p.DeliveryRecord)+" is in progress")
	case DeliveryFailed(a, s.site) && !RedeliveryRequested(a):
		return s.deliveryEnded()
	case Unpublished(a) && (Held(a) && !RedeliveryRequested(a) || !isPublicationRequested(a)):
		return conditions.False(v1alpha1.ReasonUnpublished, "the post was taken back at "+p.Post.UnpublishTime.UTC().Format(time.RFC3339))
	case a.Spec.Stage != v1alpha1.StagePublished:
		return s.notRequested()
	case !isApproved(a, s.site):
		return conditions.False(v1alpha1.ReasonNotApproved, "waits for the approval of the current revision")
	case early(a, s.Now):
		return s.scheduled()
	}
	return s.deliveryWaiting()
}

func (s summary) publishedReason() string {
	if s.article.Status.Publication.Cycle == nil {
		return v1alpha1.ReasonPublished
	}
	return v1alpha1.ReasonDelivered
}

func (s summary) publishedMessage() string {
	p := s.article.Status.Publication
	if p.Cycle == nil {
		return "the article may be read from the API"
	}
	redelivered := meta.FindStatusCondition(s.article.Status.Conditions, v1alpha1.ConditionRedelivered)
	if redelivered != nil && conditions.Reasons[redelivered.Reason].Blocks {
		return "accepted by the receiver; a redelivery waits: " + redelivered.Message
	}
	if !repeatsLive(s.article) {
		return "accepted by the receiver"
	}
	switch p.Cycle.State {
	case v1alpha1.CycleInProgress:
		return "accepted by the receiver; a redelivery is in progress"
	case v1alpha1.CycleRetryScheduled:
		return "accepted by the receiver; a redelivery waits for its retry"
	case v1alpha1.CycleFailed:
		return "accepted by the receiver; the last redelivery failed: " + cycles.LastMessage(&p.DeliveryRecord)
	default:
		return "accepted by the receiver"
	}
}

const siteKeeps = ", and the site keeps what it has"

// kept says what the site keeps although the manifest asks for something else: what is live does not change by itself.
func (s summary) kept() string {
	if Uncertain(s.article) {
		return ""
	}
	switch pending := pendingUpdate(s.article); {
	case pending != "":
		return "; " + pending + siteKeeps
	case s.article.Spec.Stage == v1alpha1.StageDraft, s.article.Spec.Stage == v1alpha1.StageReview:
		return "; spec.stage is " + string(s.article.Spec.Stage) + siteKeeps
	default:
		return ""
	}
}

// upToDate says whether the site has what is asked for. It reports false for an article that is not published and about whose site there
// is no doubt, or whose delivery another condition describes.
func (s summary) upToDate() (metav1.Condition, bool) {
	a := s.article
	switch {
	case leaves(a, s.site), !Published(a) && Removing(a, v1alpha1.CycleInProgress, v1alpha1.CycleRetryScheduled):
		return s.unpublishing(), true
	case Uncertain(a) && repeatsLive(a) && delivering(a):
		return s.restoring(), true
	case Uncertain(a) && !delivering(a) && !s.updateDue():
		return s.doubt(), true
	case !Published(a):
		return metav1.Condition{}, false
	case Pending(a, s.site):
		return s.update(), true
	case changedAtSite(a):
		return conditions.False(v1alpha1.ReasonChangedAtSite, "somebody has changed the post in the CMS, and it stays so"), true
	case pendingUpdate(a) != "":
		return conditions.False(v1alpha1.ReasonUpdatesFrozen, pendingUpdate(a)+siteKeeps), true
	default:
		return conditions.True(v1alpha1.ReasonUpToDate, "the site has the text that the manifest asks for"), true
	}
}

// updateDue reports whether another text of a published article is to be sent, or could not be.
func (s summary) updateDue() bool {
	if !Pending(s.article, s.site) || !isPublicationRequested(s.article) {
		return false
	}
	phase := TextPhase(s.article, s.site, s.Now)
	return phase == v1alpha1.PhaseApproved || phase == v1alpha1.PhaseFailed && DeliveryFailed(s.article, s.site)
}

// doubt says that nobody knows what the site has, and why.
func (s summary) doubt() metav1.Condition {
	a := s.article
	b := s.blocked(v1alpha1.ConditionUpToDate, s.found.Publication)
	if b != nil && b.Reason != v1alpha1.ReasonRevisionMissing && conditions.Reasons[b.Reason].Blocks {
		return b.Condition()
	}
	maybe := Have(a).Maybe
	if maybe == nil {
		return conditions.False(v1alpha1.ReasonSiteUncertain, "status was restored, and what an attempt did before is lost")
	}
	did := "an attempt may have sent the text: "
	if maybe.Purpose == v1alpha1.PurposeRemove {
		did = "an attempt may have taken the post back: "
	}
	why := cycles.LastMessage(&a.Status.Publication.DeliveryRecord)
	return conditions.False(v1alpha1.ReasonSiteUncertain, did+cmp.Or(why, "it had no answer"))
}

// restoring says what sending the text again waits for that was accepted last, after another attempt whose outcome is not known.
func (s summary) restoring() metav1.Condition {
	r := &s.article.Status.Publication.DeliveryRecord
	if DeliveryInProgress(s.article) != nil {
		return conditions.False(v1alpha1.ReasonPublishing, cycles.Text(r)+" to restore the approved text is in progress")
	}
	return s.deliveryWaiting()
}

// unpublishing says what taking the post back waits for, or why it failed.
func (s summary) unpublishing() metav1.Condition {
	a := s.article
	switch {
	case Removing(a, v1alpha1.CycleInProgress):
		return conditions.False(v1alpha1.ReasonUnpublishing,
			cycles.Text(&a.Status.Publication.DeliveryRecord)+" to take the post back is in progress")
	case removalEnded(a, s.site):
		state := s.deliveryEnded()
		still := "the post is still there: "
		if Uncertain(a) {
			still = "the post may still be there: "
		}
		state.Message = still + state.Message
		return state
	}
	state := s.deliveryWaiting()
	if state.Reason == v1alpha1.ReasonProgressing {
		state = conditions.False(v1alpha1.ReasonUnpublishing, "the post is taken back when the site has a free slot")
	}
	return state
}

// removalEnded reports whether taking the post back has failed, and is not tried again by itself.
func removalEnded(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	c := CycleOf(a)
	return removalFailed(a) && !(site != nil && connectionChanged(&c, site))
}

// leaves reports whether the post of a published article is to be taken back, or that has failed.
func leaves(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	return Published(a) && (site != nil && removalWanted(a, site) || Removing(a, v1alpha1.CycleInProgress))
}

// update says what the other text of a published article waits for, if the site is updated.
func (s summary) update() metav1.Condition {
	a, p := s.article, s.article.Status.Publication
	waits := func(kind string) metav1.Condition {
		c := meta.FindStatusCondition(a.Status.Conditions, kind)
		return conditions.False(c.Reason, c.Message)
	}
	switch phase := TextPhase(a, s.site, s.Now); {
	case DeliveryInProgress(a) != nil && updating(a):
		return conditions.False(v1alpha1.ReasonPublishing, cycles.Text(&p.DeliveryRecord)+" is in progress")
	case phase == v1alpha1.PhaseGenerating, generationFailed(a, s.site):
		return waits(v1alpha1.ConditionGenerated)
	case phase == v1alpha1.PhaseRejected, !current(a, s.site):
		return waits(v1alpha1.ConditionApproved)
	case phase == v1alpha1.PhaseReview:
		return conditions.False(v1alpha1.ReasonAwaitingReview, waits(v1alpha1.ConditionApproved).Message)
	case !isPublicationRequested(a):
		return s.notRequested()
	case phase == v1alpha1.PhaseScheduled:
		return s.scheduled()
	case DeliveryFailed(a, s.site) && !RedeliveryRequested(a):
		return s.deliveryEnded()
	}
	state := s.deliveryWaiting()
	if state.Reason == v1alpha1.ReasonProgressing {
		state.Reason = v1alpha1.ReasonPublishing
	}
	return state
}

func (s summary) notRequested() metav1.Condition {
	return conditions.False(v1alpha1.ReasonNotRequested, "spec.stage is "+string(s.article.Spec.Stage)+", not Published")
}

func (s summary) scheduled() metav1.Condition {
	if at := s.article.Spec.PublishAfter; at.Unreadable() {
		return conditions.False(v1alpha1.ReasonScheduled,
			fmt.Sprintf("spec.publishAfter is %.80s, which is no time: nothing is published before that is corrected", at.Unread))
	}
	return conditions.False(v1alpha1.ReasonScheduled, "waits for "+s.article.Spec.PublishAfter.UTC().Format(time.RFC3339))
}

// setRedelivered sets the condition Redelivered while a redelivery is blocked, in progress, or waits for its retry. One that waits for
// only a slot is not written.
func (s summary) setRedelivered() {
	if redelivered, ok := s.redelivered(); ok {
		s.Set(v1alpha1.ConditionRedelivered, redelivered)
	} else {
		meta.RemoveStatusCondition(&s.article.Status.Conditions, v1alpha1.ConditionRedelivered)
	}
}

func (s summary) redelivered() (metav1.Condition, bool) {
	a, p := s.article, s.article.Status.Publication
	repeats := repeatsLive(a) && answersRequest(*p.Cycle)
	if !Published(a) || leaves(a, s.site) || !repeats && !RedeliveryRequested(a) {
		return metav1.Condition{}, false
	}
	if DeliveryInProgress(a) != nil {
		return conditions.False(v1alpha1.ReasonDelivering, cycles.Text(&p.DeliveryRecord)+" is in progress"), true
	}
	retries := p.Cycle != nil && p.Cycle.State == v1alpha1.CycleRetryScheduled
	if !retries && !RedeliveryRequested(a) {
		return metav1.Condition{}, false
	}
	if b := s.blocked(v1alpha1.ConditionRedelivered, s.found.Publication); b != nil && conditions.Reasons[b.Reason].Blocks {
		return b.Condition(), true
	}
	if retries && p.Cycle.NextAttemptTime != nil {
		return conditions.False(v1alpha1.ReasonRetryScheduled, cycles.RetryText(&p.DeliveryRecord)), true
	}
	return metav1.Condition{}, false
}

// deliveryEnded describes a delivery that ended in failure.
func (s summary) deliveryEnded() metav1.Condition {
	p := s.article.Status.Publication
	switch {
	case p.Cycle.Reason != v1alpha1.ReasonNotSupportedYet:
		return conditions.False(p.Cycle.Reason, cycles.Text(&p.DeliveryRecord)+": "+cycles.LastMessage(&p.DeliveryRecord))
	case p.Cycle.Purpose == v1alpha1.PurposeRemove:
		return conditions.False(p.Cycle.Reason, "nothing takes back a post from an address that is not the Site's any more")
	default:
		return conditions.False(p.Cycle.Reason, "publishing to this type of CMS is not supported yet")
	}
}

// deliveryWaiting describes a delivery that is due and has no attempt in progress.
func (s summary) deliveryWaiting() metav1.Condition {
	if s.site == nil {
		return s.noSite()
	}
	if b := s.blocked(DeliveryCondition(s.article), s.found.Publication); b != nil {
		return b.Condition()
	}
	if c := CycleOf(s.article); c.State == v1alpha1.CycleRetryScheduled && c.NextAttemptTime != nil {
		return conditions.False(v1alpha1.ReasonRetryScheduled, cycles.RetryText(&s.article.Status.Publication.DeliveryRecord))
	}
	return NoSlotAtReceiver().Condition()
}
