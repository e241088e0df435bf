package middleware

import (
	"fmt"
	"math"
	"time"

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
