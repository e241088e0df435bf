package inflight_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/internal/inflight"
)

func key(name string) types.NamespacedName { return types.NamespacedName{Namespace: "w", Name: name} }

// at is a request of one account to call a host.
func at(host string) inflight.SlotRequest {
	return inflight.SlotRequest{Account: "acme", Host: host, Domain: host}
}

func newTracker(total, perHost int) (*inflight.Tracker[string], chan types.NamespacedName) {
	t := inflight.New(inflight.Limits{Total: total, PerHost: perHost}, inflight.Results[string]{})
	woken := make(chan types.NamespacedName, 100)
	t.Notify(func(k types.NamespacedName) { woken <- k })
	return t, woken
}

func TestAResultStaysUntilItIsForgotten(t *testing.T) {
	tracker, woken := newTracker(1, 1)
	tracker.Acquire(key("a"), at("h")).Go(t.Context(), "a/1", func(context.Context) string { return "done" })
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
	tracker := inflight.New(inflight.Limits{Total: 1, PerHost: 1}, inflight.Results[string]{})
	left := make(chan int, 1)
	tracker.Notify(func(types.NamespacedName) { left <- tracker.Len() })
	tracker.Acquire(key("a"), at("h")).Go(t.Context(), "a/1", func(context.Context) string { return "" })
	if got := <-left; got != 0 {
		t.Errorf("Len when notified = %d, want 0", got)
	}
}

// An object that is notified and finds no free slot would wait for the next one who is.
func TestTheSlotIsFreeOnceTheObjectIsNotified(t *testing.T) {
	tracker := inflight.New(inflight.Limits{Total: 1, PerHost: 1}, inflight.Results[string]{})
	found := make(chan bool, 1)
	tracker.Notify(func(types.NamespacedName) { found <- tracker.Acquire(key("b"), at("h")) != nil })
	tracker.Acquire(key("a"), at("h")).Go(t.Context(), "a/1", func(context.Context) string { return "" })
	if !<-found {
		t.Error("there was no slot when a was notified")
	}
}

func TestTheResultOfAnObjectThatIsGoneIsDropped(t *testing.T) {
	tracker, woken := newTracker(10, 10)
	proceed := make(chan struct{})
	tracker.Acquire(key("b"), at("h")).Go(t.Context(), "b/1", func(context.Context) string { return "" })
	<-woken
	tracker.Acquire(key("a"), at("h")).Go(t.Context(), "a/1", func(context.Context) string { <-proceed; return "" })
	tracker.Drop(key("a"))
	if _, state := tracker.Look("a/1"); state != inflight.Running {
		t.Errorf("state of running work = %v, want Running", state)
	}
	close(proceed)
	<-woken
	tracker.Acquire(key("c"), at("h")).Go(t.Context(), "c/1", func(context.Context) string { return "" })
	<-woken
	tracker.Drop(key("c"))
	for id, want := range map[string]inflight.State{"a/1": inflight.Unknown, "b/1": inflight.Done, "c/1": inflight.Unknown} {
		if _, state := tracker.Look(id); state != want {
			t.Errorf("state of %s = %v, want %v", id, state, want)
		}
	}
}

// An object has work again only when what came of the earlier one is written, or nobody can write it any more.
func TestAnObjectsNextCallDropsEarlierResults(t *testing.T) {
	tracker, woken := newTracker(10, 10)
	proceed := make(chan struct{})
	tracker.Acquire(key("a"), at("h")).Go(t.Context(), "a/1", func(context.Context) string { <-proceed; return "" })
	tracker.Acquire(key("a"), at("h")).Go(t.Context(), "a/2", func(context.Context) string { return "" })
	<-woken
	tracker.Acquire(key("a"), at("h")).Go(t.Context(), "a/3", func(context.Context) string { return "" })
	<-woken
	close(proceed)
	<-woken
	for id, want := range map[string]inflight.State{"a/1": inflight.Unknown, "a/2": inflight.Unknown, "a/3": inflight.Done} {
		if _, state := tracker.Look(id); state != want {
			t.Errorf("state of %s = %v, want %v", id, state, want)
		}
	}
}

func TestRunningWorkReportsHowFarItIs(t *testing.T) {
	tracker, woken := newTracker(1, 1)
	reported, proceed := make(chan struct{}), make(chan struct{})
	tracker.Acquire(key("a"), at("h")).Go(t.Context(), "a/1", func(context.Context) string {
		tracker.Report("a/1", "half")
		close(reported)
		<-proceed
		return "all"
	})
	<-reported
	if got, state := tracker.Look("a/1"); got != "half" || state != inflight.Running {
		t.Errorf("Look = %q, %v, want what was reported", got, state)
	}
	close(proceed)
	<-woken
	tracker.Report("a/1", "late")
	tracker.Report("a/2", "never begun")
	if got, state := tracker.Look("a/1"); got != "all" || state != inflight.Done {
		t.Errorf("Look = %q, %v, want the result", got, state)
	}
}

