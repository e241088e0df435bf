package middleware

import (
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
	utilcache "k8s.io/apimachinery/pkg/util/cache"
	"k8s.io/utils/clock"
)

// throttled bounds how many keys a Throttle remembers; beyond that, the one that it has not seen for longest is forgotten.
const throttled = 50_000

// Throttle gives each key a share of something at this replica, such as requests, so that one customer's loop does not slow down another's
// reads. What was taken comes back with time. Its methods may be called from any goroutine.
type Throttle struct {
	clock clock.PassiveClock
	rate  rate.Limit
	burst int

	mu sync.Mutex
	// keys holds a limiter for each key until all of its share has come back.
	keys *utilcache.LRUExpireCache
}

// NewThrottle returns a Throttle whose keys have so much per second, and so much at once.
func NewThrottle(c clock.PassiveClock, perSecond float64, burst int) *Throttle {
	return &Throttle{
		clock: c, rate: rate.Limit(perSecond), burst: burst, keys: utilcache.NewLRUExpireCacheWithClock(throttled, c),
	}
}

// Take returns how long the key must wait; 0 if the request may go on. A request that must wait takes nothing.
func (t *Throttle) Take(key string) time.Duration { return t.TakeN(key, 1) }

// TakeN is Take for n at once, or for all that a key can have if that is less.
func (t *Throttle) TakeN(key string, n int64) time.Duration {
	now, most := t.clock.Now(), int(min(n, int64(t.burst)))
	reservation := t.limiter(key, now, most).ReserveN(now, most)
	wait := reservation.DelayFrom(now)
	if wait > 0 {
		reservation.CancelAt(now)
	}
	return wait
}

// Owe takes one for the key even if nothing is left: it waits longer for what comes next.
func (t *Throttle) Owe(key string) { t.OweN(key, 1) }

// OweN is Owe for n at once, or for all that a key can have if that is less.
func (t *Throttle) OweN(key string, n int64) {
	now, most := t.clock.Now(), int(min(n, int64(t.burst)))
	t.limiter(key, now, most).ReserveN(now, most)
}

// Wait returns how long the key must wait for its next request; 0 if it need not. It takes nothing.
func (t *Throttle) Wait(key string) time.Duration {
	if left := t.left(key); left.Requests == 0 {
		return left.More
	}
	return 0
}

// Quota returns how much a key may have at once, and the time in which all of it comes back, in whole seconds.
func (t *Throttle) Quota() (atOnce int, window time.Duration) {
	return t.burst, time.Duration(max(math.Ceil(float64(t.burst)/float64(t.rate)), 1)) * time.Second
}

// left returns what is left for the key now.
func (t *Throttle) left(key string) Left {
	now := t.clock.Now()
	tokens := t.limiter(key, now, 1).TokensAt(now)
	whole := max(math.Floor(tokens), 0)
	if int(whole) >= t.burst {
		return Left{Requests: t.burst}
	}
	return Left{Requests: int(whole), More: time.Duration(math.Round(float64(time.Second) * (whole + 1 - tokens) / float64(t.rate)))}
}

// limiter returns the limiter of a key, of which up to n are about to be taken.
func (t *Throttle) limiter(key string, now time.Time, n int) *rate.Limiter {
	t.mu.Lock()
	defer t.mu.Unlock()
	found, _ := t.keys.Get(key)
	limiter, ok := found.(*rate.Limiter)
	if !ok {
		limiter = rate.NewLimiter(t.rate, t.burst)
	}
	missing := float64(t.burst) - limiter.TokensAt(now) + float64(n)
	t.keys.Add(key, limiter, time.Duration(float64(time.Second)*missing/float64(t.rate)))
	return limiter
}
