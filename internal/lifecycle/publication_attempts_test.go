package lifecycle_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/backoff"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/eventdelivery"
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

// Articles and events go through the same cycle: what holds for one is tried on both.
func TestACycleOfAttempts(t *testing.T) {
	id := strings.Repeat("1", 36)
	by := cycles.AttemptID{ID: id, Holder: "process"}
	a, d := article(approvedAndAsked), &v1alpha1.EventDelivery{}
	for name, subject := range map[string]struct {
		record func() *v1alpha1.DeliveryRecord
		begin  func(fresh bool, at time.Time)
		end    func(e cycles.End, at time.Time)
	}{
		"an article": {
			func() *v1alpha1.DeliveryRecord { return &a.Status.Publication.DeliveryRecord },
			func(fresh bool, at time.Time) { begin(a, by, fresh, at) },
			func(e cycles.End, at time.Time) { end(a, e, plain, at) },
		},
		"an event": {
			func() *v1alpha1.DeliveryRecord { return &d.Status.DeliveryRecord },
			func(fresh bool, at time.Time) { eventdelivery.Begin(d, by, fresh, at) },
			func(e cycles.End, at time.Time) { eventdelivery.End(d, e, plain, at) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			subject.begin(true, now)
			r := subject.record()
			if open := cycles.InProgress(r); open == nil || open.Holder != "process" || open.Cycle != 1 || open.Number != 1 ||
				r.Cycle.State != v1alpha1.CycleInProgress || r.Cycle.NextAttemptTime != nil {
				t.Fatalf("written ahead is %+v of %+v", open, r.Cycle)
			}
			answer := ended(v1alpha1.AttemptRejected)
			answer.HTTPStatus, answer.Snippet, answer.Milliseconds = 503, "down", 17
			subject.end(answer, now)
			if cycles.InProgress(r) != nil || r.Attempts[0].Holder != "" || r.Attempts[0].AttemptResult != answer.AttemptResult {
				t.Errorf("recorded is %+v", r.Attempts[0])
			}
			if !r.Cycle.NextAttemptTime.Time.Equal(now.Add(10 * time.Second)) {
				t.Errorf("the next attempt is due at %s", r.Cycle.NextAttemptTime)
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
			if r.Cycle.State != v1alpha1.CycleFailed || r.Cycle.Reason != v1alpha1.ReasonExhausted || r.Cycle.NextAttemptTime != nil {
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
	attempt := func(fresh bool) { begin(a, cycles.AttemptID{ID: "1"}, fresh, now) }
	attempt(true)
	if have := lifecycle.Have(a); have.State != v1alpha1.PostUncertain || have.Maybe.Revision.Digest != digestA || lifecycle.Published(a) {
		t.Errorf("in progress it is %+v", have)
	}
	end(a, ended(v1alpha1.AttemptTimeout), plain, now)
	if lifecycle.Have(a).State != v1alpha1.PostUncertain {
		t.Errorf("before the retry it is %+v", lifecycle.Have(a))
	}
	attempt(false)
	end(a, ended(v1alpha1.AttemptAccepted), plain, now)
	at := *a.Status.Publication.Post.PublishTime
	for _, e := range []cycles.End{ended(v1alpha1.AttemptTimeout), final(ended(v1alpha1.AttemptRejected)), ended(v1alpha1.AttemptAccepted)} {
		attempt(true)
		end(a, e, plain, now.Add(time.Hour))
		if p := lifecycle.Have(a); p.State != v1alpha1.PostPresent || !p.PublishTime.Equal(&at) {
			t.Errorf("after a redelivery that ended %s it is %s, at %s", e.Outcome, p.State, p.PublishTime)
		}
	}
}

func TestResultsAreBounded(t *testing.T) {
	a := article(approvedAndAsked)
	begin(a, cycles.AttemptID{ID: "1"}, true, now)
	e := cycles.End{Snippet: strings.Repeat("é", 1024), AttemptResult: v1alpha1.AttemptResult{
		Outcome: v1alpha1.AttemptRejected, HTTPStatus: 1000, Milliseconds: -1, Message: strings.Repeat("é", 500),
	}}
	end(a, e, plain, now)
	got := a.Status.Publication.Attempts[0]
	if got.HTTPStatus != 0 || got.Milliseconds != 0 || len(got.Message) != 96 || len(a.Status.Publication.LastAnswer.Snippet) != 200 {
		t.Errorf("recorded is %+v", got)
	}
}
