package middleware

import (
	"maps"
	"sync"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/utils/clock"
)

// Keys without a request for idleKey are removed if there are more than manyKeys.
const (
	manyKeys = 10_000
	idleKey  = time.Minute
)

// Throttle bounds the requests of one key to this replica, so that one customer's loop does not slow down another's reads.
type Throttle struct {
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

// NewThrottle returns a Throttle that allows each key so many requests per second, and so many at once.
func NewThrottle(c clock.PassiveClock, perSecond float64, burst int) *Throttle {
	return &Throttle{clock: c, rate: rate.Limit(perSecond), burst: burst, keys: map[string]*bucket{}}
}

// Take returns how long the key must wait; 0 if the request may go on.
func (t *Throttle) Take(key string) time.Duration {
	now := t.clock.Now()
	reservation := t.limiter(key, now).ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait > 0 {
		reservation.CancelAt(now)
	}
	return wait
}

func (t *Throttle) limiter(key string, now time.Time) *rate.Limiter {
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

// accountShare is how many times a credential's share an account has.
const accountShare = 2

// Shares bounds the requests to this replica of each credential, and of each account with all its credentials: an account gets
// no more by making more of them.
type Shares struct{ credentials, accounts *Throttle }

// NewShares returns Shares that allow each credential so many requests per second, and so many at once. An account has twice as
// much.
func NewShares(c clock.PassiveClock, perSecond float64, burst int) *Shares {
	return &Shares{NewThrottle(c, perSecond, burst), NewThrottle(c, accountShare*perSecond, accountShare*burst)}
}

// Take returns how long a credential of an account must wait; 0 if the request may go on.
func (s *Shares) Take(credential, account string) time.Duration {
	if wait := s.credentials.Take(credential); wait > 0 {
		return wait
	}
	return s.accounts.Take(account)
}
