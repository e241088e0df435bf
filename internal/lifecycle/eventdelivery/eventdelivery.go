// Package eventdelivery is the state machine of an EventDelivery: its next step, its conditions, and what its attempts say about the
// receiver of its EventSubscription. Pure.
package eventdelivery

import (
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
)

const (
	// DeliveredRetention is how long a delivery is kept after the receiver has accepted it.
	DeliveredRetention = 24 * time.Hour
	// FailedRetention is how long a delivery is kept after it ended in failure, so that somebody can redeliver it.
	FailedRetention = 7 * 24 * time.Hour
	// sendingPeriod is how long an event that cannot be sent is tried.
	sendingPeriod = 7 * 24 * time.Hour
)

// The steps of the event delivery controller, beside StartCycle, RetryDelivery, FollowDelivery and Wait of package lifecycle.
const (
	// Expire ends a delivery that could not be sent in time.
	Expire lifecycle.Step = "ExpireEvent"
	// Remove removes a delivery that has been kept long enough after its end.
	Remove lifecycle.Step = "RemoveEvent"
)

// Next decides what to do for a delivery. s is nil if the subscription does not exist.
func Next(d *v1alpha1.EventDelivery, s *v1alpha1.EventSubscription, now time.Time) lifecycle.Decision {
	cycle := d.Status.Cycle
	switch {
	case !d.DeletionTimestamp.IsZero():
		return lifecycle.Decision{Step: lifecycle.Wait}
	case cycles.InProgress(&d.Status.DeliveryRecord) != nil:
		return lifecycle.Decision{Step: lifecycle.FollowCycle}
	case ended(d) && !redeliveryRequested(d):
		return at(d.Status.FinishTime.Add(retention(d)), now, Remove)
	case s == nil, s.Suspended():
		return at(Expiry(d), now, Expire)
	case cycle == nil, redeliveryRequested(d):
		return lifecycle.Decision{Step: lifecycle.BeginCycle}
	case cycle.NextAttemptTime != nil:
		return at(cycle.NextAttemptTime.Time, now, lifecycle.RetryCycle)
	default:
		return lifecycle.Decision{Step: lifecycle.RetryCycle}
	}
}

// at is a step that is due at a time.
func at(due, now time.Time, step lifecycle.Step) lifecycle.Decision {
	if due.After(now) {
		return lifecycle.Decision{Step: lifecycle.Wait, Until: due}
	}
	return lifecycle.Decision{Step: step}
}

// retention is how long a delivery that has ended is kept.
func retention(d *v1alpha1.EventDelivery) time.Duration {
	if c := d.Status.Cycle; c != nil && c.State == v1alpha1.CycleAccepted {
		return DeliveredRetention
	}
	return FailedRetention
}

// dueSince is when the delivery became due: a redelivery counts from the end of the cycle before.
func dueSince(d *v1alpha1.EventDelivery) time.Time {
	if d.Status.FinishTime != nil {
		return d.Status.FinishTime.Time
	}
	return d.Spec.Time.Time
}

// ended reports whether the delivery has ended. One that ended before its first attempt has no cycle.
func ended(d *v1alpha1.EventDelivery) bool {
	if d.Status.FinishTime == nil {
		return false
	}
	c := d.Status.Cycle
	return c == nil || c.State == v1alpha1.CycleAccepted || c.State == v1alpha1.CycleFailed
}

func redeliveryRequested(d *v1alpha1.EventDelivery) bool {
	return ended(d) && command.Requested(d, d.Status.HandledRequests, v1alpha1.RedeliverAnnotation)
}

// Summarize sets a delivery's conditions from its facts. blocked, if it is not nil, blocks a due attempt.
func Summarize(d *v1alpha1.EventDelivery, s *v1alpha1.EventSubscription, now time.Time, blocked *lifecycle.BlockedError) {
	delivered := state(d, s, blocked)
	failed := delivered.Status == metav1.ConditionFalse && ended(d) && !redeliveryRequested(d)
	inProgress := delivered.Status == metav1.ConditionFalse && !failed
	set := conditions.Setter{Conditions: &d.Status.Conditions, Generation: d.Generation, Now: now}
	set.Set(v1alpha1.ConditionDelivered, delivered)
	set.Set(v1alpha1.ConditionReady, delivered)
	set.SetIf(inProgress, v1alpha1.ConditionReconciling, delivered)
	set.SetIf(failed, v1alpha1.ConditionStalled, delivered)
	d.Status.ObservedGeneration = d.Generation
}

func state(d *v1alpha1.EventDelivery, s *v1alpha1.EventSubscription, blocked *lifecycle.BlockedError) metav1.Condition {
	c := d.Status.Cycle
	switch {
	case c != nil && c.State == v1alpha1.CycleAccepted && !redeliveryRequested(d):
		return conditions.True(v1alpha1.ReasonDelivered, "accepted by the receiver at "+cycles.Text(&d.Status.DeliveryRecord))
	case c != nil && c.State == v1alpha1.CycleInProgress:
		return conditions.False(v1alpha1.ReasonDelivering, cycles.Text(&d.Status.DeliveryRecord)+" is in progress")
	case ended(d) && !redeliveryRequested(d):
		return failure(&d.Status.DeliveryRecord)
	case blocked != nil:
		return blocked.Condition()
	default:
		return waiting(d, s)
	}
}

