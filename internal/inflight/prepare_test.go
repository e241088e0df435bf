package inflight_test

import (
	"context"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/internal/inflight"
)

func TestASlotIsReservedAfterItsPreparation(t *testing.T) {
	useless := "useless"
	for name, tt := range map[string]struct {
		do   func(context.Context) *string
		want *string
	}{
		"nothing is wrong": {func(context.Context) *string { return nil }, nil},
		"something is":     {func(context.Context) *string { return &useless }, &useless},
		"a panic":          {func(context.Context) *string { panic("decoder") }, new("panicked")},
	} {
		t.Run(name, func(t *testing.T) {
			tracker, notified := newPanicking(inflight.Limits{Total: 1})
			proceed := make(chan struct{})
			tracker.Acquire(key("a"), at("h")).Prepare(t.Context(), "id", func(ctx context.Context) *string {
				<-proceed
				return tt.do(ctx)
			})
			if tracker.Acquire(key("a"), at("h")) != nil || !tracker.Preparing(key("a")) || tracker.Len() != 1 {
				t.Fatal("the preparation is not in progress")
			}
			tracker.Acquire(key("b"), at("h"))
			close(proceed)
			if got := <-notified; got != key("a") {
				t.Fatalf("notified of %s, want a", got.Name)
			}
			slot := tracker.Acquire(key("a"), at("h"))
			if _, ok := slot.Prepared("other"); ok {
				t.Error("something else is prepared")
			}
			problem, ok := slot.Prepared("id")
			if !ok || (problem == nil) != (tt.want == nil) || problem != nil && *problem != *tt.want {
				t.Errorf("the preparation found %v, %t", problem, ok)
			}
			slot.Release()
			if got := <-notified; got != key("b") {
				t.Errorf("notified of %s, want b", got.Name)
			}
			if _, ok := tracker.Acquire(key("b"), at("h")).Prepared("id"); ok {
				t.Error("the preparation of another object counts")
			}
		})
	}
}

func TestThePreparationOfAnObjectThatDoesNotWantItsSlotIsForgotten(t *testing.T) {
	tracker, notified := newPanicking(inflight.Limits{Total: 1})
	tracker.Acquire(key("a"), at("h")).Prepare(t.Context(), "id", func(context.Context) *string { return nil })
	<-notified
	tracker.Begin(key("a"))()
	if slot := tracker.Acquire(key("a"), at("h")); slot == nil {
		t.Error("the slot is gone")
	} else if _, ok := slot.Prepared("id"); ok {
		t.Error("an old preparation counts")
	}
}

func TestAPreparationEndsWithItsObject(t *testing.T) {
	for name, end := range map[string]func(*inflight.Tracker[string]){
		"it leaves":   func(tracker *inflight.Tracker[string]) { tracker.Leave(key("a")) },
		"it is gone":  func(tracker *inflight.Tracker[string]) { tracker.Drop(key("a")) },
		"all do":      func(tracker *inflight.Tracker[string]) { tracker.Close() },
		"others wait": func(tracker *inflight.Tracker[string]) { tracker.Acquire(key("b"), at("h")); tracker.Leave(key("a")) },
	} {
		t.Run(name, func(t *testing.T) {
			tracker, _ := newPanicking(inflight.Limits{Total: 1})
			tracker.Acquire(key("a"), at("h")).Prepare(t.Context(), "id", func(ctx context.Context) *string {
				<-ctx.Done()
				return nil
			})
			end(tracker)
			tracker.Drain(t.Context())
			if n := tracker.Len(); n != 0 {
				t.Errorf("%d calls are in progress", n)
			}
		})
	}
}

func newPanicking(limits inflight.Limits) (*inflight.Tracker[string], chan types.NamespacedName) {
	tracker := inflight.New(limits, inflight.Results[string]{
		Panicked: func(context.Context, types.NamespacedName, any, []byte) string { return "panicked" },
	})
	notified := make(chan types.NamespacedName, 10)
	tracker.Notify(func(k types.NamespacedName) { notified <- k })
	return tracker, notified
}
