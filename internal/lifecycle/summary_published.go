package lifecycle

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// published says how publishing stands.
func (s summary) published() metav1.Condition {
	a := s.article
	p := a.Status.Publication
	if Published(a) {
		return conditions.True(s.publishedReason(), s.publishedMessage(p)+s.kept())
	}
	switch {
	case OpenDelivery(a) != nil:
		return conditions.False(v1alpha1.ReasonDelivering, attempts.Text(&p.DeliveryRecord)+" is in progress")
	case DeliveryFailed(a) && !(p.Cycle != nil && RedeliveryAsked(a)):
		return s.deliveryEnded(p)
	case Unpublished(a) && (Withheld(a) && !RedeliveryAsked(a) || !isPublicationRequested(a)):
		return conditions.False(v1alpha1.ReasonUnpublished, "the post was taken back at "+p.UnpublishTime.UTC().Format(time.RFC3339))
	case a.Spec.Stage != v1alpha1.StagePublished:
		return s.notRequested()
	case !isApproved(a):
		return conditions.False(v1alpha1.ReasonNotApproved, "waits for the approval of the current revision")
	case early(a, s.Now):
		return s.scheduled()
	}
	return s.deliveryWaiting(p)
}

func (s summary) publishedReason() string {
	if s.article.Status.Publication.Cycle == nil {
		return v1alpha1.ReasonPublished
	}
	return v1alpha1.ReasonDelivered
}

func (s summary) publishedMessage(p *v1alpha1.Publication) string {
	if p.Cycle == nil {
		return "the article may be read from the API"
	}
	if p.Cycle.Revision != nil || p.Cycle.Unpublish != "" {
		return "accepted by the receiver"
	}
	redelivered := meta.FindStatusCondition(s.article.Status.Conditions, v1alpha1.ConditionRedelivered)
	if redelivered != nil && conditions.Reasons[redelivered.Reason].Blocks {
		return "accepted by the receiver; a redelivery waits: " + redelivered.Message
	}
	switch p.Cycle.State {
	case v1alpha1.CycleDelivering:
		return "accepted by the receiver; a redelivery is in progress"
	case v1alpha1.CycleRetryScheduled:
		return "accepted by the receiver; a redelivery waits for its retry"
	case v1alpha1.CycleFailed:
		return "accepted by the receiver; the last redelivery failed: " + attempts.LastMessage(&p.DeliveryRecord)
	default:
		return "accepted by the receiver"
	}
}

const siteKeeps = ", and the site keeps what it has"

// kept says what the site keeps although the manifest asks for something else: what is live does not change by itself.
func (s summary) kept() string {
	switch pending := pendingUpdate(s.article); {
	case pending != "":
		return "; " + pending + siteKeeps
	case s.article.Spec.Stage == v1alpha1.StageDraft, s.article.Spec.Stage == v1alpha1.StageReview:
		return "; spec.stage is " + string(s.article.Spec.Stage) + siteKeeps
	default:
		return ""
	}
}

// upToDate says whether the site has the text that the manifest of a published article asks for.
func (s summary) upToDate() metav1.Condition {
	if leaves(s.article, s.site) {
		return s.unpublishing()
	}
	if Pending(s.article) {
		return s.update()
	}
	if changedAtSite(s.article) {
		return conditions.False(v1alpha1.ReasonChangedAtSite, "somebody has changed the post in the CMS, and it stays so")
	}
	if pending := pendingUpdate(s.article); pending != "" {
		return conditions.False(v1alpha1.ReasonUpdatesFrozen, pending+siteKeeps)
	}
	return conditions.True(v1alpha1.ReasonUpToDate, "the site has the text that the manifest asks for")
}

