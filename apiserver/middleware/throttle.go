package middleware

import (
	"maps"
	"math"
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

// left returns what is left for the key now.
func (t *Throttle) left(key string) Left {
	now := t.clock.Now()
	tokens := max(t.limiter(key, now).TokensAt(now), 0)
	whole := math.Floor(tokens)
	if int(whole) >= t.burst {
		return Left{Requests: t.burst}
	}
	return Left{Requests: int(whole), More: time.Duration(float64(time.Second) * (whole + 1 - tokens) / float64(t.rate))}
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
