package lifecycle_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// plain is a schedule without jitter.
var plain = lifecycle.Schedule{Delays: lifecycle.DefaultRetryDelays(), Random: 0.5}

func ended(o v1alpha1.AttemptOutcome) lifecycle.AttemptEnd {
	return lifecycle.AttemptEnd{AttemptResult: v1alpha1.AttemptResult{Outcome: o, Message: "m"}}
}

func final(e lifecycle.AttemptEnd) lifecycle.AttemptEnd {
	e.Final = true
	return e
}

func after(e lifecycle.AttemptEnd, d time.Duration) lifecycle.AttemptEnd {
	e.RetryAfter = d
	return e
}

func TestRetryWaitOrEnd(t *testing.T) {
	retry := func(wait time.Duration) lifecycle.CycleOutcome {
		return lifecycle.CycleOutcome{State: v1alpha1.CycleRetryScheduled, Reason: v1alpha1.ReasonRetryScheduled, Wait: wait}
	}
	failed := func(reason string) lifecycle.CycleOutcome {
		return lifecycle.CycleOutcome{State: v1alpha1.CycleFailed, Reason: reason}
	}
	delivered := lifecycle.CycleOutcome{State: v1alpha1.CycleDelivered, Reason: v1alpha1.ReasonDelivered}
	for _, tt := range []struct {
		name   string
		ended  lifecycle.AttemptEnd
		number int32
		want   lifecycle.CycleOutcome
	}{
		{"accepted at once", ended(v1alpha1.AttemptAccepted), 1, delivered},
		{"accepted at last", ended(v1alpha1.AttemptAccepted), 4, delivered},
		{"rejected", ended(v1alpha1.AttemptRejected), 1, retry(10 * time.Second)},
		{"rejected twice", ended(v1alpha1.AttemptRejected), 2, retry(time.Minute)},
		{"rejected three times", ended(v1alpha1.AttemptRejected), 3, retry(5 * time.Minute)},
		{"rejected four times", ended(v1alpha1.AttemptRejected), 4, failed(v1alpha1.ReasonExhausted)},
		{"a timeout", ended(v1alpha1.AttemptTimeout), 1, retry(10 * time.Second)},
		{"no connection, at last", ended(v1alpha1.AttemptConnectionFailed), 4, failed(v1alpha1.ReasonExhausted)},
		{"a process that ended", lifecycle.InterruptedEnd(), 1, retry(10 * time.Second)},
		{"a process that ended at last", lifecycle.InterruptedEnd(), 4, failed(v1alpha1.ReasonExhausted)},
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
			if got := lifecycle.AfterAttempt(tt.ended, tt.number, plain); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// Articles and events go through the same cycle: what holds for one is tried on both.
func TestACycleOfAttempts(t *testing.T) {
	id := strings.Repeat("1", 36)
	by := lifecycle.AttemptID{ID: id, Holder: "process"}
	a, d := article(approvedAndAsked), &v1alpha1.EventDelivery{}
	for name, subject := range map[string]struct {
		record func() *v1alpha1.DeliveryRecord
		begin  func(fresh bool, at time.Time)
		end    func(e lifecycle.AttemptEnd, at time.Time)
	}{
		"an article": {
			func() *v1alpha1.DeliveryRecord { return &a.Status.Publication.DeliveryRecord },
			func(fresh bool, at time.Time) { lifecycle.BeginDelivery(a, by, fresh, at) },
			func(e lifecycle.AttemptEnd, at time.Time) { lifecycle.EndDelivery(a, e, plain, at) },
		},
		"an event": {
			func() *v1alpha1.DeliveryRecord { return &d.Status.DeliveryRecord },
			func(fresh bool, at time.Time) { lifecycle.BeginEvent(d, by, fresh, at) },
			func(e lifecycle.AttemptEnd, at time.Time) { lifecycle.EndEvent(d, e, plain, at) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			subject.begin(true, now)
			r := subject.record()
			if open := lifecycle.OpenAttempt(r); open == nil || open.Holder != "process" || open.Cycle != 1 || open.Number != 1 ||
				r.Cycle.State != v1alpha1.CycleDelivering || r.Cycle.NextAttemptAt != nil {
				t.Fatalf("written ahead is %+v of %+v", open, r.Cycle)
			}
			answer := ended(v1alpha1.AttemptRejected)
			answer.HTTPStatus, answer.Snippet, answer.Milliseconds = 503, "down", 17
			subject.end(answer, now)
			if lifecycle.OpenAttempt(r) != nil || r.Attempts[0].Holder != "" || r.Attempts[0].AttemptResult != answer.AttemptResult {
				t.Errorf("recorded is %+v", r.Attempts[0])
			}
			if !r.Cycle.NextAttemptAt.Time.Equal(now.Add(10 * time.Second)) {
				t.Errorf("the next attempt is due at %s", r.Cycle.NextAttemptAt)
			}
			subject.begin(false, now)
			subject.end(ended(v1alpha1.AttemptTimeout), now)
			if want := (v1alpha1.ReceiverAnswer{AttemptID: id, HTTPStatus: 503, Snippet: "down"}); *r.LastAnswer != want {
				t.Errorf("the last answer is %+v, want the one that came", r.LastAnswer)
			}
			for range 2 {
				subject.begin(false, now)
				subject.end(ended(v1alpha1.AttemptTimeout), now)
			}
			if r.Cycle.State != v1alpha1.CycleFailed || r.Cycle.Reason != v1alpha1.ReasonExhausted || r.Cycle.NextAttemptAt != nil {
				t.Errorf("after four attempts the cycle is %+v", r.Cycle)
			}
			for range 5 {
				subject.begin(true, now)
				subject.end(final(ended(v1alpha1.AttemptRejected)), now)
			}
			var got []int32
			for _, attempt := range r.Attempts {
				got = append(got, attempt.Cycle*10+attempt.Number)
			}
			if want := []int32{12, 13, 14, 21, 31, 41, 51, 61}; !slices.Equal(got, want) {
				t.Errorf("the attempts kept are %v, want the last 8: %v", got, want)
			}
		})
	}
}

func TestAPublishedArticleStaysPublished(t *testing.T) {
	a := article(approvedAndAsked)
	begin := func(fresh bool) { lifecycle.BeginDelivery(a, lifecycle.AttemptID{ID: "1"}, fresh, now) }
	begin(true)
	if a.Status.Publication.State != v1alpha1.PublicationDelivering {
		t.Errorf("in progress it is %s", a.Status.Publication.State)
	}
	lifecycle.EndDelivery(a, ended(v1alpha1.AttemptTimeout), plain, now)
	if a.Status.Publication.State != v1alpha1.PublicationRetryScheduled {
		t.Errorf("before the retry it is %s", a.Status.Publication.State)
	}
	begin(false)
	lifecycle.EndDelivery(a, ended(v1alpha1.AttemptAccepted), plain, now)
	at := *a.Status.Publication.PublishedAt
	for _, e := range []lifecycle.AttemptEnd{ended(v1alpha1.AttemptTimeout), final(ended(v1alpha1.AttemptRejected)), ended(v1alpha1.AttemptAccepted)} {
		begin(true)
		lifecycle.EndDelivery(a, e, plain, now.Add(time.Hour))
		if p := a.Status.Publication; p.State != v1alpha1.PublicationPublished || !p.PublishedAt.Equal(&at) {
			t.Errorf("after a redelivery that ended %s it is %s, at %s", e.Outcome, p.State, p.PublishedAt)
		}
	}
}

func TestAnEventEndsWithItsCycle(t *testing.T) {
	d := &v1alpha1.EventDelivery{}
	for _, tt := range []struct {
		ended lifecycle.AttemptEnd
		want  bool
	}{
		{ended(v1alpha1.AttemptTimeout), false}, {ended(v1alpha1.AttemptAccepted), true},
		{final(ended(v1alpha1.AttemptRejected)), true},
	} {
		lifecycle.BeginEvent(d, lifecycle.AttemptID{ID: "1"}, true, now)
		if d.Status.EndedAt != nil {
			t.Error("an event in progress has not ended")
		}
		lifecycle.EndEvent(d, tt.ended, plain, now)
		if (d.Status.EndedAt != nil) != tt.want {
			t.Errorf("after %s the event has ended at %v", tt.ended.Outcome, d.Status.EndedAt)
		}
	}
}

func TestResultsAreBounded(t *testing.T) {
	a := article(approvedAndAsked)
	lifecycle.BeginDelivery(a, lifecycle.AttemptID{ID: "1"}, true, now)
	e := lifecycle.AttemptEnd{Snippet: strings.Repeat("é", 1024), AttemptResult: v1alpha1.AttemptResult{
		Outcome: v1alpha1.AttemptRejected, HTTPStatus: 1000, Milliseconds: -1, Message: strings.Repeat("é", 500),
	}}
	lifecycle.EndDelivery(a, e, plain, now)
	got := a.Status.Publication.Attempts[0]
	if got.HTTPStatus != 0 || got.Milliseconds != 0 || len(got.Message) != 96 || len(a.Status.Publication.LastAnswer.Snippet) != 200 {
		t.Errorf("recorded is %+v", got)
	}
}

func TestNonce(t *testing.T) {
	for _, tt := range []struct{ value, want string }{
		{"", ""}, {"again", "again"}, {strings.Repeat("a", 128), strings.Repeat("a", 128)},
		// Made with: head -c 129 /dev/zero | tr '\0' a | sha256sum
		{strings.Repeat("a", 129), "c12cb024a2e5551cca0e08fce8f1c5e314555cc3fef6329ee994a3db752166ae"},
	} {
		a := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{"n": tt.value}}}
		if got := lifecycle.Nonce(a, "n"); got != tt.want {
			t.Errorf("the nonce %q is stored as %q, want %q", tt.value, got, tt.want)
		}
	}
}