// unpublishing says what taking the post back waits for, or why it failed.
func (s summary) unpublishing() metav1.Condition {
	a, p := s.article, s.article.Status.Publication
	switch {
	case Unpublishing(a, v1alpha1.CycleDelivering):
		return conditions.False(v1alpha1.ReasonUnpublishing, attempts.Text(&p.DeliveryRecord)+" to take the post back is in progress")
	case UnpublishCause(a, s.site) == "":
		state := s.deliveryEnded(p)
		state.Message = "the post is still there: " + state.Message
		return state
	}
	state := s.deliveryWaiting(p)
	if state.Reason == v1alpha1.ReasonProgressing {
		state = conditions.False(v1alpha1.ReasonUnpublishing, "the post is taken back when the site has a free slot")
	}
	return state
}

// update says what the other text of a published article waits for, if the site is updated.
func (s summary) update() metav1.Condition {
	a, p := s.article, s.article.Status.Publication
	waits := func(kind string) metav1.Condition {
		c := meta.FindStatusCondition(a.Status.Conditions, kind)
		return conditions.False(c.Reason, c.Message)
	}
	switch phase := TextPhase(a, s.Now); {
	case OpenDelivery(a) != nil && updating(a):
		return conditions.False(v1alpha1.ReasonPublishing, attempts.Text(&p.DeliveryRecord)+" is in progress")
	case phase == v1alpha1.PhaseGenerating, generationFailed(a):
		return waits(v1alpha1.ConditionGenerated)
	case phase == v1alpha1.PhaseRejected, !current(a):
		return waits(v1alpha1.ConditionApproved)
	case phase == v1alpha1.PhaseReview:
		return conditions.False(v1alpha1.ReasonAwaitingReview, waits(v1alpha1.ConditionApproved).Message)
	case !isPublicationRequested(a):
		return s.notRequested()
	case phase == v1alpha1.PhaseScheduled:
		return s.scheduled()
	case DeliveryFailed(a) && !RedeliveryAsked(a):
		return s.deliveryEnded(p)
	}
	state := s.deliveryWaiting(p)
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
		return conditions.False(v1alpha1.ReasonScheduled, fmt.Sprintf("spec.publishAfter is %.80s, which is no time: nothing is published before that is corrected", at.Unread))
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
	if !Published(a) || leaves(a, s.site) || p.Cycle != nil && p.Cycle.Revision != nil && !RedeliveryAsked(a) {
		return metav1.Condition{}, false
	}
	if OpenDelivery(a) != nil {
		return conditions.False(v1alpha1.ReasonDelivering, attempts.Text(&p.DeliveryRecord)+" is in progress"), true
	}
	retries := p.Cycle != nil && p.Cycle.State == v1alpha1.CycleRetryScheduled
	if !retries && !RedeliveryAsked(a) {
		return metav1.Condition{}, false
	}
	if b := s.blocked(v1alpha1.ConditionRedelivered, s.found.Publication); b != nil && conditions.Reasons[b.Reason].Blocks {
		return b.Condition(), true
	}
	if retries && p.Cycle.NextAttemptTime != nil {
		return conditions.False(v1alpha1.ReasonRetryScheduled, attempts.RetryText(&p.DeliveryRecord)), true
	}
	return metav1.Condition{}, false
}

// deliveryEnded describes a delivery that ended in failure.
func (s summary) deliveryEnded(p *v1alpha1.Publication) metav1.Condition {
	if p.Cycle == nil {
		return conditions.False(v1alpha1.ReasonNotSupportedYet, "publishing to this type of CMS is not supported yet")
	}
	return conditions.False(p.Cycle.Reason, attempts.Text(&p.DeliveryRecord)+": "+attempts.LastMessage(&p.DeliveryRecord))
}

// deliveryWaiting describes an approved article whose time has come and that has no attempt in progress.
func (s summary) deliveryWaiting(p *v1alpha1.Publication) metav1.Condition {
	if s.site == nil {
		return s.noSite()
	}
	if b := s.blocked(DeliveryCondition(s.article), s.found.Publication); b != nil {
		return b.Condition()
	}
	if p != nil && p.Cycle != nil && p.Cycle.State == v1alpha1.CycleRetryScheduled && p.Cycle.NextAttemptTime != nil {
		return conditions.False(v1alpha1.ReasonRetryScheduled, attempts.RetryText(&p.DeliveryRecord))
	}
	return NoSlotAtReceiver().Condition()
}
