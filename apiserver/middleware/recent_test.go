package middleware

import (
	"testing"
	"time"

	testingclock "k8s.io/utils/clock/testing"
)

func TestRecentCountsWhatWasKeptSinceTheCount(t *testing.T) {
	began := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	clock := testingclock.NewFakePassiveClock(began)
	r := NewRecent(clock)
	take := func(since time.Time, room int64) func() { return r.Take("acme", since, room) }
	undo := take(time.Time{}, 2)
	if undo == nil || take(time.Time{}, 2) == nil || take(time.Time{}, 2) != nil {
		t.Error("a limit of 2 is not that of 2 requests")
	}
	undo()
	if take(time.Time{}, 2) == nil {
		t.Error("one that was taken back takes room")
	}
	r.Add("acme", 5)
	if r.Take("rival", time.Time{}, 1) == nil {
		t.Error("another key has no room")
	}
	clock.SetTime(began.Add(time.Minute))
	if take(began, 7) != nil {
		t.Error("what was kept in the second of the count has no room in it")
	}
	if take(began.Add(30*time.Second), 1) == nil {
		t.Error("what was counted takes room again")
	}
	clock.SetTime(began.Add(10 * time.Minute))
	if take(time.Time{}, 1) == nil {
		t.Error("nobody has counted for long, and it still takes room")
	}
}
