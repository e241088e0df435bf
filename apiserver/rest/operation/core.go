package operation

import (
	"context"
	"runtime"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
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
	// turns are those of operations that take much time of the CPU, and reads those of lists that are read from kube-apiserver, by account.
	turns, reads *middleware.Turns
	// rooms are those of what each account may create, and records counts the Idempotency-Keys that it has had remembered lately.
	rooms   *middleware.Rooms
	records *middleware.Recent

	unknownSites *unknownSites
}

const (
	// arrivalShare is the ratio of requests that may arrive to requests that may be answered.
	arrivalShare = 2
	// accountShare is how many times a credential's share an account has.
	accountShare = 2
	// readsAtOnce is how many lists are read from kube-apiserver for an account at the same time: all accounts have one queue there.
	readsAtOnce = 2
)

// New returns the core of the operations of an API.
func New(d Deps, api huma.API) *Core {
	d.Limits = d.Limits.withDefaults()
	if d.Written == nil {
		d.Written = middleware.NewWritten(d.Clock)
	}
	rate := middleware.Rate{PerSecond: d.Limits.RequestsPerSecond, AtOnce: d.Limits.RequestBurst}
	return &Core{
		Deps:     d,
		api:      api,
		requests: middleware.NewShares(d.Clock, rate, rate.Times(accountShare)),
		arrivals: middleware.NewShares(d.Clock, rate.Times(arrivalShare), rate.Times(arrivalShare*accountShare)),
		bodies:   middleware.NewBudget(middleware.Bounds{All: d.Limits.BodyBytes, Account: d.Limits.AccountBodyBytes}),
		turns:    middleware.NewTurns(max(runtime.GOMAXPROCS(0)/2, 1)),
		reads:    middleware.NewTurns(readsAtOnce),
		rooms:    middleware.NewRooms(),
		records:  middleware.NewRecent(d.Clock),

		unknownSites: newUnknownSites(d),
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
	c.Core.shareOf(c.Principal, wait, c.http.SetHeader)
}

// shareOf sets the header fields of the share of a credential.
func (s *Core) shareOf(p auth.Principal, wait time.Duration, set func(name, value string)) {
	left := s.requests.Left(p.ID, p.Account)
	if wait > 0 {
		left = middleware.Left{More: wait}
	}
	set(middleware.RateLimitPolicyHeader, s.requests.Policy())
	set(middleware.RateLimitHeader, left.String())
}
