// Package delivery makes attempts to reach a receiver. Each attempt is written to status before its request is sent, runs outside of
// the reconcile, and is recorded when it has ended. Its subjects are articles, events, and tests of a Site's connection.
package delivery

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/fence"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// Send makes the requests of one attempt, with a client whose transport is a fence.Transport.
type Send func(context.Context) publish.Outcome

// Plan is what an attempt does.
type Plan struct {
	// Check looks at something outside that is sent; nil if there is nothing to look at.
	Check *Check
	Send  Send
}

// Check is a look that may take long: it is taken outside of the reconcile, in the slot of the attempt, before the attempt is written. So
// nothing slow is between the write of an attempt and its request.
type Check struct {
	// ID says what is looked at.
	ID string
	// Do returns the outcome of an attempt that cannot be made; nil if it can.
	Do func(context.Context) *publish.Outcome
}

// Subject is an object that attempts are made for, during one reconcile. The methods that record something change the object in memory;
// only Save writes it.
type Subject interface {
	// Key names the object.
	Key() types.NamespacedName
	// SlotRequest returns for which account a slot is needed, and which host is called. It reads from the cache only.
	SlotRequest(ctx context.Context) (inflight.SlotRequest, error)
	// Attempt is the id of the attempt in progress.
	Attempt() string
	// Prepare reads everything that the request needs, or returns a *lifecycle.BlockedError if something is missing.
	Prepare(ctx context.Context) (Plan, error)
	// Stored reports whether status names a blocker, and whether it is older than the change that made the attempt due, such as a
	// reviewer's decision. If it names a blocker, Start calls Prepare even if no slot is free, to find out whether that still exists.
	Stored() (blocked, outdated bool)
	// Queued records that the attempt waits only for a slot.
	Queued()
	// Checking records that the attempt waits only for its Check.
	Checking()
	// Begin records an attempt that is about to be made. It returns when the attempt became due; zero if status does not say.
	Begin(attempts.ID) (due time.Time)
	// Span starts the span of the attempt in progress.
	Span(ctx context.Context) (context.Context, trace.Span)
	// End records how the attempt in progress ended.
	End(ctx context.Context, end attempts.End, o publish.Outcome) error
	// Save writes what was recorded. A conflict is returned.
	Save(ctx context.Context) error
}

// Engine makes the attempts of one kind of subject.
type Engine struct {
	// Calls are the requests in progress.
	Calls *inflight.Tracker[publish.Outcome]
	// Holder identifies this process in the attempts that it writes to status.
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
	Seconds prometheus.Histogram
	// Lateness is how many seconds after they became due attempts began.
	Lateness prometheus.Observer
}

// Start makes the next attempt and reports whether it has begun. It reads everything that the attempt needs, writes the attempt to
// status, and only then sends something. It returns a *lifecycle.BlockedError if something is missing. If no slot is free, the object
// is queued, and notified when it has one; if the attempt has a Check, the object is notified when that has ended. Start writes that it
// waits only if status is wrong: if it names a blocker that no longer exists, or is outdated.
func (e *Engine) Start(ctx context.Context, s Subject) (begun bool, err error) {
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
			return true, e.EndUnmade(ctx, s, endOf(*problem), *problem)
		}
	}
	if err := e.begin(ctx, s, slot, plan.Send); err != nil {
		return false, err
	}
	return true, nil
}

// begin writes an attempt to status, and makes it.
func (e *Engine) begin(ctx context.Context, s Subject, slot *inflight.Slot[publish.Outcome], send Send) error {
	id, ahead := e.newAttempt(), e.Clock.Now()
	due := s.Begin(id)
	if err := WriteAhead(ctx, s.Save); err != nil {
		return err
	}
	if !due.IsZero() {
		e.Metrics.Lateness.Observe(max(e.Clock.Since(due), 0).Seconds())
	}
	ctx, span := s.Span(ctx)
	slot.Go(ctx, id.ID, func(ctx context.Context) publish.Outcome {
		ctx, fenced := fence.Begun(ctx, ahead)
		outcome := unlessHeldUp(send(ctx), fenced)
		endSpan(span, outcome)
		return outcome
	})
	return nil
}

