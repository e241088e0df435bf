package leaselock_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"k8s.io/client-go/tools/leaderelection/resourcelock"
	testclock "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/internal/fence/leaselock"
)

// lease is the lock of a leader election.
type lease struct {
	resourcelock.Interface
	refused error
	writing func()
}

func (lease) Identity() string { return "me" }

func (l *lease) Create(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	return l.Update(ctx, r)
}

func (l *lease) Update(context.Context, resourcelock.LeaderElectionRecord) error {
	l.writing()
	return l.refused
}

func TestALeaseIsRenewedByAWriteOfItsHolder(t *testing.T) {
	written := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	later := written.Add(2 * time.Second)
	for name, tt := range map[string]struct {
		holder  string
		refused error
		want    time.Time
	}{
		"a write":         {"me", nil, later},
		"a refused write": {"me", errors.New("conflict"), written},
		"given up":        {"", nil, time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			clock := testclock.NewFakePassiveClock(written)
			l := &lease{writing: func() {}}
			lock := &leaselock.Lock{Interface: l, Clock: clock}
			if !lock.Renewed().IsZero() {
				t.Error("a lease that nobody has was renewed")
			}
			if err := lock.Create(t.Context(), resourcelock.LeaderElectionRecord{HolderIdentity: "me"}); err != nil {
				t.Fatal(err)
			}
			clock.SetTime(later)
			// Others count from the answer at the earliest.
			l.refused, l.writing = tt.refused, func() { clock.SetTime(later.Add(time.Second)) }
			_ = lock.Update(t.Context(), resourcelock.LeaderElectionRecord{HolderIdentity: tt.holder})
			if got := lock.Renewed(); !got.Equal(tt.want) {
				t.Errorf("renewed at %s, want %s", got, tt.want)
			}
		})
	}
}
