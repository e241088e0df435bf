package operation

import (
	"context"
	"runtime"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// Core is what the operations of all resources share.
type Core struct {
	Deps

	api huma.API
	// requests are counted once they are valid, and arrivals before they are read: so an ordinary client learns what is wrong with its
	// request before it learns that it sends too many.
	requests, arrivals *middleware.Shares
	// bodies are the bytes of the bodies of requests in progress, by account.
	bodies *middleware.Budget
	// written has the parts of a minute's bytes that each account may still write.
	written *middleware.Throttle
	// turns are those of operations that take much time of the CPU, by account.
	turns *middleware.Turns
}

// arrivalShare is the ratio of requests that may arrive to requests that may be answered.
const arrivalShare = 2

// New returns the core of the operations of an API.
func New(d Deps, api huma.API) *Core {
	d.Limits = d.Limits.withDefaults()
	return &Core{
		Deps:     d,
		api:      api,
		requests: middleware.NewShares(d.Clock, d.Limits.RequestsPerSecond, d.Limits.RequestBurst),
		arrivals: middleware.NewShares(d.Clock, arrivalShare*d.Limits.RequestsPerSecond, arrivalShare*d.Limits.RequestBurst),
		bodies:   middleware.NewBudget(d.Limits.BodyBytes, d.Limits.AccountBodyBytes),
		written:  middleware.NewThrottle(d.Clock, minuteParts/time.Minute.Seconds(), minutesAtOnce*minuteParts),
		turns:    middleware.NewTurns(max(runtime.GOMAXPROCS(0)/2, 1)),
	}
}

// Account returns the call's account, from memory: read it only.
func (s *Core) Account(ctx context.Context, c *Call) (*v1alpha1.Account, error) {
	account, err := s.Accounts.Account(ctx, c.Principal.Account)
	if err != nil {
		return nil, problem.MarkUnreachable(err)
	}
	if account == nil {
		// The account was deleted while its key was still cached.
		return nil, problem.Unauthorized()
	}
	return account, nil
}

// refusedWithin and refusedEvery bound how long an answer waits until its own replica refuses what was revoked.
const (
	refusedWithin = 2 * time.Second
	refusedEvery  = 5 * time.Millisecond
)

// AwaitGone waits until this replica refuses what an object opened that was deleted: a key or an OAuth client. If it takes longer than 2
// seconds, the answer does not wait for it.
func (s *Core) AwaitGone(ctx context.Context, gone client.Object) {
	if s.Refused != nil {
		_ = wait.PollUntilContextTimeout(ctx, refusedEvery, refusedWithin, true, func(ctx context.Context) (bool, error) {
			return s.Refused(ctx, gone), nil
		})
	}
}

// CheckLimit returns a problem if the account has as many objects as it may. The limit is the name of the field in spec.limits, and of
// what it counts. What is counted in memory lags behind a write by a moment: requests at the same time may pass the limit by a few.
func (s *Core) CheckLimit(ctx context.Context, c *Call, limit, of string, most func(v1alpha1.AccountLimits) int64, has int64) error {
	limits, err := s.AccountLimits(ctx, c)
	if err == nil && has >= most(limits) {
		err = problem.LimitReached(limit, of, most(limits))
	}
	return err
}

// AccountLimits returns the limits of the call's account.
func (s *Core) AccountLimits(ctx context.Context, c *Call) (v1alpha1.AccountLimits, error) {
	account, err := s.Account(ctx, c)
	if err != nil {
		return v1alpha1.AccountLimits{}, err
	}
	return account.Spec.Limits, nil
}

// setRateLimit sets the header fields of draft-ietf-httpapi-ratelimit-headers: the share of a credential at this replica, and what is
// left of it. If the request must wait, nothing is. They are set before any answer begins.
func (c *Call) setRateLimit(wait time.Duration) {
	left := c.Core.requests.Left(c.Principal.ID, c.Principal.Account)
	if wait > 0 {
		left = middleware.Left{More: wait}
	}
	c.http.SetHeader(middleware.RateLimitPolicyHeader, c.Core.requests.Policy())
	c.http.SetHeader(middleware.RateLimitHeader, left.String())
}
