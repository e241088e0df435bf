// Package delivery makes attempts to reach a receiver. Every attempt is written to status before anything is sent, sent apart
// from the reconcile, and recorded when it has ended. Articles, events and tests of a Site's connection are its subjects.
package delivery

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// maxHeld is how long after an attempt was about to be written ahead its request may leave. A process that was held up for longer, such
// as by SIGSTOP or with its virtual machine, may have been replaced by another one: its lease ends 15 seconds after it was renewed.
const maxHeld = 10 * time.Second

// Send makes one request.
type Send func(context.Context) publish.Outcome

// Subject is an object in one reconcile that attempts are made for. Its methods that record change the object in memory; only
// Save writes.
type Subject interface {
	// Key names the object.
	Key() types.NamespacedName
	// Claim is for whom a slot is, and what is called. It does no I/O beyond the cache.
	Claim(ctx context.Context) (inflight.Claim, error)
	// Attempt is the id of the attempt in progress.
	Attempt() string
	// DueAt is when the next attempt became due; zero if status does not say.
	DueAt() time.Time
	// Prepare reads what a request needs and returns what sends it, or a *lifecycle.BlockedError if something is missing.
	Prepare(ctx context.Context) (Send, error)
	// Blocked reports whether status names a blocker. It is looked for again even if no slot is free.
	Blocked() bool
	// Outdated reports whether status does not show yet what made the attempt due, such as a reviewer's decision.
	Outdated() bool
	// Queued records that the attempt waits for nothing but a slot.
	Queued()
	// Begin records an attempt that is about to be made.
	Begin(lifecycle.AttemptID)
	// Span starts the span of the attempt in progress.
	Span(ctx context.Context) (context.Context, trace.Span)
	// End records how the attempt in progress ended.
	End(ctx context.Context, end lifecycle.AttemptEnd, o publish.Outcome) error
	// Save writes what was recorded. A conflict is returned.
	Save(ctx context.Context) error
}

// Engine makes the attempts of one kind of subject.
type Engine struct {
	// Calls are the requests in progress.
	Calls *inflight.Tracker[publish.Outcome]
	// Holder identifies this process in what it writes ahead.
	Holder string
	// Clock is injected for tests.
	Clock clock.PassiveClock
	// Metrics of the attempts.
	Metrics Metrics
}

// Metrics are those of one kind of subject.
type Metrics struct {
	// Attempts that have ended, by outcome.
	Attempts *prometheus.CounterVec
	// Seconds that attempts took.
	Seconds prometheus.Observer
	// Lateness is how many seconds after they became due attempts began.
	Lateness prometheus.Observer
}

// Start makes the next attempt and reports whether it has begun. What the attempt needs is read first, then the attempt is
// written ahead, and only then is anything sent. It returns a *lifecycle.BlockedError if something is missing. If no slot is free,
// the object is notified when there is one; waiting for a slot is written only if status says otherwise: that a blocker exists that
// no longer applies, or what was true before the attempt became due.
func (e *Engine) Start(ctx context.Context, s Subject) (begun bool, err error) {
	claim, err := s.Claim(ctx)
	if err != nil {
		return false, err
	}
	slot := e.Calls.Acquire(s.Key(), claim)
	if slot == nil {
		return false, e.queue(ctx, s)
	}
	defer slot.Release()
	send, err := s.Prepare(ctx)
	if err != nil {
		return false, err
	}
	due, id, ahead := s.DueAt(), e.NewAttempt(), e.Clock.Now()
	s.Begin(id)
	if err := WriteAhead(ctx, s.Save); err != nil {
		return false, err
	}
	if !due.IsZero() {
		e.Metrics.Lateness.Observe(max(e.Clock.Since(due), 0).Seconds())
	}
	ctx, span := s.Span(ctx)
	slot.Go(ctx, id.ID, func(ctx context.Context) publish.Outcome {
		outcome := e.sendSoon(ctx, ahead, send)
		endSpan(span, outcome)
		return outcome
	})
	return true, nil
}

// sendSoon makes a request, unless its process was held up since the attempt was about to be written ahead. The clock's own reading
// stands still with a virtual machine, so the time of day is compared.
func (e *Engine) sendSoon(ctx context.Context, ahead time.Time, send Send) publish.Outcome {
	if e.Clock.Now().Round(0).Sub(ahead.Round(0)) > maxHeld {
		return publish.NotSent(false, "the controller was held up, and another one may have replaced it")
	}
	return send(ctx)
}

// NewAttempt returns the id of an attempt of this process.
func (e *Engine) NewAttempt() lifecycle.AttemptID {
	return lifecycle.AttemptID{ID: uuid.NewString(), Holder: e.Holder}
}

// queue leaves the object to the tracker, which notifies it when a slot is free.
func (e *Engine) queue(ctx context.Context, s Subject) error {
	switch {
	case s.Blocked():
		if _, err := s.Prepare(ctx); err != nil {
			return err
		}
	case !s.Outdated():
		return nil
	}
	s.Queued()
	return s.Save(ctx)
}

// Follow records the attempt in progress if it has ended, and reports whether it has. The attempt of a process that is gone has
// an unknown outcome, which counts.
func (e *Engine) Follow(ctx context.Context, s Subject) (ended bool, err error) {
	outcome, state := e.Calls.Look(s.Attempt())
	switch state {
	case inflight.Running:
		return false, nil
	case inflight.Unknown:
		return true, e.End(ctx, s, lifecycle.InterruptedEnd(), publish.Outcome{})
	default:
		return true, e.End(ctx, s, endOf(outcome), outcome)
	}
}

// Forget drops the outcomes that status holds. It does not depend on how the write ended: its answer may have been lost.
func (e *Engine) Forget(attempts []v1alpha1.DeliveryAttempt) {
	for i := range attempts {
		if attempts[i].Outcome != v1alpha1.AttemptInProgress {
			e.Calls.Forget(attempts[i].ID)
		}
	}
}

// End records how the attempt in progress ended, and counts it once that is written. Until then the outcome stays in memory.
func (e *Engine) End(ctx context.Context, s Subject, end lifecycle.AttemptEnd, o publish.Outcome) error {
	if err := s.End(ctx, end, o); err != nil {
		return err
	}
	if err := s.Save(ctx); err != nil {
		return err
	}
	e.Metrics.Attempts.WithLabelValues(string(end.Outcome)).Inc()
	e.Metrics.Seconds.Observe(float64(end.Milliseconds) / 1000)
	return nil
}

// endOf describes the end of an attempt in the terms of status.
func endOf(o publish.Outcome) lifecycle.AttemptEnd {
	return lifecycle.AttemptEnd{AttemptResult: o.AttemptResult, Final: o.Final, RetryAfter: o.RetryAfter, Snippet: o.Snippet}
}
