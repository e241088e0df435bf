package attempt

import (
	"context"
	"time"

	"github.com/google/uuid"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/internal/fence"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
)

// Engine makes the attempts of one kind of subject, whose results are Ts.
type Engine[T any] struct {
	// Calls are the attempts in progress.
	Calls *inflight.Tracker[T]
	// Results tells how to read the results.
	Results Results[T]
	// Holder identifies this process in the attempts that it writes to status.
	Holder string
	// Clock is injected for tests.
	Clock clock.PassiveClock
	// Metrics of the attempts.
	Metrics Metrics
}

// NewEngine returns an engine that has as many attempts in progress as the limits allow.
func NewEngine[T any](limits inflight.Limits, results Results[T], holder string, clk clock.PassiveClock, m Metrics) *Engine[T] {
	return &Engine[T]{Calls: inflight.New(limits, results.Results), Results: results, Holder: holder, Clock: clk, Metrics: m}
}

// Start makes the next attempt and reports whether it has begun. It reads everything that the attempt needs, writes the attempt to
// status, and only then sends something. It returns a *lifecycle.BlockedError if something is missing. If no slot is free, the object
// is queued, and notified when it has one; if the attempt has a Check, the object is notified when that has ended. Start writes that it
// waits only if status is wrong: if it names a blocker that no longer exists, or is outdated.
func (e *Engine[T]) Start(ctx context.Context, s Subject[T]) (begun bool, err error) {
	request, err := s.SlotRequest(ctx)
	if err != nil {
		return false, err
	}
	slot := e.Calls.Acquire(s.Key(), request)
	switch {
	case slot == nil && e.Calls.Preparing(s.Key()):
		return false, e.wait(ctx, s, s.Checking)
	case slot == nil:
		return false, e.queue(ctx, s)
	}
	defer slot.Release()
	plan, err := s.Prepare(ctx)
	if err != nil {
		return false, err
	}
	if check := plan.Check; check != nil {
		problem, checked := slot.Prepared(check.ID)
		switch {
		case !checked:
			slot.Prepare(ctx, check.ID, check.Do)
			return false, e.wait(ctx, s, s.Checking)
		case problem != nil:
			return true, e.EndUnmade(ctx, s, *problem)
		}
	}
	if err := e.begin(ctx, s, slot, plan.Send); err != nil {
		return false, err
	}
	return true, nil
}

// begin writes an attempt to status, and makes it.
func (e *Engine[T]) begin(ctx context.Context, s Subject[T], slot *inflight.Slot[T], send func(context.Context) T) error {
	due, err := s.Begin(ctx, e.newAttempt())
	if err != nil {
		return err
	}
	ahead := e.Clock.Now()
	if err := writeAhead(ctx, s); err != nil {
		return err
	}
	if !due.IsZero() && e.Metrics.Lateness != nil {
		e.Metrics.Lateness.Observe(max(e.Clock.Since(due), 0).Seconds())
	}
	ctx, endSpan := s.Span(ctx)
	slot.Go(ctx, s.Attempt(), func(ctx context.Context) T {
		ctx, fenced := fence.Begun(ctx, ahead)
		result := send(ctx)
		if fenced.Refused() {
			result = e.Results.HeldUp(result, fenced.Sent())
		}
		endSpan(result)
		return result
	})
	return nil
}

// newAttempt returns the id of an attempt of this process.
func (e *Engine[T]) newAttempt() cycles.AttemptID {
	return cycles.AttemptID{ID: uuid.NewString(), Holder: e.Holder}
}

// queue corrects the status of an object that waits for a slot, if it is wrong. The tracker notifies the object when a slot is free.
func (e *Engine[T]) queue(ctx context.Context, s Subject[T]) error {
	if blocked, _ := s.Stored(); blocked {
		if _, err := s.Prepare(ctx); err != nil {
			return err
		}
	}
	return e.wait(ctx, s, s.Queued)
}

// wait records what an object waits for if its status is wrong.
func (e *Engine[T]) wait(ctx context.Context, s Subject[T], record func()) error {
	if blocked, outdated := s.Stored(); !blocked && !outdated {
		return nil
	}
	record()
	return s.Save(ctx, func() {})
}

// Follow records the attempt in progress if it has ended, and reports whether it has. If it has not, Follow returns the progress that it
// has reported. If the process that made the attempt has ended, Follow records Results.Interrupted.
func (e *Engine[T]) Follow(ctx context.Context, s Subject[T]) (ended bool, soFar T, err error) {
	result, state := e.Calls.Look(s.Attempt())
	switch state {
	case inflight.Running:
		return false, result, nil
	case inflight.Unknown:
		return true, result, e.end(ctx, s, e.Results.Interrupted)
	default:
		return true, result, e.end(ctx, s, result)
	}
}

// EndUnmade records an attempt that is not made. Its result is known before it begins.
func (e *Engine[T]) EndUnmade(ctx context.Context, s Subject[T], result T) error {
	if _, err := s.Begin(ctx, e.newAttempt()); err != nil {
		return err
	}
	return e.end(ctx, s, result)
}

// end records how the attempt in progress ended, writes that to status, and then counts it in the metrics. The result stays in memory
// until it is written.
func (e *Engine[T]) end(ctx context.Context, s Subject[T], result T) error {
	outcome, err := s.End(ctx, result)
	if err != nil {
		return err
	}
	return s.Save(ctx, func() {
		if outcome == "" || e.Metrics.Attempts == nil {
			return
		}
		e.Metrics.Attempts.WithLabelValues(outcome).Inc()
		e.Metrics.Seconds.Observe(e.Results.Seconds(result))
	})
}

// writePatience bounds the write of an attempt once the process is asked to stop.
const writePatience = 10 * time.Second

// writeAhead writes an attempt to status before it begins. If the process is asked to stop meanwhile, writeAhead waits for the answer for
// at most 10 seconds: without the answer it is not known whether the attempt is written, and it could not be made. If ctx has ended
// already, writeAhead writes nothing and returns the error of ctx.
func writeAhead[T any](ctx context.Context, s Subject[T]) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	detached, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(writePatience, cancel) })
	defer stop()
	return s.Save(detached, func() {})
}