// waiting describes what a delivery waits for that nothing in its workspace blocks.
func waiting(d *v1alpha1.EventDelivery, s *v1alpha1.EventSubscription) metav1.Condition {
	c := d.Status.Cycle
	switch {
	case s == nil:
		return conditions.False(v1alpha1.ReasonSubscriptionNotFound,
			fmt.Sprintf("the EventSubscription %q does not exist", d.Spec.SubscriptionRef.Name))
	case s.Spec.Suspend:
		return conditions.False(v1alpha1.ReasonSuspended, "spec.suspend of the subscription is true")
	case s.Suspended():
		return conditions.False(v1alpha1.ReasonSuspended,
			"the subscription is suspended: an edit of its spec, or a new "+v1alpha1.ResumeAnnotation+", resumes it")
	case c != nil && c.State == v1alpha1.CycleRetryScheduled && c.NextAttemptTime != nil:
		return conditions.False(v1alpha1.ReasonRetryScheduled, cycles.RetryText(&d.Status.DeliveryRecord))
	default:
		return lifecycle.NoSlotAtReceiver().Condition()
	}
}

// failure describes a delivery that ended in failure.
func failure(r *v1alpha1.DeliveryRecord) metav1.Condition {
	if r.Cycle == nil || r.Cycle.Reason == v1alpha1.ReasonExpired {
		return conditions.False(v1alpha1.ReasonExpired, "the event could not be sent for 7 days")
	}
	return conditions.False(r.Cycle.Reason, cycles.Text(r)+": "+cycles.LastMessage(r))
}

// Unfinished reports whether more attempts of a delivery may follow. It does not depend on the subscription.
func Unfinished(d *v1alpha1.EventDelivery) bool { return !ended(d) || redeliveryRequested(d) }

// Expired reports whether an event could not be sent for 7 days.
func Expired(d *v1alpha1.EventDelivery, now time.Time) bool { return !Expiry(d).After(now) }

// Expiry returns when an event that cannot be sent expires.
func Expiry(d *v1alpha1.EventDelivery) time.Time { return dueSince(d).Add(sendingPeriod) }

// Begin writes the next attempt to deliver an event ahead; fresh begins a new cycle with it.
func Begin(d *v1alpha1.EventDelivery, by cycles.AttemptID, fresh bool, now time.Time) {
	if fresh {
		command.MarkHandled(d, &d.Status.HandledRequests, v1alpha1.RedeliverAnnotation)
	}
	cycles.Begin(&d.Status.DeliveryRecord, by, fresh, now)
	d.Status.FinishTime = nil
}

// EndExpired ends a delivery that could not be sent in time. A redelivery that was asked for ends with it.
func EndExpired(d *v1alpha1.EventDelivery, now time.Time) {
	at := v1alpha1.NewMicroTime(now)
	command.MarkHandled(d, &d.Status.HandledRequests, v1alpha1.RedeliverAnnotation)
	if d.Status.Cycle == nil {
		d.Status.Cycle = &v1alpha1.DeliveryCycle{Number: 1}
	}
	c := d.Status.Cycle
	c.State, c.Reason, c.NextAttemptTime = v1alpha1.CycleFailed, v1alpha1.ReasonExpired, nil
	d.Status.FinishTime = &at
}

// End records how the attempt to deliver an event ended.
func End(d *v1alpha1.EventDelivery, e cycles.End, s cycles.Schedule, now time.Time) {
	cycles.RecordEnd(&d.Status.DeliveryRecord, e, s, now)
	if d.Status.Cycle.State != v1alpha1.CycleRetryScheduled {
		at := v1alpha1.NewMicroTime(now)
		d.Status.FinishTime = &at
	}
}

// DueAt returns when the next attempt to deliver an event became due; zero if the delivery does not say: a nonce
// asks for it, or it was blocked or its subscription suspended.
func DueAt(d *v1alpha1.EventDelivery) time.Time {
	switch {
	case redeliveryRequested(d), Blocked(d):
		return time.Time{}
	case d.Status.Cycle == nil:
		return d.Spec.Time.Time
	case d.Status.Cycle.NextAttemptTime == nil:
		return time.Time{}
	default:
		return d.Status.Cycle.NextAttemptTime.Time
	}
}

// Blocked reports whether status says that the event's delivery attempt is blocked, for example by a missing Secret.
func Blocked(d *v1alpha1.EventDelivery) bool {
	return conditions.ReasonOf(d.Status.Conditions, v1alpha1.ConditionDelivered).Blocks
}

// Awaits reports whether status says that the delivery of an event waits for this need.
func Awaits(d *v1alpha1.EventDelivery, need conditions.Need) bool {
	return conditions.ReasonOf(d.Status.Conditions, v1alpha1.ConditionDelivered).WaitsFor == need
}