func TestRunningWorkIsNotForgotten(t *testing.T) {
	tracker, woken := newTracker(1, 1)
	block := make(chan struct{})
	tracker.Acquire(key("a"), at("h")).Go(t.Context(), "a/1", func(context.Context) string { <-block; return "" })
	tracker.Forget("a/1")
	if _, state := tracker.Look("a/1"); state != inflight.Running {
		t.Errorf("state = %v, want Running", state)
	}
	close(block)
	<-woken
}

func TestASlowHostDoesNotDelayAnother(t *testing.T) {
	tracker, _ := newTracker(10, 2)
	for i := range 2 {
		if tracker.Acquire(key(fmt.Sprint("slow", i)), at("slow")) == nil {
			t.Fatal("a slot under the cap was refused")
		}
	}
	if tracker.Acquire(key("slow2"), at("slow")) != nil {
		t.Error("a slot over the host's cap was given")
	}
	if tracker.Acquire(key("fast"), at("fast")) == nil {
		t.Error("another host was held up")
	}
}

func TestTheFirstInTheQueueGetsTheFreedSlot(t *testing.T) {
	tracker, woken := newTracker(10, 1)
	first := tracker.Acquire(key("a"), at("h"))
	tracker.Acquire(key("b"), at("h"))
	tracker.Acquire(key("c"), at("h"))
	first.Release()
	if got := <-woken; got != key("b") {
		t.Fatalf("woke %v, want b", got)
	}
	if tracker.Acquire(key("d"), at("h")) != nil {
		t.Error("d got the slot that is kept for b")
	}
	if tracker.Acquire(key("b"), at("h")) == nil {
		t.Error("b did not get the slot that is kept for it")
	}
	if len(woken) != 0 {
		t.Errorf("%d more were woken, want none", len(woken))
	}
}

func TestASlotThatIsNotUsedGoesToTheNext(t *testing.T) {
	tracker, woken := newTracker(10, 1)
	first := tracker.Acquire(key("a"), at("h"))
	tracker.Acquire(key("b"), at("h"))
	tracker.Acquire(key("c"), at("h"))
	first.Release()
	tracker.Begin(<-woken)()
	if got := <-woken; got != key("c") {
		t.Errorf("woke %v, want c", got)
	}
}

func TestASlotFreedInTheTotalNotifiesAnotherHost(t *testing.T) {
	tracker, woken := newTracker(1, 1)
	first := tracker.Acquire(key("a"), at("one"))
	tracker.Acquire(key("b"), at("two"))
	first.Release()
	if got := <-woken; got != key("b") {
		t.Errorf("woke %v, want b", got)
	}
}

func TestDrainWaitsAndReturnsWhatIsUnrecorded(t *testing.T) {
	tracker, woken := newTracker(10, 10)
	block := make(chan struct{})
	tracker.Acquire(key("a"), at("h")).Go(t.Context(), "a/1", func(context.Context) string { <-block; return "" })
	drained := make(chan []types.NamespacedName)
	go func() { drained <- tracker.Drain(context.Background()) }()
	close(block)
	<-woken
	if got := <-drained; len(got) != 1 || got[0] != key("a") {
		t.Errorf("Drain = %v, want a", got)
	}
	if tracker.Acquire(key("b"), at("h")) != nil {
		t.Error("a slot was given after Drain")
	}
}

// An object with a slot may have written its attempt to status, and be about to send.
func TestDrainWaitsForWorkThatIsAboutToBegin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tracker, _ := newTracker(10, 10)
		used, unused := tracker.Acquire(key("a"), at("h")), tracker.Acquire(key("b"), at("h"))
		proceed, drained := make(chan struct{}), make(chan []types.NamespacedName, 1)
		go func() { drained <- tracker.Drain(t.Context()) }()
		for _, next := range []func(){
			func() {}, unused.Release, func() { used.Go(t.Context(), "a/1", func(context.Context) string { <-proceed; return "" }) },
		} {
			next()
			synctest.Wait()
			if len(drained) > 0 {
				t.Fatal("Drain did not wait")
			}
		}
		close(proceed)
		if got := <-drained; len(got) != 1 || got[0] != key("a") {
			t.Errorf("Drain = %v, want a", got)
		}
	})
}

// Perhaps nobody looks any more at the objects that slots are kept for.
func TestDrainDoesNotWaitForReservedSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tracker, woken := newTracker(2, 2)
		first, second := tracker.Acquire(key("a"), at("h")), tracker.Acquire(key("b"), at("h"))
		tracker.Acquire(key("c"), at("h"))
		first.Release()
		<-woken
		tracker.Close()
		tracker.Begin(key("c"))()
		drained := make(chan []types.NamespacedName, 1)
		go func() { drained <- tracker.Drain(t.Context()) }()
		synctest.Wait()
		if len(drained) > 0 {
			t.Error("Drain did not wait for the slot that is out")
		}
		second.Release()
		<-drained
		if tracker.Acquire(key("c"), at("h")) != nil {
			t.Error("a slot was given after Drain")
		}
	})
}

