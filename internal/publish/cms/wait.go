package cms

import (
	"context"
	"sync"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Wait waits until the CMS accepts requests again. If that is after the end of the attempt, it returns at once: RateLimited, with the
// wait as RetryAfter. message says who asks for fewer requests.
func (c *Client) Wait(ctx context.Context, d time.Duration, message string) error {
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= d {
		return &Error{Class: v1alpha1.ErrorRateLimited, Message: message, RetryAfter: d}
	}
	timer := c.clock.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Locks serialize what attempts of one process do at the same site. The zero value is ready.
type Locks struct {
	mu    sync.Mutex
	sites map[string]*siteLock
}

type siteLock struct {
	// held has room for one.
	held chan struct{}
	// users hold the lock or wait for it.
	users int
}

// Lock waits for its turn at a site, at most until ctx ends, and returns what ends the turn.
func (l *Locks) Lock(ctx context.Context, site string) (unlock func(), err error) {
	lock := l.enter(site)
	select {
	case lock.held <- struct{}{}:
		return func() {
			<-lock.held
			l.leave(site, lock)
		}, nil
	case <-ctx.Done():
		l.leave(site, lock)
		return nil, ctx.Err()
	}
}

func (l *Locks) enter(site string) *siteLock {
	l.mu.Lock()
	defer l.mu.Unlock()
	lock := l.sites[site]
	if lock == nil {
		lock = &siteLock{held: make(chan struct{}, 1)}
		if l.sites == nil {
			l.sites = map[string]*siteLock{}
		}
		l.sites[site] = lock
	}
	lock.users++
	return lock
}

func (l *Locks) leave(site string, lock *siteLock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if lock.users--; lock.users == 0 {
		delete(l.sites, site)
	}
}
