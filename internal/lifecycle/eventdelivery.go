package lifecycle

import (
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// EventRetention is how long an ended delivery is kept, and how long an event that cannot be sent is tried.
const EventRetention = 7 * 24 * time.Hour

// The steps of the event delivery controller, beside StartCycle, RetryDelivery, FollowDelivery and Wait.
const (
	// ExpireEvent ends a delivery that could not be sent in time.
	ExpireEvent Step = "ExpireEvent"
	// RemoveEvent removes a delivery that ended 7 days ago.
	RemoveEvent Step = "RemoveEvent"
)

// NextForEvent decides what to do for a delivery. s is nil if the subscription does not exist.
func NextForEvent(d *v1alpha1.EventDelivery, s *v1alpha1.EventSubscription, now time.Time) Decision {
	cycle := d.Status.Cycle
	switch {
	case !d.DeletionTimestamp.IsZero():
		return Decision{Step: Wait}
	case OpenAttempt(&d.Status.DeliveryRecord) != nil:
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

// eventSince is when the delivery became due: a redelivery counts from the end of the cycle before.
func eventSince(d *v1alpha1.EventDelivery) time.Time {
	if d.Status.EndedAt != nil {
		return d.Status.EndedAt.Time
	}
	return d.Spec.At.Time
}

// eventEnded reports whether the delivery has ended. One that ended before its first attempt has no cycle.
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

// SummarizeEvent sets a delivery's conditions from its facts. blocked, if it is not nil, blocks a due attempt.
func SummarizeEvent(d *v1alpha1.EventDelivery, s *v1alpha1.EventSubscription, now time.Time, blocked *BlockedError) {
	delivered := eventState(d, s, blocked)
	failed := delivered.status == metav1.ConditionFalse && eventEnded(d) && !eventRedeliveryAsked(d)
	inProgress := delivered.status == metav1.ConditionFalse && !failed
	set := conditionSetter{conditions: &d.Status.Conditions, generation: d.Generation, now: now}
	set.set(v1alpha1.ConditionDelivered, delivered)
	set.set(v1alpha1.ConditionReady, delivered)
	set.setIf(inProgress, v1alpha1.ConditionReconciling, delivered)
	set.setIf(failed, v1alpha1.ConditionStalled, delivered)
	d.Status.ObservedGeneration = d.Generation
}

func eventState(d *v1alpha1.EventDelivery, s *v1alpha1.EventSubscription, blocked *BlockedError) conditionState {
	c := d.Status.Cycle
	switch {
	case c != nil && c.State == v1alpha1.CycleDelivered && !eventRedeliveryAsked(d):
		return isTrue(v1alpha1.ReasonDelivered, "accepted by the receiver at "+attemptText(&d.Status.DeliveryRecord))
	case c != nil && c.State == v1alpha1.CycleDelivering:
		return isFalse(v1alpha1.ReasonDelivering, attemptText(&d.Status.DeliveryRecord)+" is in progress")
	case eventEnded(d) && !eventRedeliveryAsked(d):
		return eventFailure(&d.Status.DeliveryRecord)
	case blocked != nil:
		return blockedBy(blocked)
	case s == nil:
		return isFalse(v1alpha1.ReasonSubscriptionNotFound,
			fmt.Sprintf("the EventSubscription %q does not exist", d.Spec.SubscriptionRef.Name))
	case suspended(s):
		return isFalse(v1alpha1.ReasonSuspended,
			"the subscription is suspended: an edit of its spec, or a new "+v1alpha1.ResumeAnnotation+", resumes it")
	case c != nil && c.State == v1alpha1.CycleRetryScheduled && c.NextAttemptAt != nil:
		return isFalse(v1alpha1.ReasonRetryScheduled, retryText(&d.Status.DeliveryRecord))
	default:
		return blockedBy(NoSlotAtReceiver())
	}
}

// eventFailure describes a delivery that ended in failure.
func eventFailure(r *v1alpha1.DeliveryRecord) conditionState {
	if r.Cycle == nil || r.Cycle.Reason == v1alpha1.ReasonExpired {
		return isFalse(v1alpha1.ReasonExpired, "the event could not be sent for 7 days")
	}
	return isFalse(r.Cycle.Reason, attemptText(r)+": "+LastMessage(r))
}

// EventOpen reports whether more attempts of a delivery may follow. It does not depend on the subscription.
func EventOpen(d *v1alpha1.EventDelivery) bool { return !eventEnded(d) || eventRedeliveryAsked(d) }

// EventExpired reports whether an event could not be sent for 7 days.
func EventExpired(d *v1alpha1.EventDelivery, now time.Time) bool {
	return !eventSince(d).Add(EventRetention).After(now)
}

// BeginEvent writes the next attempt to deliver an event ahead; fresh begins a new cycle with it.
func BeginEvent(d *v1alpha1.EventDelivery, by AttemptID, fresh bool, now time.Time) {
	beginAttempt(&d.Status.DeliveryRecord, by, fresh, Nonce(d, v1alpha1.RedeliverAnnotation), now)
	d.Status.EndedAt = nil
}

// EndExpired ends a delivery that could not be sent in time. A redelivery that was asked for ends with it.
func EndExpired(d *v1alpha1.EventDelivery, now time.Time) {
	nonce, at := Nonce(d, v1alpha1.RedeliverAnnotation), metav1.NewMicroTime(now)
	if d.Status.Cycle == nil {
		d.Status.Cycle = &v1alpha1.DeliveryCycle{Number: 1}
	}
	c := d.Status.Cycle
	c.State, c.Reason, c.NextAttemptAt, c.Nonce = v1alpha1.CycleFailed, v1alpha1.ReasonExpired, nil, handled(nonce, c.Nonce)
	d.Status.EndedAt = &at
}

// EndEvent records how the attempt to deliver an event ended.
func EndEvent(d *v1alpha1.EventDelivery, e AttemptEnd, s Schedule, now time.Time) {
	endAttempt(&d.Status.DeliveryRecord, e, s, now)
	if d.Status.Cycle.State != v1alpha1.CycleRetryScheduled {
		at := metav1.NewMicroTime(now)
		d.Status.EndedAt = &at
	}
}
