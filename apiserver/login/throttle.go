package login

import (
	"sync"
	"time"

	utilcache "k8s.io/apimachinery/pkg/util/cache"
	"k8s.io/utils/clock"
)

const (
	// freeFailures may be made at once.
	freeFailures = 10
	// failurePause must pass for each further one.
	failurePause = 15 * time.Second
	// throttled bounds how many addresses are remembered; beyond that, the one whose failure is oldest is forgotten.
	throttled = 50_000
)

// Throttle slows down addresses that fail to sign in, on one replica. It never delays the first try.
type Throttle struct {
	clock clock.PassiveClock
	mu    sync.Mutex
	// paid holds until when the failures of each are paid for.
	paid *utilcache.LRUExpireCache
}

// NewThrottle returns a Throttle.
func NewThrottle(c clock.PassiveClock) *Throttle {
	return &Throttle{clock: c, paid: utilcache.NewLRUExpireCacheWithClock(throttled, c)}
}

// Wait returns how long the next try of somebody must wait.
func (t *Throttle) Wait(who string) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	// A try costs one failure, should it fail.
	return max(0, t.owed(who)-(freeFailures-1)*failurePause)
}

// Failed notes a failure of somebody.
func (t *Throttle) Failed(who string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	owed := t.owed(who) + failurePause
	t.paid.Add(who, t.clock.Now().Add(owed), owed)
}

// owed returns the time that who's failures have still to be paid with.
func (t *Throttle) owed(who string) time.Duration {
	found, _ := t.paid.Get(who)
	until, ok := found.(time.Time)
	if !ok {
		return 0
	}
	return max(0, until.Sub(t.clock.Now()))
}
