package lifecycle

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// AttemptEnd is how an attempt ended.
type AttemptEnd struct {
	v1alpha1.AttemptResult
	// Final means that another attempt would be useless.
	Final bool
	// RetryAfter is the wait that the receiver asks for; 0 if it asks for none.
	RetryAfter time.Duration
	// Snippet is what status shows of the answer.
	Snippet string
}

// InterruptedEnd is the end of an attempt whose process ended. The request may have reached the receiver, so the attempt counts.
func InterruptedEnd() AttemptEnd {
	return AttemptEnd{AttemptResult: v1alpha1.AttemptResult{
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

// AfterAttempt decides between retry and end after the attempt of this number, from 1 (contract, section 6).
func AfterAttempt(e AttemptEnd, number int32, s Schedule) CycleOutcome {
	switch {
	case e.Outcome == v1alpha1.AttemptAccepted:
		return CycleOutcome{State: v1alpha1.CycleDelivered, Reason: v1alpha1.ReasonDelivered}
	case e.Final:
		return CycleOutcome{State: v1alpha1.CycleFailed, Reason: finalReason(e.AttemptResult)}
	case number >= v1alpha1.MaxAttempts:
		return CycleOutcome{State: v1alpha1.CycleFailed, Reason: v1alpha1.ReasonExhausted}
	default:
		return CycleOutcome{
			State: v1alpha1.CycleRetryScheduled, Reason: v1alpha1.ReasonRetryScheduled,
			Wait: DeliveryBackoff(s.Delays, int(number), e.RetryAfter, s.Random),
		}
	}
}

// finalReason is the reason of a cycle that ended before its retries were used up.
func finalReason(r v1alpha1.AttemptResult) string {
	switch {
	case Reasons[string(r.ErrorClass)].UntilChange:
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

// beginAttempt records an attempt before it is made: the next one of the cycle, or the first of a new one.
func beginAttempt(r *v1alpha1.DeliveryRecord, by AttemptID, fresh bool, nonce string, now time.Time) {
	if fresh {
		cycle := &v1alpha1.DeliveryCycle{Number: 1, Nonce: nonce}
		if r.Cycle != nil {
			cycle.Number, cycle.Nonce = r.Cycle.Number+1, handled(nonce, r.Cycle.Nonce)
		}
		r.Cycle = cycle
		for i := range r.Attempts {
			r.Attempts[i].Message = ""
		}
	}
	attempt := v1alpha1.DeliveryAttempt{
		ID: by.ID, Holder: by.Holder, Cycle: r.Cycle.Number, Number: AttemptsOfCycle(r) + 1, StartedAt: metav1.NewMicroTime(now),
		AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptInProgress},
	}
	r.Cycle.State, r.Cycle.Reason, r.Cycle.NextAttemptAt = v1alpha1.CycleDelivering, "", nil
	if over := len(r.Attempts) + 1 - v1alpha1.MaxAttemptsKept; over > 0 {
		r.Attempts = slices.Delete(r.Attempts, 0, over)
	}
	r.Attempts = append(r.Attempts, attempt)
}

// endAttempt records how the last attempt ended, and what becomes of its cycle.
func endAttempt(r *v1alpha1.DeliveryRecord, e AttemptEnd, s Schedule, now time.Time) {
	attempt := &r.Attempts[len(r.Attempts)-1]
	attempt.Holder, attempt.AttemptResult = "", boundedResult(e.AttemptResult)
	if e.HTTPStatus != 0 {
		r.LastAnswer = &v1alpha1.ReceiverAnswer{
			AttemptID: attempt.ID, HTTPStatus: attempt.HTTPStatus, Snippet: Bounded(e.Snippet, v1alpha1.MaxSnippetBytes),
		}
	}
	v := AfterAttempt(e, attempt.Number, s)
	r.Cycle.State, r.Cycle.Reason, r.Cycle.NextAttemptAt = v.State, v.Reason, nil
	if v.State == v1alpha1.CycleRetryScheduled {
		due := metav1.NewMicroTime(now.Add(v.Wait))
		r.Cycle.NextAttemptAt = &due
	}
}

// boundedResult is a result as status can hold it.
func boundedResult(r v1alpha1.AttemptResult) v1alpha1.AttemptResult {
	r.Message = Bounded(r.Message, v1alpha1.MaxAttemptMessageBytes)
	if r.HTTPStatus < 100 || r.HTTPStatus > 999 {
		r.HTTPStatus = 0
	}
	r.Milliseconds = min(max(r.Milliseconds, 0), (24 * time.Hour).Milliseconds())
	return r
}

// AttemptsOfCycle is how many attempts the last cycle has had.
func AttemptsOfCycle(r *v1alpha1.DeliveryRecord) int32 {
	if last := lastAttempt(r); last != nil && r.Cycle != nil && last.Cycle == r.Cycle.Number {
		return last.Number
	}
	return 0
}

// lastAttempt returns the newest attempt, or nil.
func lastAttempt(r *v1alpha1.DeliveryRecord) *v1alpha1.DeliveryAttempt {
	if len(r.Attempts) == 0 {
		return nil
	}
	return &r.Attempts[len(r.Attempts)-1]
}

// OpenAttempt returns the attempt that has not ended, or nil.
func OpenAttempt(r *v1alpha1.DeliveryRecord) *v1alpha1.DeliveryAttempt {
	last := lastAttempt(r)
	if last == nil || last.Outcome != v1alpha1.AttemptInProgress {
		return nil
	}
	return last
}

// LastMessage returns the message of the newest attempt.
func LastMessage(r *v1alpha1.DeliveryRecord) string {
	if last := lastAttempt(r); last != nil {
		return last.Message
	}
	return ""
}