// unlessHeldUp returns the outcome of an attempt, or what became of it if the process was held up. If nothing was sent, the attempt does
// not count. If something was, it counts, and what the receiver has is unknown.
func unlessHeldUp(o publish.Outcome, fenced *fence.Attempt) publish.Outcome {
	if !fenced.Refused() || o.Outcome == v1alpha1.AttemptAccepted {
		return o
	}
	held := publish.NotSent(false, fence.ErrHeldUp.Error())
	held.Uncounted = !fenced.Sent()
	if fenced.Sent() {
		held.Outcome, held.ErrorClass = v1alpha1.AttemptUnknown, v1alpha1.ErrorInterrupted
		held.Message = "something was sent, and then " + fence.ErrHeldUp.Error()
	}
	held.Milliseconds = o.Milliseconds
	o.AttemptResult, o.Final, o.Uncounted, o.RetryAfter = held.AttemptResult, false, held.Uncounted, 0
	return o
}

// newAttempt returns the id of an attempt of this process.
func (e *Engine) newAttempt() attempts.ID {
	return attempts.ID{ID: uuid.NewString(), Holder: e.Holder}
}

// queue corrects the status of an object that waits for a slot, if it is wrong. The tracker notifies the object when a slot is free.
func (e *Engine) queue(ctx context.Context, s Subject) error {
	if blocked, _ := s.Stored(); blocked {
		if _, err := s.Prepare(ctx); err != nil {
			return err
		}
	}
	return e.wait(ctx, s, s.Queued)
}

// wait records what an object waits for if its status is wrong.
func (e *Engine) wait(ctx context.Context, s Subject, record func()) error {
	if blocked, outdated := s.Stored(); !blocked && !outdated {
		return nil
	}
	record()
	return s.Save(ctx)
}

// Follow records the attempt in progress if it has ended, and reports whether it has. If the process that made the attempt has ended,
// the outcome is unknown, and the attempt counts.
func (e *Engine) Follow(ctx context.Context, s Subject) (ended bool, err error) {
	outcome, state := e.Calls.Look(s.Attempt())
	switch state {
	case inflight.Running:
		return false, nil
	case inflight.Unknown:
		return true, e.End(ctx, s, attempts.Interrupted(), publish.Outcome{})
	default:
		return true, e.End(ctx, s, endOf(outcome), outcome)
	}
}

// Forget drops the outcomes that status holds. It reads status, because a write that returned an error may still have been made.
func (e *Engine) Forget(attempts []v1alpha1.DeliveryAttempt) {
	for i := range attempts {
		if attempts[i].Outcome != v1alpha1.AttemptInProgress {
			e.Calls.Forget(attempts[i].ID)
		}
	}
}

// EndUnmade records an attempt that is not made. Its outcome is known before it begins.
func (e *Engine) EndUnmade(ctx context.Context, s Subject, end attempts.End, o publish.Outcome) error {
	s.Begin(e.newAttempt())
	return e.End(ctx, s, end, o)
}

// End records how the attempt in progress ended, writes that to status, and then counts it in the metrics. The outcome stays in memory
// until it is written.
func (e *Engine) End(ctx context.Context, s Subject, end attempts.End, o publish.Outcome) error {
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
func endOf(o publish.Outcome) attempts.End {
	return attempts.End{
		AttemptResult: o.AttemptResult, Final: o.Final, Uncounted: o.Uncounted, RetryAfter: o.RetryAfter, Snippet: o.Snippet,
	}
}

func endSpan(span trace.Span, o publish.Outcome) {
	var more []attribute.KeyValue
	if o.HTTPStatus != 0 {
		more = append(more, attribute.Int("http.response.status_code", int(o.HTTPStatus)))
	}
	if o.ErrorClass != "" {
		more = append(more, attribute.String("error.type", string(o.ErrorClass)))
	}
	tracing.End(span, string(o.Outcome), o.Outcome != v1alpha1.AttemptAccepted, more...)
}

// writePatience bounds the write of an attempt once the process is asked to stop.
const writePatience = 10 * time.Second

// WriteAhead writes an attempt, of a delivery or of a run, to status before it begins. If the process is asked to stop meanwhile,
// WriteAhead waits for the answer for at most 10 seconds: without the answer it is not known whether the attempt is written, and it
// could not be made. If ctx has ended already, WriteAhead writes nothing and returns the error of ctx.
func WriteAhead(ctx context.Context, save func(context.Context) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	detached, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(writePatience, cancel) })
	defer stop()
	return save(detached)
}