func TestDrainGivesUpWithItsContext(t *testing.T) {
	tracker, woken := newTracker(10, 10)
	block := make(chan struct{})
	tracker.Acquire(key("a"), at("h")).Go(t.Context(), "a/1", func(context.Context) string { <-block; return "" })
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := tracker.Drain(ctx); len(got) != 0 {
		t.Errorf("Drain = %v, want nothing", got)
	}
	close(block)
	<-woken
}

// untilCancelled is work that says why it ended.
func untilCancelled(ctx context.Context) string {
	<-ctx.Done()
	return ctx.Err().Error()
}

func TestCancelEndsTheWorkForAnObject(t *testing.T) {
	tracker, woken := newTracker(10, 10)
	for _, name := range []string{"a", "b"} {
		tracker.Acquire(key(name), at("h")).Go(t.Context(), name+"/1", untilCancelled)
	}
	tracker.Cancel(key("a"))
	<-woken
	if got, _ := tracker.Look("a/1"); got != context.Canceled.Error() {
		t.Errorf("result = %q, want %q", got, context.Canceled)
	}
	if _, state := tracker.Look("b/1"); state != inflight.Running {
		t.Errorf("state of another object's work = %v, want Running", state)
	}
	tracker.CancelAll()
	<-woken
}

func TestCancelAllEndsWorkThatBeginsLaterToo(t *testing.T) {
	tracker, woken := newTracker(10, 10)
	tracker.Acquire(key("a"), at("h")).Go(t.Context(), "a/1", untilCancelled)
	late := tracker.Acquire(key("b"), at("h"))
	tracker.CancelAll()
	late.Go(t.Context(), "b/1", untilCancelled)
	for range 2 {
		<-woken
	}
	for _, id := range []string{"a/1", "b/1"} {
		if got, _ := tracker.Look(id); got != context.Canceled.Error() {
			t.Errorf("result of %s = %q, want %q", id, got, context.Canceled)
		}
	}
}

func TestTheTimeoutEndsWork(t *testing.T) {
	tracker := inflight.New(inflight.Limits{Total: 1, PerHost: 1, Timeout: time.Millisecond}, inflight.Results[error]{})
	woken := make(chan types.NamespacedName, 1)
	tracker.Notify(func(k types.NamespacedName) { woken <- k })
	tracker.Acquire(key("a"), at("h")).Go(t.Context(), "a/1", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
	<-woken
	if got, _ := tracker.Look("a/1"); !errors.Is(got, context.DeadlineExceeded) {
		t.Errorf("result = %v, want %v", got, context.DeadlineExceeded)
	}
}

func TestASlotIsReservedUntilTheEndOfAReconcile(t *testing.T) {
	tracker, woken := newTracker(1, 1)
	used := tracker.Acquire(key("z"), at("h"))
	for _, name := range []string{"a", "b", "c"} {
		tracker.Acquire(key(name), at("h"))
	}
	used.Release()
	if got := <-woken; got != key("a") {
		t.Fatalf("notified is %v, want a, the first in the queue", got)
	}
	if tracker.Acquire(key("b"), at("h")) != nil || tracker.Acquire(key("c"), at("h")) != nil {
		t.Fatal("another one got the slot that is reserved for a")
	}
	tracker.Begin(key("a"))()
	if got := <-woken; got != key("b") {
		t.Fatalf("notified is %v, want b, the first in the queue", got)
	}
	slot := tracker.Acquire(key("b"), at("h"))
	if slot == nil {
		t.Fatal("b has no slot")
	}
	slot.Release()
	if got := <-woken; got != key("c") {
		t.Fatalf("notified is %v, want c", got)
	}
	if tracker.Acquire(key("c"), at("h")) == nil {
		t.Error("c has no slot")
	}
}

// A Site's URL may change while its article has a reserved slot.
func TestAReservedSlotIsNotLostWhenTheHostChanges(t *testing.T) {
	tracker, woken := newTracker(2, 1)
	first, second := tracker.Acquire(key("a"), at("h1")), tracker.Acquire(key("b"), at("h2"))
	tracker.Acquire(key("c"), at("h1")) // queued
	first.Release()
	<-woken // a slot of h1 is reserved for c
	if tracker.Acquire(key("c"), at("h2")) != nil {
		t.Fatal("c got a slot of h2 beyond its limit")
	}
	second.Release()
	tracker.Begin(key("c"))()
	for _, host := range []string{"h1", "h2"} {
		slot := tracker.Acquire(key("c"), at(host))
		if slot == nil {
			t.Fatalf("no slot of %s is free, although none is in use", host)
		}
		slot.Release()
	}
}
