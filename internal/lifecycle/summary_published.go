package lifecycle

import (
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// published says how publishing stands.
func (s summary) published() conditions.State {
	a := s.article
	p := a.Status.Publication
	if published(a) {
		return conditions.True(s.publishedReason(), s.publishedMessage(p)+s.liveText(p))
	}
	switch {
	case openDelivery(a) != nil:
		return conditions.False(v1alpha1.ReasonDelivering, attempts.Text(&p.DeliveryRecord)+" is in progress")
	case deliveryFailed(a) && !(p.Cycle != nil && RedeliveryAsked(a)):
		return s.deliveryEnded(p)
	case a.Spec.Stage != v1alpha1.StagePublished:
		return conditions.False(v1alpha1.ReasonNotRequested, "spec.stage is "+string(a.Spec.Stage)+", not Published")
	case !isApproved(a):
		return conditions.False(v1alpha1.ReasonNotApproved, "waits for the approval of the current revision")
	case early(a, s.Now):
		return conditions.False(v1alpha1.ReasonScheduled, "waits for "+a.Spec.PublishAfter.UTC().Format(time.RFC3339))
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
	if p.RedeliveryBlockedReason != "" {
		return s.redeliveryMessage()
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

// liveText says that the site keeps another text than the current one: what is live does not change.
func (s summary) liveText(p *v1alpha1.Publication) string {
	if s.article.Status.Revision == nil || p.Digest == s.article.Status.Revision.Digest {
		return ""
	}
	return "; the site keeps the text of " + p.Digest + ", and the current one is not sent"
}

// setRedeliveryBlockedReason records what blocks a redelivery. The condition Published stays True, so its reason cannot say that.
func (s summary) setRedeliveryBlockedReason() {
	p := s.article.Status.Publication
	switch found := s.found.Publication; {
	case p == nil:
	case !published(s.article) || !redeliveryDue(s.article) || found != nil && !conditions.Reasons[found.Reason].Blocks:
		p.RedeliveryBlockedReason = ""
	case found != nil:
		p.RedeliveryBlockedReason = found.Reason
	}
}

// redeliveryDue reports whether a published article has an attempt to come.
func redeliveryDue(a *v1alpha1.Article) bool {
	c := a.Status.Publication.Cycle
	return RedeliveryAsked(a) || c != nil && c.State == v1alpha1.CycleRetryScheduled
}

// redeliveryMessage says what blocks a redelivery: the blocker that was found just now, else the one in the condition.
func (s summary) redeliveryMessage() string {
	const waits = "accepted by the receiver; a redelivery waits: "
	if s.found.Publication != nil {
		return waits + s.found.Publication.Message
	}
	c := meta.FindStatusCondition(s.article.Status.Conditions, v1alpha1.ConditionPublished)
	if c == nil || !strings.HasPrefix(c.Message, waits) {
		return waits + s.article.Status.Publication.RedeliveryBlockedReason
	}
	return c.Message
}

// deliveryEnded describes a delivery that ended in failure.
func (s summary) deliveryEnded(p *v1alpha1.Publication) conditions.State {
	if p.Cycle == nil {
		return conditions.False(v1alpha1.ReasonNotSupportedYet, "publishing to this type of CMS is not supported yet")
	}
	return conditions.False(p.Cycle.Reason, attempts.Text(&p.DeliveryRecord)+": "+attempts.LastMessage(&p.DeliveryRecord))
}

// deliveryWaiting describes an approved article whose time has come and that has no attempt in progress.
func (s summary) deliveryWaiting(p *v1alpha1.Publication) conditions.State {
	if s.site == nil {
		return s.noSite()
	}
	if b := s.blocked(v1alpha1.ConditionPublished, s.found.Publication); b != nil {
		return b.State()
	}
	if p != nil && p.Cycle != nil && p.Cycle.State == v1alpha1.CycleRetryScheduled && p.Cycle.NextAttemptAt != nil {
		return conditions.False(v1alpha1.ReasonRetryScheduled, attempts.RetryText(&p.DeliveryRecord))
	}
	return NoSlotAtReceiver().State()
}
