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

// Rate is so much per second, and so much at once.
type Rate struct {
	PerSecond float64
	AtOnce    int
}

// Times returns a multiple of a rate.
func (r Rate) Times(n int) Rate { return Rate{r.PerSecond * float64(n), r.AtOnce * n} }

// Shares bounds the requests to this replica of each person or credential, and of each account with all its people and credentials: an
// account gets no more by making more of them.
type Shares struct{ people, accounts *Throttle }

// NewShares returns Shares that allow each person, or credential, a rate, and each account another one.
func NewShares(c clock.PassiveClock, person, account Rate) *Shares {
	return &Shares{NewThrottle(c, person.PerSecond, person.AtOnce), NewThrottle(c, account.PerSecond, account.AtOnce)}
}

// Take returns how long a person, or a credential, of an account must wait; 0 if the request may go on.
func (s *Shares) Take(person, account string) time.Duration {
	if wait := s.people.Take(person); wait > 0 {
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
	own, all := s.people.left(credential), s.accounts.left(account)
	if all.Requests < own.Requests {
		return all
	}
	return own
}

// Policy is the value of RateLimit-Policy: the share of a credential, and the time in which all of it comes back.
func (s *Shares) Policy() string {
	window := math.Ceil(float64(s.people.burst) / float64(s.people.rate))
	return fmt.Sprintf(`"default";q=%d;w=%.0f`, s.people.burst, max(window, 1))
}

// String is the value of RateLimit. Seconds are rounded up, so that anyone who waits for them does not come too early.
func (l Left) String() string {
	return fmt.Sprintf(`"default";r=%d;t=%.0f`, l.Requests, math.Ceil(l.More.Seconds()))
}

// Holder is who holds a part of a Budget. Names of people are those of an account, and names of sessions those of a person.
type Holder struct{ Account, Person, Session string }

// Bounds are what all holders of a Budget have together, and each account, person and session. There is none where it is 0.
type Bounds struct{ All, Account, Person, Session int64 }

// Budget bounds what the requests in progress of a replica hold together, such as the bytes of their bodies. Neither a session nor a person
// nor an account can use up the whole. Its methods may be called from any goroutine.
type Budget struct {
	bounds Bounds

	mu   sync.Mutex
	used map[level]int64
}

// level is one of those whose share a holder's part counts to.
type level struct {
	kind byte
	Holder
}

const ofAll, ofAccount, ofPerson, ofSession = 0, 1, 2, 3

// NewBudget returns a Budget with bounds.
func NewBudget(b Bounds) *Budget { return &Budget{bounds: b, used: map[level]int64{}} }

// bound is a level with its bound.
type bound struct {
	of   level
	most int64
}

// boundsOf returns the bounds of a holder.
func (b *Budget) boundsOf(h Holder) [4]bound {
	return [...]bound{
		{level{ofAll, Holder{}}, b.bounds.All}, {level{ofAccount, Holder{Account: h.Account}}, b.bounds.Account},
		{level{ofPerson, Holder{Account: h.Account, Person: h.Person}}, b.bounds.Person}, {level{ofSession, h}, b.bounds.Session},
	}
}

// Take takes n for a holder, and reports whether that much is left.
func (b *Budget) Take(h Holder, n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	levels := b.boundsOf(h)
	for _, l := range levels {
		if l.most > 0 && b.used[l.of]+n > l.most {
			return false
		}
	}
	for _, l := range levels {
		b.add(l, n)
	}
	return true
}

// Give gives back n of what was taken for a holder.
func (b *Budget) Give(h Holder, n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, l := range b.boundsOf(h) {
		b.add(l, -n)
	}
}

// add counts n more. Who holds nothing is forgotten.
func (b *Budget) add(l bound, n int64) {
	if l.most == 0 {
		return
	}
	if b.used[l.of] += n; b.used[l.of] == 0 {
		delete(b.used, l.of)
	}
}

// Count returns a body whose bytes are taken for a holder when they arrive: a large one that is announced and not sent takes nothing. They
// must be released.
func (b *Budget) Count(h Holder, body io.ReadCloser) *Counted {
	return &Counted{ReadCloser: body, budget: b, holder: h}
}

// ErrUsedUp means that no more can be taken from a Budget.
var ErrUsedUp = errors.New("too many bytes at once")

// Counted is a body that takes from a Budget.
type Counted struct {
	io.ReadCloser

	budget *Budget
	holder Holder
	taken  int64
}

// Read reads what has arrived. It returns ErrUsedUp if there is no memory for it.
func (c *Counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	if !c.budget.Take(c.holder, int64(n)) {
		return 0, ErrUsedUp
	}
	c.taken += int64(n)
	return n, err
}

// Release gives back what was taken.
func (c *Counted) Release() { c.budget.Give(c.holder, c.taken) }

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
