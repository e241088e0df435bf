package eventdelivery_test

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/backoff"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/eventdelivery"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// plain is a schedule without jitter.
var plain = cycles.Schedule{Delays: backoff.DefaultRetryDelays(), Random: 0.5}

func ended(o v1alpha1.AttemptOutcome) cycles.End {
	return cycles.End{AttemptResult: v1alpha1.AttemptResult{Outcome: o, Message: "m"}}
}

func final(e cycles.End) cycles.End {
	e.Final = true
	return e
}

func TestAnEventEndsWithItsCycle(t *testing.T) {
	d := &v1alpha1.EventDelivery{}
	for _, tt := range []struct {
		ended cycles.End
		want  bool
	}{
		{ended(v1alpha1.AttemptTimeout), false}, {ended(v1alpha1.AttemptAccepted), true},
		{final(ended(v1alpha1.AttemptRejected)), true},
	} {
		eventdelivery.Begin(d, cycles.AttemptID{ID: "1"}, true, now)
		if d.Status.FinishTime != nil {
			t.Error("an event in progress has not ended")
		}
		eventdelivery.End(d, tt.ended, plain, now)
		if (d.Status.FinishTime != nil) != tt.want {
			t.Errorf("after %s the event has ended at %v", tt.ended.Outcome, d.Status.FinishTime)
		}
	}
}

func TestHowLongADeliveryIsKept(t *testing.T) {
	const day = 24 * time.Hour
	for name, tt := range map[string]struct {
		end  cycles.End
		want time.Duration
	}{
		"delivered": {ended(v1alpha1.AttemptAccepted), day},
		"failed":    {final(ended(v1alpha1.AttemptRejected)), 7 * day},
	} {
		t.Run(name, func(t *testing.T) {
			d, s := &v1alpha1.EventDelivery{}, &v1alpha1.EventSubscription{}
			eventdelivery.Begin(d, cycles.AttemptID{ID: "1"}, true, now)
			eventdelivery.End(d, tt.end, plain, now)
			wait := lifecycle.Decision{Step: lifecycle.Wait, Until: now.Add(tt.want)}
			if got := eventdelivery.Next(d, s, now.Add(tt.want-time.Second)); got != wait {
				t.Errorf("before its time the next step is %v, want %v", got, wait)
			}
			if got := eventdelivery.Next(d, s, now.Add(tt.want)).Step; got != eventdelivery.Remove {
				t.Errorf("after its time the next step is %s, want %s", got, eventdelivery.Remove)
			}
			d.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "again"}
			if got := eventdelivery.Next(d, s, now.Add(tt.want)).Step; got != lifecycle.BeginCycle {
				t.Errorf("if a redelivery is asked for, the next step is %s, want %s", got, lifecycle.BeginCycle)
			}
		})
	}
}

// An event is no longer delivered once another delivery of it is asked for, so its condition reports the redelivery.
func TestABlockedRedeliveryOfAnEventIsReported(t *testing.T) {
	d, s := &v1alpha1.EventDelivery{}, &v1alpha1.EventSubscription{}
	eventdelivery.Begin(d, cycles.AttemptID{ID: "1"}, true, now)
	eventdelivery.End(d, ended(v1alpha1.AttemptAccepted), plain, now)
	d.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "again"}
	noSecret := &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound, Message: "the Secret is missing"}
	for _, row := range []struct {
		found       *lifecycle.BlockedError
		want        string
		wantBlocked bool
	}{
		{noSecret, v1alpha1.ReasonSecretNotFound, true},
		{nil, v1alpha1.ReasonProgressing, false},
	} {
		eventdelivery.Summarize(d, s, now, row.found)
		if got := meta.FindStatusCondition(d.Status.Conditions, v1alpha1.ConditionDelivered).Reason; got != row.want {
			t.Errorf("Delivered = False/%s, want %s", got, row.want)
		}
		if got := eventdelivery.Blocked(d); got != row.wantBlocked {
			t.Errorf("with %s it is blocked: %t, want %t", row.want, got, row.wantBlocked)
		}
	}
}

func TestWhenAnEventBecameDue(t *testing.T) {
	happened, retry := v1alpha1.NewMicroTime(now.Add(-time.Minute)), v1alpha1.NewMicroTime(now.Add(-time.Second))
	d := &v1alpha1.EventDelivery{Spec: v1alpha1.EventDeliverySpec{Time: happened}}
	if got := eventdelivery.DueAt(d); !got.Equal(happened.Time) {
		t.Errorf("a new one: %v, want %v", got, happened)
	}
	for _, reason := range []string{v1alpha1.ReasonSecretNotFound, v1alpha1.ReasonSuspended} {
		d.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ConditionDelivered, Status: metav1.ConditionFalse, Reason: reason}}
		if got := eventdelivery.DueAt(d); !got.IsZero() {
			t.Errorf("one that was %s: %v, want no time", reason, got)
		}
	}
	d.Status.Conditions = nil
	d.Status.Cycle = &v1alpha1.DeliveryCycle{State: v1alpha1.CycleRetryScheduled, NextAttemptTime: &retry}
	if got := eventdelivery.DueAt(d); !got.Equal(retry.Time) {
		t.Errorf("a retry: %v, want %v", got, retry)
	}
	d.Status.Cycle.State, d.Status.Cycle.NextAttemptTime, d.Status.FinishTime = v1alpha1.CycleFailed, nil, &retry
	d.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "n"}
	if got := eventdelivery.DueAt(d); !got.IsZero() {
		t.Errorf("a redelivery: %v, want no time", got)
	}
}
