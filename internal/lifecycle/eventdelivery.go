package lifecycle

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// EventRetention is how long an ended delivery is kept, and how long an event looks for a way to its receiver.
const EventRetention = 7 * 24 * time.Hour

// The steps of the event delivery controller, beside StartCycle, RetryDelivery, FollowDelivery and Wait.
const (
	// ExpireEvent ends a delivery that found no way to its receiver in time.
	ExpireEvent Step = "ExpireEvent"
	// RemoveEvent removes a delivery whose time is over.
	RemoveEvent Step = "RemoveEvent"
)

// NextForEvent decides what to do for a delivery. s is nil where the subscription does not exist.
func NextForEvent(d *v1alpha1.EventDelivery, s *v1alpha1.EventSubscription, now time.Time) Decision {
	cycle := d.Status.Cycle
	switch {
	case !d.DeletionTimestamp.IsZero():
		return Decision{Step: Wait}
	case AttemptUnderWay(&d.Status.DeliveryRecord) != nil:
		return Decision{Step: FollowDelivery}
	case eventEnded(d) && !eventRedeliveryAsked(d):
		return at(d.Status.EndedAt.Add(EventRetention), now, RemoveEvent)
	case s == nil, suspended(s):
		return at(eventSince(d).Add(EventRetention), now, ExpireEvent)
	case cycle == nil, eventRedeliveryAsked(d):
		return Decision{Step: StartCycle}
	case cycle.NextAttemptAt != nil:
		return at(cycle.NextAttemptAt.Time, now, RetryDelivery)
	default:
		return Decision{Step: RetryDelivery}
	}
}

// at is a step that is due at a time.
func at(due, now time.Time, step Step) Decision {
	if due.After(now) {
		return Decision{Step: Wait, Until: due}
	}
	return Decision{Step: step}
}

// eventSince is when the delivery began to look for its way: a redelivery begins anew with the end of the cycle before.
func eventSince(d *v1alpha1.EventDelivery) time.Time {
	if d.Status.EndedAt != nil {
		return d.Status.EndedAt.Time
	}
	return d.Spec.At.Time
}

// eventEnded reports whether nothing more is sent. The end of a delivery that never began has no cycle.
func eventEnded(d *v1alpha1.EventDelivery) bool {
	if d.Status.EndedAt == nil {
		return false
	}
	c := d.Status.Cycle
	return c == nil || c.State == v1alpha1.CycleDelivered || c.State == v1alpha1.CycleFailed
}

func eventRedeliveryAsked(d *v1alpha1.EventDelivery) bool {
	return eventEnded(d) && cycleAsked(d, &d.Status.DeliveryRecord)
}

func suspended(s *v1alpha1.EventSubscription) bool { return s.Status.Suspension != nil }

// SummarizeEvent sets a delivery's conditions from its facts. found keeps a due attempt from starting.
func SummarizeEvent(d *v1alpha1.EventDelivery, s *v1alpha1.EventSubscription, now time.Time, found Obstacle) {
	delivered := eventState(d, s, found)
	failed := delivered.status == metav1.ConditionFalse && eventEnded(d) && !eventRedeliveryAsked(d)
	underWay := delivered.status == metav1.ConditionFalse && !failed
	setEvent(d, now, v1alpha1.ConditionDelivered, delivered)
	setEvent(d, now, v1alpha1.ConditionReady, delivered)
	setEventWhile(d, now, v1alpha1.ConditionReconciling, underWay, delivered)
	setEventWhile(d, now, v1alpha1.ConditionStalled, failed, delivered)
	d.Status.ObservedGeneration = d.Generation
}

func eventState(d *v1alpha1.EventDelivery, s *v1alpha1.EventSubscription, found Obstacle) state {
	c := d.Status.Cycle
	switch {
	case c != nil && c.State == v1alpha1.CycleDelivered && !eventRedeliveryAsked(d):
		return yes(v1alpha1.ReasonDelivered, "accepted by the receiver at "+attemptText(&d.Status.DeliveryRecord))
	case c != nil && c.State == v1alpha1.CycleDelivering:
		return no(v1alpha1.ReasonDelivering, attemptText(&d.Status.DeliveryRecord)+" is on the wire")
	case eventEnded(d) && !eventRedeliveryAsked(d):
		return eventFailure(&d.Status.DeliveryRecord)
	case found.Reason != "":
		return no(found.Reason, found.Message)
	case s == nil:
		return no(v1alpha1.ReasonSubscriptionNotFound, fmt.Sprintf("the EventSubscription %q does not exist", d.Spec.SubscriptionRef.Name))
	case suspended(s):
		return no(v1alpha1.ReasonSuspended,
			"the subscription is suspended: an edit of its spec, or a new "+v1alpha1.ResumeAnnotation+", resumes it")
	case c != nil && c.State == v1alpha1.CycleRetryScheduled && c.NextAttemptAt != nil:
		return no(v1alpha1.ReasonRetryScheduled, retryText(&d.Status.DeliveryRecord))
	default:
		return no(NoSlotAtReceiver.Reason, NoSlotAtReceiver.Message)
	}
}

// eventFailure tells of a delivery that ended in failure.
func eventFailure(r *v1alpha1.DeliveryRecord) state {
	if r.Cycle == nil || r.Cycle.Reason == v1alpha1.ReasonExpired {
		return no(v1alpha1.ReasonExpired, "the event found no way to its receiver for 7 days")
	}
	return no(r.Cycle.Reason, attemptText(r)+": "+LastMessage(r))
}

func setEvent(d *v1alpha1.EventDelivery, now time.Time, kind string, c state) {
	condition := metav1.Condition{
		Type: kind, Status: c.status, Reason: c.reason, Message: Bounded(c.message, maxConditionBytes), ObservedGeneration: d.Generation,
	}
	if old := meta.FindStatusCondition(d.Status.Conditions, kind); old == nil || old.Status != c.status {
		condition.LastTransitionTime = metav1.NewTime(now)
	}
	meta.SetStatusCondition(&d.Status.Conditions, condition)
}

func setEventWhile(d *v1alpha1.EventDelivery, now time.Time, kind string, holds bool, c state) {
	if !holds {
		meta.RemoveStatusCondition(&d.Status.Conditions, kind)
		return
	}
	setEvent(d, now, kind, yes(c.reason, c.message))
}

// EventExpired reports whether an event has looked for a way to its receiver for too long.
func EventExpired(d *v1alpha1.EventDelivery, now time.Time) bool {
	return !eventSince(d).Add(EventRetention).After(now)
}
