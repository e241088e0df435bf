package operation

import (
	"runtime"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/apiserver/middleware"
)

// Core is what the operations of all resources share.
type Core struct {
	Deps

	// Records remember requests with an Idempotency-Key.
	Records *Records

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

// arrivalShare is how many requests may arrive for each one that may be answered.
const arrivalShare = 2

// New returns the core of the operations of an API.
func New(d Deps, api huma.API) *Core {
	d.Limits = d.Limits.withDefaults()
	return &Core{
		Deps:     d,
		Records:  &Records{client: d.Client},
		api:      api,
		requests: middleware.NewShares(d.Clock, d.Limits.RequestsPerSecond, d.Limits.RequestBurst),
		arrivals: middleware.NewShares(d.Clock, arrivalShare*d.Limits.RequestsPerSecond, arrivalShare*d.Limits.RequestBurst),
		bodies:   middleware.NewBudget(d.Limits.BodyBytes, d.Limits.AccountBodyBytes),
		written:  newWritten(d.Clock),
		turns:    middleware.NewTurns(max(runtime.GOMAXPROCS(0)/2, 1)),
	}
}
