package inflight_test

import (
	"context"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/internal/inflight"
)

// as is a request of an object that has this UID.
func as(uid types.UID) inflight.SlotRequest {
	request := at("h")
	request.UID = uid
	return request
}

// An object that was deleted and created again has the name of the earlier one.
func TestAnObjectWaitsForTheCallOfAnEarlierOneOfItsName(t *testing.T) {
	tracker, notified := newTracker(5, 5)
	answer := make(chan string)
	tracker.Acquire(key("a"), as("old")).Go(t.Context(), "1", func(context.Context) string { return <-answer })
	expect := func(others bool, ended int, acquired bool) {
		t.Helper()
		slot := tracker.Acquire(key("a"), as("new"))
		defer func() {
			if slot != nil {
				slot.Release()
			}
		}()
		results := tracker.EndedOfOthers(key("a"), "new")
		if tracker.HasOthers(key("a"), "new") != others || len(results) != ended || (slot != nil) != acquired {
			t.Errorf("others %t, results %v, acquired %t", tracker.HasOthers(key("a"), "new"), results, slot != nil)
		}
	}
	expect(true, 0, false)
	answer <- "sent"
	if got := <-notified; got != key("a") {
		t.Errorf("notified of %s, want a", got.Name)
	}
	expect(true, 1, false)
	if got := tracker.EndedOfOthers(key("a"), "new")["1"]; got != "sent" {
		t.Errorf("the result is %q", got)
	}
	if own := tracker.EndedOfOthers(key("a"), "old"); len(own) != 0 || tracker.HasOthers(key("b"), "new") {
		t.Errorf("its own result, or one of another name, is of another object: %v", own)
	}
	tracker.Forget("1")
	expect(false, 0, true)
}

func TestNobodyWaitsForACallThatWasDropped(t *testing.T) {
	tracker, notified := newTracker(5, 5)
	tracker.Acquire(key("a"), as("old")).Go(t.Context(), "1", func(ctx context.Context) string {
		<-ctx.Done()
		return "cancelled"
	})
	tracker.DropOthers(key("a"), "new")
	slot := tracker.Acquire(key("a"), as("new"))
	if slot == nil {
		t.Fatal("no slot is free")
	}
	<-notified
	slot.Go(t.Context(), "2", func(context.Context) string { return "done" })
	<-notified
	tracker.DropOthers(key("a"), "new")
	if _, state := tracker.Look("1"); state != inflight.Unknown {
		t.Error("the result of the earlier object is kept")
	}
	if got, state := tracker.Look("2"); state != inflight.Done || got != "done" {
		t.Errorf("Look = %q, %v", got, state)
	}
}
