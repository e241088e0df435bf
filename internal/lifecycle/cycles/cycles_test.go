package cycles_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/backoff"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
)

// plain is a schedule without jitter.
var plain = cycles.Schedule{Delays: backoff.DefaultRetryDelays(), Random: 0.5}

func ended(o v1alpha1.AttemptOutcome) cycles.End {
	return cycles.End{AttemptResult: v1alpha1.AttemptResult{Outcome: o, Message: "m"}}
}

func final(e cycles.End) cycles.End {
	e.Final = true
	return e
}

func after(e cycles.End, d time.Duration) cycles.End {
	e.RetryAfter = d
	return e
}

func TestRetryWaitOrEnd(t *testing.T) {
	retry := func(wait time.Duration) cycles.CycleOutcome {
		return cycles.CycleOutcome{State: v1alpha1.CycleRetryScheduled, Reason: v1alpha1.ReasonRetryScheduled, Wait: wait}
	}
	failed := func(reason string) cycles.CycleOutcome {
		return cycles.CycleOutcome{State: v1alpha1.CycleFailed, Reason: reason}
	}
	delivered := cycles.CycleOutcome{State: v1alpha1.CycleAccepted, Reason: v1alpha1.ReasonDelivered}
	for _, tt := range []struct {
		name   string
		ended  cycles.End
		number int32
		want   cycles.CycleOutcome
	}{
		{"accepted at once", ended(v1alpha1.AttemptAccepted), 1, delivered},
		{"accepted at last", ended(v1alpha1.AttemptAccepted), 4, delivered},
		{"rejected", ended(v1alpha1.AttemptRejected), 1, retry(10 * time.Second)},
		{"rejected twice", ended(v1alpha1.AttemptRejected), 2, retry(time.Minute)},
		{"rejected three times", ended(v1alpha1.AttemptRejected), 3, retry(5 * time.Minute)},
		{"rejected four times", ended(v1alpha1.AttemptRejected), 4, failed(v1alpha1.ReasonExhausted)},
		{"a timeout", ended(v1alpha1.AttemptTimeout), 1, retry(10 * time.Second)},
		{"no connection, at last", ended(v1alpha1.AttemptConnectionFailed), 4, failed(v1alpha1.ReasonExhausted)},
		{"a process that ended", cycles.Interrupted(), 1, retry(10 * time.Second)},
		{"a process that ended at last", cycles.Interrupted(), 4, failed(v1alpha1.ReasonExhausted)},
		{"an empty secret", ended(v1alpha1.AttemptNotSent), 1, retry(10 * time.Second)},
		{"a longer Retry-After", after(ended(v1alpha1.AttemptRejected), 2*time.Minute), 1, retry(2 * time.Minute)},
		{"a shorter Retry-After", after(ended(v1alpha1.AttemptRejected), time.Second), 2, retry(time.Minute)},
		{"a Retry-After of a day", after(ended(v1alpha1.AttemptRejected), 24*time.Hour), 1, retry(time.Hour)},
		{"a Retry-After at last", after(ended(v1alpha1.AttemptRejected), time.Minute), 4, failed(v1alpha1.ReasonExhausted)},
		{"410", final(ended(v1alpha1.AttemptRejected)), 1, failed(v1alpha1.ReasonReceiverRejected)},
		{"410 at last", final(ended(v1alpha1.AttemptRejected)), 4, failed(v1alpha1.ReasonReceiverRejected)},
		{"a forbidden address", final(ended(v1alpha1.AttemptAddressBlocked)), 2, failed(v1alpha1.ReasonAddressBlocked)},
		{"an unknown payload format", final(ended(v1alpha1.AttemptNotSent)), 1, failed(v1alpha1.ReasonNotSent)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := cycles.After(tt.ended, tt.number, plain); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestOtherFailuresOfACMSAreRetried(t *testing.T) {
	for _, class := range []v1alpha1.ErrorClass{v1alpha1.ErrorRateLimited, v1alpha1.ErrorUnavailable, v1alpha1.ErrorUnexpectedAnswer} {
		e := ended(v1alpha1.AttemptRejected)
		e.ErrorClass = class
		if got := cycles.After(e, 1, plain).State; got != v1alpha1.CycleRetryScheduled {
			t.Errorf("%s: %s, want %s", class, got, v1alpha1.CycleRetryScheduled)
		}
		if got := cycles.After(e, 4, plain).Reason; got != v1alpha1.ReasonExhausted {
			t.Errorf("%s at last: %s, want %s", class, got, v1alpha1.ReasonExhausted)
		}
	}
}

// A slow kube-apiserver, which is no fault of the receiver's, must not use up attempts.
func TestAnAttemptOfWhichNothingWasSentForThisProcessDoesNotCount(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	r := &v1alpha1.DeliveryRecord{}
	held := ended(v1alpha1.AttemptNotSent)
	held.Uncounted = true
	fresh := true
	for _, end := range []cycles.End{held, held, held, held, held, ended(v1alpha1.AttemptRejected), held, held} {
		cycles.Begin(r, cycles.AttemptID{ID: "a"}, fresh, now)
		cycles.RecordEnd(r, end, plain, now)
		fresh = false
		if r.Cycle.State != v1alpha1.CycleRetryScheduled || r.Cycle.NextAttemptTime.Sub(now) != 10*time.Second {
			t.Fatalf("after %s: %+v, want a retry", end.Outcome, r.Cycle)
		}
		if text := cycles.RetryText(r); strings.Contains(text, "attempt 0") {
			t.Errorf("status says %q", text)
		}
	}
	if n := cycles.OfCycle(r); n != 1 || len(r.Attempts) != 1 || r.Cycle.Number != 1 {
		t.Errorf("%d attempts of cycle %d, of which %d are recorded: want the one that was sent", n, r.Cycle.Number, len(r.Attempts))
	}
}
