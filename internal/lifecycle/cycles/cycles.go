// Package cycles records the attempts to reach a receiver, of articles and events alike: how one begins and ends, and when the next attempt
// of its cycle is due. Pure.
package cycles

import (
	"fmt"
	"slices"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/backoff"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// End is how an attempt ended.
type End struct {
	v1alpha1.AttemptResult
	// Final means that another attempt would be useless.
	Final bool
	// Uncounted means that nothing was sent and the receiver is not the cause: the attempt does not count.
	Uncounted bool
	// RetryAfter is the wait that the receiver asks for; 0 if it asks for none.
	RetryAfter time.Duration
	// Snippet is what status shows of the answer.
	Snippet string
}

// Interrupted is the end of an attempt whose process ended. The request may have reached the receiver, so the attempt counts.
func Interrupted() End {
	return End{AttemptResult: v1alpha1.AttemptResult{
		Outcome: v1alpha1.AttemptUnknown, ErrorClass: v1alpha1.ErrorInterrupted,
		Message: "the controller's process ended during the attempt",
	}}
}

// Schedule says when failed attempts are made again.
type Schedule struct {
	// Delays are the waits before the retries, before jitter.
	Delays []time.Duration
	// Random is in [0, 1) and makes the jitter.
	Random float64
}

// CycleOutcome is the state of a cycle after an attempt: ended, or waiting for its next attempt.
type CycleOutcome struct {
	State  v1alpha1.CycleState
	Reason string
	// Wait is how long until the next attempt, if there is one.
	Wait time.Duration
}

// After decides between retry and end after the attempt of this number, from 1 (docs/reference/contract.md, Delivery).
func After(e End, number int32, s Schedule) CycleOutcome {
	switch {
	case e.Outcome == v1alpha1.AttemptAccepted:
		return CycleOutcome{State: v1alpha1.CycleAccepted, Reason: v1alpha1.ReasonDelivered}
	case e.Final:
		return CycleOutcome{State: v1alpha1.CycleFailed, Reason: finalReason(e.AttemptResult)}
	case number >= v1alpha1.MaxAttempts:
		return CycleOutcome{State: v1alpha1.CycleFailed, Reason: v1alpha1.ReasonExhausted}
	default:
		return retryIn(backoff.Delivery(s.Delays, int(number), e.RetryAfter, s.Random))
	}
}

func retryIn(wait time.Duration) CycleOutcome {
	return CycleOutcome{State: v1alpha1.CycleRetryScheduled, Reason: v1alpha1.ReasonRetryScheduled, Wait: wait}
}

// finalReason is the reason of a cycle that ended before its retries were used up.
func finalReason(r v1alpha1.AttemptResult) string {
	switch {
	case conditions.Reasons[string(r.ErrorClass)].UntilChange:
		return string(r.ErrorClass)
	case r.Outcome == v1alpha1.AttemptAddressBlocked:
		return v1alpha1.ReasonAddressBlocked
	case r.Outcome == v1alpha1.AttemptRejected:
		return v1alpha1.ReasonReceiverRejected
	default:
		return v1alpha1.ReasonNotSent
	}
}

// AttemptID identifies an attempt that is about to be made.
type AttemptID struct {
	// ID of the attempt.
	ID string
	// Holder is the process that makes it.
	Holder string
}

// Begin records an attempt before it is made: the next one of the cycle, or, if fresh, the first of a new one.
func Begin(r *v1alpha1.DeliveryRecord, by AttemptID, fresh bool, now time.Time) {
	if fresh {
		r.Cycle = NewCycle(r)
		for i := range r.Attempts {
			r.Attempts[i].Message = ""
		}
	}
	attempt := v1alpha1.DeliveryAttempt{
		ID: by.ID, Holder: by.Holder, Cycle: r.Cycle.Number, Number: OfCycle(r) + 1, StartTime: v1alpha1.NewMicroTime(now),
		AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptInProgress},
	}
	r.Cycle.State, r.Cycle.Reason, r.Cycle.NextAttemptTime = v1alpha1.CycleInProgress, "", nil
	if over := len(r.Attempts) + 1 - v1alpha1.MaxAttemptsKept; over > 0 {
		r.Attempts = slices.Delete(r.Attempts, 0, over)
	}
	r.Attempts = append(r.Attempts, attempt)
}

// NewCycle returns the cycle that follows the last one.
func NewCycle(r *v1alpha1.DeliveryRecord) *v1alpha1.DeliveryCycle {
	cycle := &v1alpha1.DeliveryCycle{Number: 1}
	if r.Cycle != nil {
		cycle.Number = r.Cycle.Number + 1
	}
	return cycle
}

