// Package attempt makes attempts that reach outside of the cluster. Each attempt acquires a slot, is written to status before its first
// request is sent, runs outside of the reconcile, and is recorded when it has ended. Its subjects are articles that are published, events,
// tests of a Site's connection, runs of the generator, and featured images that are fetched.
package attempt

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
)

// Subject is an object that attempts are made for, during one reconcile. The result of an attempt is a T. The methods that record something
// change the object in memory; only Save writes it.
type Subject[T any] interface {
	// Key names the object.
	Key() types.NamespacedName
	// SlotRequest returns for which account a slot is needed, and which host is called. It reads from the cache only. It may return a
	// *lifecycle.BlockedError.
	SlotRequest(ctx context.Context) (inflight.SlotRequest, error)
	// Attempt is the id of the attempt in progress.
	Attempt() string
	// Prepare reads everything that the attempt needs, or returns a *lifecycle.BlockedError if something is missing.
	Prepare(ctx context.Context) (Plan[T], error)
	// Stored reports whether status names a blocker that Prepare looks for, and whether it is older than the change that made the attempt
	// due, such as a reviewer's decision. If it names a blocker, Start calls Prepare even if no slot is free, to find out whether that
	// still exists.
	Stored() (blocked, outdated bool)
	// Queued records that the attempt waits only for a slot.
	Queued()
	// Checking records that the attempt waits only for its Check.
	Checking()
	// Begin records an attempt that is about to be made, and takes what it costs. It returns when the attempt became due; zero if status
	// does not say.
	Begin(ctx context.Context, id cycles.AttemptID) (due time.Time, err error)
	// Span starts the span of the attempt in progress. The function that it returns ends the span.
	Span(ctx context.Context) (context.Context, func(T))
	// End records how the attempt in progress ended. It returns the outcome as the metrics have it; empty if the end cannot be recorded
	// yet, and then the engine calls End again in a later reconcile.
	End(ctx context.Context, result T) (outcome string, err error)
	// Save writes the status, and then calls written. A subject whose next step is done in the same reconcile may do both with that step.
	// Save returns a conflict.
	Save(ctx context.Context, written func()) error
}

// Plan is what an attempt does.
type Plan[T any] struct {
	// Check looks at something outside that is sent; nil if there is nothing to look at.
	Check *Check[T]
	// Send makes the requests of the attempt, with a client whose transport is a fence.Transport.
	Send func(context.Context) T
}

// Check is a look that may take long: it is taken outside of the reconcile, in the slot of the attempt, before the attempt is written. So
// nothing slow is between the write of an attempt and its request.
type Check[T any] struct {
	// ID identifies what the check looks at. A check with another ID is made again.
	ID string
	// Do returns the result of an attempt that cannot be made; nil if it can.
	Do func(context.Context) *T
}

// Results tells an engine how to read the results of one kind of attempts.
type Results[T any] struct {
	inflight.Results[T]
	// HeldUp returns the result of an attempt of which the fence refused a request. sent means that an earlier request was sent that may
	// have written something.
	HeldUp func(result T, sent bool) T
	// Interrupted is the result of an attempt whose process ended. Its requests may have been sent.
	Interrupted T
	// Seconds returns how long the requests took.
	Seconds func(T) float64
}

// Metrics are those of one kind of attempts. The zero Metrics measure nothing.
type Metrics struct {
	// Attempts that have ended, by outcome.
	Attempts *prometheus.CounterVec
	// Seconds that attempts took.
	Seconds prometheus.Histogram
	// Lateness is how many seconds after they became due attempts began.
	Lateness prometheus.Observer
}
