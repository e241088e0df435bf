// Package leaselock tells when a process renewed the lease of its leader election last. It is apart from package fence, so that what sends
// requests does not depend on client-go.
package leaselock

import (
	"context"
	"sync/atomic"
	"time"

	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/utils/clock"
)

// Lock is the lock of a leader election that remembers when this process renewed its lease last.
type Lock struct {
	resourcelock.Interface
	Clock clock.PassiveClock

	renewed atomic.Pointer[time.Time]
}

// Renewed returns when this process began the last request that renewed its lease; zero if it does not hold the lease.
func (l *Lock) Renewed() time.Time {
	if renewed := l.renewed.Load(); renewed != nil {
		return *renewed
	}
	return time.Time{}
}

// Create implements resourcelock.Interface.
func (l *Lock) Create(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	return l.write(ctx, r, l.Interface.Create)
}

// Update implements resourcelock.Interface.
func (l *Lock) Update(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	return l.write(ctx, r, l.Interface.Update)
}

// write notes the beginning of the write: the other processes count from a later time. A record of another holder, or of none, gives the
// lease up.
func (l *Lock) write(
	ctx context.Context, r resourcelock.LeaderElectionRecord, write func(context.Context, resourcelock.LeaderElectionRecord) error,
) error {
	renewed := l.Clock.Now()
	if r.HolderIdentity != l.Identity() {
		renewed = time.Time{}
		l.renewed.Store(&renewed)
	}
	if err := write(ctx, r); err != nil {
		return err
	}
	l.renewed.Store(&renewed)
	return nil
}
