package rest

import (
	"maps"
	"sync"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/utils/clock"
)

// Keys that asked for nothing for idleKey are forgotten when there are more than manyKeys.
const (
	manyKeys = 10_000
	idleKey  = time.Minute
)

// throttle bounds what one key may ask of this replica, so that one customer's loop does not slow down another's reads.
type throttle struct {
	clock clock.PassiveClock
	rate  rate.Limit
	burst int

	mu   sync.Mutex
	keys map[string]*bucket
}

type bucket struct {
	limiter *rate.Limiter
	used    time.Time
}

func newThrottle(c clock.PassiveClock, l Limits) *throttle {
	return &throttle{clock: c, rate: rate.Limit(l.RequestsPerSecond), burst: l.RequestBurst, keys: map[string]*bucket{}}
}

// take returns how long the key must wait; nothing where it may go on.
func (t *throttle) take(key string) time.Duration {
	now := t.clock.Now()
	reservation := t.limiter(key, now).ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait > 0 {
		reservation.CancelAt(now)
	}
	return wait
}

func (t *throttle) limiter(key string, now time.Time) *rate.Limiter {
	t.mu.Lock()
	defer t.mu.Unlock()
	b, ok := t.keys[key]
	if !ok {
		if len(t.keys) >= manyKeys {
			maps.DeleteFunc(t.keys, func(_ string, b *bucket) bool { return now.Sub(b.used) > idleKey })
		}
		b = &bucket{limiter: rate.NewLimiter(t.rate, t.burst)}
		t.keys[key] = b
	}
	b.used = now
	return b.limiter
}
