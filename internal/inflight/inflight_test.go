package inflight_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/internal/inflight"
)

func key(name string) types.NamespacedName { return types.NamespacedName{Namespace: "w", Name: name} }

func newTracker(total, perHost int) (*inflight.Tracker[string], chan types.NamespacedName) {
	t := inflight.New[string](inflight.Limits{Total: total, PerHost: perHost})
	woken := make(chan types.NamespacedName, 100)
	t.Notify(func(k types.NamespacedName) { woken <- k })
	return t, woken
}

func TestAResultStaysUntilItIsForgotten(t *testing.T) {
	tracker, woken := newTracker(1, 1)
	tracker.Acquire(key("a"), "h").Go(t.Context(), "a/1", func(context.Context) string { return "done" })
	if got := <-woken; got != key("a") {
		t.Fatalf("woke %v, want a", got)
	}
	for range 2 {
		if got, state := tracker.Look("a/1"); state != inflight.Done || got != "done" {
			t.Fatalf("Look = %q, %v, want the result", got, state)
		}
	}
	tracker.Forget("a/1")
	if _, state := tracker.Look("a/1"); state != inflight.Unknown {
		t.Errorf("state after Forget = %v, want Unknown", state)
	}
}

// Who is notified and then waits while there is work would wait for ever.
func TestWorkHasEndedOnceItsObjectIsNotified(t *testing.T) {
	tracker := inflight.New[string](inflight.Limits{Total: 1, PerHost: 1})
	left := make(chan int, 1)
	tracker.Notify(func(types.NamespacedName) { left <- tracker.Len() })
	tracker.Acquire(key("a"), "h").Go(t.Context(), "a/1", func(context.Context) string { return "" })
	if got := <-left; got != 0 {
		t.Errorf("Len when notified = %d, want 0", got)
	}
}

func TestRunningWorkIsNotForgotten(t *testing.T) {
	tracker, woken := newTracker(1, 1)
	block := make(chan struct{})
	tracker.Acquire(key("a"), "h").Go(t.Context(), "a/1", func(context.Context) string { <-block; return "" })
	tracker.Forget("a/1")
	if _, state := tracker.Look("a/1"); state != inflight.Running {
		t.Errorf("state = %v, want Running", state)
	}
	close(block)
	<-woken
}

func TestASlowHostDoesNotHoldUpAnother(t *testing.T) {
	tracker, _ := newTracker(10, 2)
	for i := range 2 {
		if tracker.Acquire(key(fmt.Sprint("slow", i)), "slow") == nil {
			t.Fatal("a slot under the cap was refused")
		}
	}
	if tracker.Acquire(key("slow2"), "slow") != nil {
		t.Error("a slot over the host's cap was given")
	}
	if tracker.Acquire(key("fast"), "fast") == nil {
		t.Error("another host was held up")
	}
}

func TestTheFirstInLineGetsTheFreedSlot(t *testing.T) {
	tracker, woken := newTracker(10, 1)
	first := tracker.Acquire(key("a"), "h")
	tracker.Acquire(key("b"), "h")
	tracker.Acquire(key("c"), "h")
	first.Release()
	if got := <-woken; got != key("b") {
		t.Fatalf("woke %v, want b", got)
	}
	if tracker.Acquire(key("d"), "h") != nil {
		t.Error("d got the slot that is kept for b")
	}
	if tracker.Acquire(key("b"), "h") == nil {
		t.Error("b did not get the slot that is kept for it")
	}
	if len(woken) != 0 {
		t.Errorf("%d more were woken, want none", len(woken))
	}
}

func TestASlotThatIsNotUsedGoesToTheNext(t *testing.T) {
	tracker, woken := newTracker(10, 1)
	first := tracker.Acquire(key("a"), "h")
	tracker.Acquire(key("b"), "h")
	tracker.Acquire(key("c"), "h")
	first.Release()
	tracker.Settle(<-woken)
	if got := <-woken; got != key("c") {
		t.Errorf("woke %v, want c", got)
	}
}

func TestAFreedPlaceInTheTotalWakesAnotherHost(t *testing.T) {
	tracker, woken := newTracker(1, 1)
	first := tracker.Acquire(key("a"), "one")
	tracker.Acquire(key("b"), "two")
	first.Release()
	if got := <-woken; got != key("b") {
		t.Errorf("woke %v, want b", got)
	}
}

func TestDrainWaitsAndTellsWhatIsUnrecorded(t *testing.T) {
	tracker, woken := newTracker(10, 10)
	block := make(chan struct{})
	tracker.Acquire(key("a"), "h").Go(t.Context(), "a/1", func(context.Context) string { <-block; return "" })
	drained := make(chan []types.NamespacedName)
	go func() { drained <- tracker.Drain(context.Background()) }()
	close(block)
	<-woken
	if got := <-drained; len(got) != 1 || got[0] != key("a") {
		t.Errorf("Drain = %v, want a", got)
	}
	if tracker.Acquire(key("b"), "h") != nil {
		t.Error("a slot was given after Drain")
	}
}

func TestDrainGivesUpWithItsContext(t *testing.T) {
	tracker, woken := newTracker(10, 10)
	block := make(chan struct{})
	tracker.Acquire(key("a"), "h").Go(t.Context(), "a/1", func(context.Context) string { <-block; return "" })
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := tracker.Drain(ctx); len(got) != 0 {
		t.Errorf("Drain = %v, want nothing", got)
	}
	close(block)
	<-woken
}

func TestCancelEndsWork(t *testing.T) {
	tracker, woken := newTracker(10, 10)
	tracker.Acquire(key("a"), "h").Go(t.Context(), "a/1", func(ctx context.Context) string {
		<-ctx.Done()
		return ctx.Err().Error()
	})
	tracker.Cancel()
	<-woken
	if got, _ := tracker.Look("a/1"); got != context.Canceled.Error() {
		t.Errorf("result = %q, want %q", got, context.Canceled)
	}
}

func TestTheTimeoutEndsWork(t *testing.T) {
	tracker := inflight.New[error](inflight.Limits{Total: 1, PerHost: 1, Timeout: time.Millisecond})
	woken := make(chan types.NamespacedName, 1)
	tracker.Notify(func(k types.NamespacedName) { woken <- k })
	tracker.Acquire(key("a"), "h").Go(t.Context(), "a/1", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
	<-woken
	if got, _ := tracker.Look("a/1"); !errors.Is(got, context.DeadlineExceeded) {
		t.Errorf("result = %v, want %v", got, context.DeadlineExceeded)
	}
}
