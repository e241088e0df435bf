package middleware

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
	"k8s.io/utils/clock"
)

// The header fields of draft-ietf-httpapi-ratelimit-headers-10.
const (
	// RateLimitPolicyHeader says how many requests a credential may send in which time.
	RateLimitPolicyHeader = "RateLimit-Policy"
	// RateLimitHeader says how many of them are left.
	RateLimitHeader = "RateLimit"
)

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

// Left is how many requests are possible now, and after which time there is one more.
type Left struct {
	Requests int
	More     time.Duration
}

// Left returns what is left for a credential of an account: its own share, or that of the account if that is smaller.
func (s *Shares) Left(credential, account string) Left {
	own, all := s.credentials.left(credential), s.accounts.left(account)
	if all.Requests < own.Requests {
		return all
	}
	return own
}

// Policy is the value of RateLimit-Policy: the share of a credential, and the time in which all of it comes back.
func (s *Shares) Policy() string {
	window := math.Ceil(float64(s.credentials.burst) / float64(s.credentials.rate))
	return fmt.Sprintf(`"default";q=%d;w=%.0f`, s.credentials.burst, max(window, 1))
}

// String is the value of RateLimit. Seconds are rounded up, so that anyone who waits for them does not come too early.
func (l Left) String() string {
	return fmt.Sprintf(`"default";r=%d;t=%.0f`, l.Requests, math.Ceil(l.More.Seconds()))
}

// Budget bounds what the requests in progress of a replica hold together, such as the bytes of their bodies. One key has at most its share,
// so that it cannot use up the whole. Its methods may be called from any goroutine.
type Budget struct {
	total, share int64

	mu   sync.Mutex
	used int64
	keys map[string]int64
}

// NewBudget returns a Budget of a total, and a share of it for each key.
func NewBudget(total, share int64) *Budget {
	return &Budget{total: total, share: share, keys: map[string]int64{}}
}

// Count returns a body whose bytes are taken for a key when they arrive: a large one that is announced and not sent takes nothing. They
// must be released.
func (b *Budget) Count(key string, body io.ReadCloser) *Counted {
	return &Counted{ReadCloser: body, budget: b, key: key}
}

// ErrUsedUp means that no more can be taken from a Budget.
var ErrUsedUp = errors.New("too many bytes at once")

// Counted is a body that takes from a Budget.
type Counted struct {
	io.ReadCloser

	budget *Budget
	key    string
	taken  int64
}

// Read reads what has arrived. It returns ErrUsedUp if there is no memory for it.
func (c *Counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	if !c.budget.Take(c.key, int64(n)) {
		return 0, ErrUsedUp
	}
	c.taken += int64(n)
	return n, err
}

// Release gives back what was taken.
func (c *Counted) Release() { c.budget.Give(c.key, c.taken) }

// Take takes n for a key, and reports whether that much is left.
func (b *Budget) Take(key string, n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used+n > b.total || b.keys[key]+n > b.share {
		return false
	}
	b.used += n
	b.keys[key] += n
	return true
}

// Give gives back n of what was taken for a key.
func (b *Budget) Give(key string, n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= n
	if b.keys[key] -= n; b.keys[key] == 0 {
		delete(b.keys, key)
	}
}

// Turns bounds how many requests of a key are worked on at the same time. Others wait. Its methods may be called from any goroutine.
type Turns struct {
	most int64

	mu   sync.Mutex
	keys map[string]*turn
}

// turn has what a key may do at once. It is forgotten when nobody uses it.
type turn struct {
	*semaphore.Weighted

	users int
}

// NewTurns returns Turns of which each key has so many at once.
func NewTurns(most int) *Turns { return &Turns{most: int64(most), keys: map[string]*turn{}} }

// Wait waits for a turn of a key. The function that it returns ends the turn.
func (t *Turns) Wait(ctx context.Context, key string) (end func(), err error) {
	of := t.join(key)
	if err := of.Acquire(ctx, 1); err != nil {
		t.leave(key)
		return nil, err
	}
	return func() {
		of.Release(1)
		t.leave(key)
	}, nil
}

func (t *Turns) join(key string) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.keys[key]
	if of == nil {
		of = &turn{Weighted: semaphore.NewWeighted(t.most)}
		t.keys[key] = of
	}
	of.users++
	return of
}

func (t *Turns) leave(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.keys[key].users--; t.keys[key].users == 0 {
		delete(t.keys, key)
	}
}
