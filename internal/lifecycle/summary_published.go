package lifecycle

import (
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
	switch {
	case Published(a):
		return s.accepted()
	case s.is.sending == sendingInProgress:
		return conditions.False(v1alpha1.ReasonDelivering, cycles.Text(s.record())+" is in progress")
	case s.is.sending == sendingFailed:
		return s.deliveryEnded()
	case s.is.standing == standingTakenBack:
		return s.takenBack()
	case a.Spec.Stage != v1alpha1.StagePublished:
		return s.notRequested()
	default:
		return texts[s.is.text].published(s)
	}
}

// record returns the attempts of an article that has a publication.
func (s summary) record() *v1alpha1.DeliveryRecord {
	return &s.article.Status.Publication.DeliveryRecord
}

// accepted describes what the site has accepted, and what it keeps although the manifest asks for something else: what is live does not
// change by itself.
func (s summary) accepted() metav1.Condition {
	a := s.article
	state := conditions.True(v1alpha1.ReasonDelivered, "accepted by the receiver"+s.redeliveryText())
	if s.record().Cycle == nil {
		state = conditions.True(v1alpha1.ReasonPublished, "the article may be read from the API")
	}
	switch pending := pendingUpdate(a); {
	case Have(a).State == v1alpha1.PostUncertain:
	case pending != "":
		state.Message += "; " + pending + siteKeeps
	case a.Spec.Stage == v1alpha1.StageDraft, a.Spec.Stage == v1alpha1.StageReview:
		state.Message += "; spec.stage is " + string(a.Spec.Stage) + siteKeeps
	}
	return state
}

const siteKeeps = ", and the site keeps what it has"

// redeliveryText says how the last redelivery stands; empty if there is nothing to say of one.
func (s summary) redeliveryText() string {
	redelivered := meta.FindStatusCondition(s.article.Status.Conditions, v1alpha1.ConditionRedelivered)
	if redelivered != nil && conditions.Reasons[redelivered.Reason].Blocks {
		return "; a redelivery waits: " + redelivered.Message
	}
	if AimOf(s.article) != AimRepeat {
		return ""
	}
	switch CycleOf(s.article).State {
	case v1alpha1.CycleInProgress:
		return "; a redelivery is in progress"
	case v1alpha1.CycleRetryScheduled:
		return "; a redelivery waits for its retry"
	case v1alpha1.CycleFailed:
		return "; the last redelivery failed: " + cycles.LastMessage(s.record())
	default:
		return ""
	}
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
	if !redelivers(s.article) || removalOf(s.article, s.site) != removalNone {
		return metav1.Condition{}, false
	}
	if DeliveryInProgress(s.article) != nil {
		return conditions.False(v1alpha1.ReasonDelivering, cycles.Text(s.record())+" is in progress"), true
	}
	if b := s.blocked(v1alpha1.ConditionRedelivered, s.found.Publication); b != nil && conditions.Reasons[b.Reason].Blocks {
		return b.Condition(), true
	}
	if s.retries() {
		return conditions.False(v1alpha1.ReasonRetryScheduled, cycles.RetryText(s.record())), true
	}
	return metav1.Condition{}, false
}

// retries reports whether the last cycle waits for the time of its retry.
func (s summary) retries() bool {
	c := CycleOf(s.article)
	return c.State == v1alpha1.CycleRetryScheduled && c.NextAttemptTime != nil
}

// takenBack says that the post was taken back; when, unless it may still be there.
func (s summary) takenBack() metav1.Condition {
	if at := Have(s.article).UnpublishTime; Unpublished(s.article) {
		return conditions.False(v1alpha1.ReasonUnpublished, "the post was taken back at "+at.UTC().Format(time.RFC3339))
	}
	return conditions.False(v1alpha1.ReasonUnpublished, "the post was taken back on request, and comes back on request only")
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

// delivering says what the first delivery of an approved text waits for. One that is held has its time too.
func (s summary) delivering() metav1.Condition {
	if early(s.article, s.Now) {
		return s.scheduled()
	}
	return s.waiting()
}

// waiting describes a delivery that is due and has no attempt in progress.
func (s summary) waiting() metav1.Condition {
	if s.site == nil {
		return s.noSite()
	}
	if b := s.blocked(DeliveryCondition(s.article), s.found.Publication); b != nil {
		return b.Condition()
	}
	if s.retries() {
		return conditions.False(v1alpha1.ReasonRetryScheduled, cycles.RetryText(s.record()))
	}
	return NoSlotAtReceiver().Condition()
}

// deliveryEnded describes a delivery that ended in failure.
func (s summary) deliveryEnded() metav1.Condition {
	c := CycleOf(s.article)
	switch {
	case c.Reason != v1alpha1.ReasonNotSupportedYet:
		return conditions.False(c.Reason, cycles.Text(s.record())+": "+cycles.LastMessage(s.record()))
	case c.Purpose == v1alpha1.PurposeRemove:
		return conditions.False(c.Reason, "nothing takes back a post from an address that is not the Site's any more")
	default:
		return conditions.False(c.Reason, "publishing to this type of CMS is not supported yet")
	}
}