// RecordEnd records how the last attempt ended, and what becomes of its cycle. An attempt that does not count is removed: the attempts in
// status are those of which a request may have been sent.
func RecordEnd(r *v1alpha1.DeliveryRecord, e End, s Schedule, now time.Time) {
	if e.Uncounted {
		r.Attempts = r.Attempts[:len(r.Attempts)-1]
		recordCycle(r, retryIn(backoff.Delivery(s.Delays, 1, 0, s.Random)), now)
		return
	}
	attempt := &r.Attempts[len(r.Attempts)-1]
	attempt.Holder, attempt.AttemptResult = "", BoundedResult(e.AttemptResult)
	if e.HTTPStatus != 0 {
		r.LastAnswer = &v1alpha1.ReceiverAnswer{
			AttemptID: attempt.ID, HTTPStatus: attempt.HTTPStatus, Snippet: bounds.Cut(e.Snippet, v1alpha1.MaxSnippetBytes),
		}
		if e.RetryAfter > 0 {
			r.LastAnswer.RetryAfterTime = new(v1alpha1.NewMicroTime(now.Add(min(e.RetryAfter, backoff.MaxRetryAfter))))
		}
	}
	recordCycle(r, After(e, attempt.Number, s), now)
}

// recordCycle records what becomes of the last cycle.
func recordCycle(r *v1alpha1.DeliveryRecord, v CycleOutcome, now time.Time) {
	r.Cycle.State, r.Cycle.Reason, r.Cycle.NextAttemptTime = v.State, v.Reason, nil
	if v.State == v1alpha1.CycleRetryScheduled {
		due := v1alpha1.NewMicroTime(now.Add(v.Wait))
		r.Cycle.NextAttemptTime = &due
	}
}

// BoundedResult returns a result as status can hold it: its message cut, and its numbers within the bounds of the CRDs.
func BoundedResult(r v1alpha1.AttemptResult) v1alpha1.AttemptResult {
	r.Message = bounds.Cut(r.Message, v1alpha1.MaxAttemptMessageBytes)
	if r.HTTPStatus < 100 || r.HTTPStatus > 999 {
		r.HTTPStatus = 0
	}
	r.Milliseconds = min(max(r.Milliseconds, 0), (24 * time.Hour).Milliseconds())
	return r
}

// OfCycle is how many attempts the last cycle has had.
func OfCycle(r *v1alpha1.DeliveryRecord) int32 {
	if last := Last(r); last != nil && r.Cycle != nil && last.Cycle == r.Cycle.Number {
		return last.Number
	}
	return 0
}

// Last returns the newest attempt, or nil if there is none.
func Last(r *v1alpha1.DeliveryRecord) *v1alpha1.DeliveryAttempt {
	if len(r.Attempts) == 0 {
		return nil
	}
	return &r.Attempts[len(r.Attempts)-1]
}

// Ended returns the ids of the attempts that have ended. It is read from status, because a write that returned an error may still have been
// made.
func Ended(r *v1alpha1.DeliveryRecord) (ids []string) {
	for i := range r.Attempts {
		if r.Attempts[i].Outcome != v1alpha1.AttemptInProgress {
			ids = append(ids, r.Attempts[i].ID)
		}
	}
	return ids
}

// InProgress returns the attempt that is in progress, or nil.
func InProgress(r *v1alpha1.DeliveryRecord) *v1alpha1.DeliveryAttempt {
	last := Last(r)
	if last == nil || last.Outcome != v1alpha1.AttemptInProgress {
		return nil
	}
	return last
}

// Cooldown returns for how long from now the host has asked not to be called.
func Cooldown(r *v1alpha1.DeliveryRecord, now time.Time) time.Duration {
	if r.LastAnswer == nil || r.LastAnswer.RetryAfterTime == nil {
		return 0
	}
	return max(r.LastAnswer.RetryAfterTime.Sub(now), 0)
}

// LastMessage returns the message of the newest attempt.
func LastMessage(r *v1alpha1.DeliveryRecord) string {
	if last := Last(r); last != nil {
		return last.Message
	}
	return ""
}

// Text names the newest attempt of the cycle, as in "attempt 2 of 4".
func Text(r *v1alpha1.DeliveryRecord) string {
	return fmt.Sprintf("attempt %d of %d", OfCycle(r), v1alpha1.MaxAttempts)
}

// RetryText says what failed, and when the next attempt is due. The cycle must have a next attempt.
func RetryText(r *v1alpha1.DeliveryRecord) string {
	if OfCycle(r) == 0 {
		return fmt.Sprintf("attempt 1 of %d is due at %s", v1alpha1.MaxAttempts, r.Cycle.NextAttemptTime.UTC().Format(time.RFC3339))
	}
	return fmt.Sprintf("%s failed (%s); the next one is due at %s",
		Text(r), LastMessage(r), r.Cycle.NextAttemptTime.UTC().Format(time.RFC3339))
}
