package eventdelivery_test

import (
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/eventdelivery"
)

func TestRecordHealth(t *testing.T) {
	const days = 24 * time.Hour
	for _, row := range []struct {
		name string
		// failing is for how long the receiver is known to have failed; 0 if it has not.
		failing time.Duration
		// attempts that the delivery has had before the one that ended so.
		attempts    int
		ended       cycles.End
		suspended   bool
		wantFailing time.Duration
		wantNew     bool
		want        bool
	}{
		{name: "accepted", ended: ended(v1alpha1.AttemptAccepted)},
		{name: "accepted at last", failing: 6 * days, ended: ended(v1alpha1.AttemptAccepted), wantNew: true},
		{name: "accepted while it is suspended", failing: 6 * days, ended: ended(v1alpha1.AttemptAccepted), suspended: true, wantNew: true, want: true},
		{name: "a first failure", ended: ended(v1alpha1.AttemptRejected), wantFailing: 0, wantNew: true},
		{name: "another failure", failing: days, ended: ended(v1alpha1.AttemptTimeout), wantFailing: days},
		{name: "a failure after 5 days, before its retries", failing: 5 * days, ended: ended(v1alpha1.AttemptRejected), wantFailing: 5 * days},
		{name: "a failure after 5 days, before its last retry", failing: 5 * days, attempts: 2, ended: ended(v1alpha1.AttemptRejected), wantFailing: 5 * days},
		{name: "the last failure after 5 days", failing: 5 * days, attempts: 3, ended: ended(v1alpha1.AttemptConnectionFailed), wantFailing: 5 * days, wantNew: true, want: true},
		{name: "the last failure before 5 days are over", failing: 5*days - 1000, attempts: 3, ended: ended(v1alpha1.AttemptTimeout), wantFailing: 5*days - 1000},
		{name: "the last failure while it is suspended", failing: 6 * days, attempts: 3, ended: ended(v1alpha1.AttemptTimeout), suspended: true, wantFailing: 6 * days, want: true},
		{name: "410 after 5 days", failing: 5 * days, ended: final(ended(v1alpha1.AttemptRejected)), wantFailing: 5 * days, wantNew: true, want: true},
		{name: "a forbidden address after 5 days", failing: 5 * days, ended: final(ended(v1alpha1.AttemptAddressBlocked)), wantFailing: 5 * days, wantNew: true, want: true},
		{name: "a process that ended changes nothing", ended: cycles.Interrupted(), wantFailing: -1},
		{name: "a process that ended at the last attempt changes nothing", failing: 6 * days, attempts: 3, ended: cycles.Interrupted(), wantFailing: 6 * days},
		{name: "an attempt that was not sent changes nothing", failing: 6 * days, ended: final(ended(v1alpha1.AttemptNotSent)), wantFailing: 6 * days},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, d := &v1alpha1.EventSubscription{}, &v1alpha1.EventDelivery{}
			if row.failing > 0 {
				since := v1alpha1.NewMicroTime(now.Add(-row.failing))
				s.Status.FailingSince = &since
			}
			if row.suspended {
				s.Status.Suspension = &v1alpha1.Suspension{}
			}
			for n := range row.attempts + 1 {
				eventdelivery.Begin(d, cycles.AttemptID{ID: "1"}, n == 0, now)
				e := ended(v1alpha1.AttemptRejected)
				if n == row.attempts {
					e = row.ended
				}
				eventdelivery.End(d, e, plain, now)
			}
			if got := eventdelivery.RecordHealth(s, &d.Status.DeliveryRecord, now); got != row.wantNew {
				t.Errorf("there is something new: %t, want %t", got, row.wantNew)
			}
			if got := s.Status.Suspension != nil; got != row.want {
				t.Errorf("the subscription is suspended: %t, want %t", got, row.want)
			}
			since := s.Status.FailingSince
			wantSince := row.wantFailing >= 0 && row.ended.Outcome != v1alpha1.AttemptAccepted
			if (since != nil) != wantSince || since != nil && !since.Time.Equal(now.Add(-row.wantFailing)) {
				t.Errorf("failing since %v, want %t: for %s", since, wantSince, row.wantFailing)
			}
		})
	}
}
