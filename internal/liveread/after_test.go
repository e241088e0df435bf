package liveread_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pressroom-dev/pressroom/internal/liveread"
)

func TestAReadIsSharedByWhatWasWrittenBeforeIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, newest := newServer(), &liveread.Newest{}
		r := liveread.New(s, newest)
		after := func(version string) context.Context { return liveread.After(t.Context(), version) }
		newest.Saw("10")
		newest.Saw("9") // of the first list, which has no order

		first := call(after("10"), r, 1)
		joined := call(after("8"), r, 3)
		s.store("new")
		s.answer <- nil
		expect(t, append(first, joined...), "old")

		time.Sleep(900 * time.Millisecond)
		expect(t, call(after("10"), r, 2), "old")
		if got := s.started(); got != 1 {
			t.Fatalf("%d reads have started, want 1 for all that was written before it", got)
		}

		later := call(after("11"), r, 1)
		s.answer <- nil
		expect(t, later, "new")
		plain := call(t.Context(), r, 1)
		s.answer <- nil
		expect(t, plain, "new")
		if got := s.started(); got != 3 {
			t.Errorf("%d reads have started, want 3: one for what was written later, and one for a caller that says nothing", got)
		}
	})
}

func TestAReadIsKeptForASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, newest := newServer(), &liveread.Newest{}
		r := liveread.New(s, newest)
		newest.Saw("10")
		ctx := liveread.After(t.Context(), "10")
		first := call(ctx, r, 1)
		s.answer <- nil
		expect(t, first, "old")
		s.store("new")
		time.Sleep(time.Second + time.Millisecond)
		second := call(ctx, r, 1)
		s.answer <- nil
		expect(t, second, "new")
		time.Sleep(2 * time.Second) // nothing is left that would be dropped later
	})
}

func TestAReadThatFailedIsNotShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, newest, failed := newServer(), &liveread.Newest{}, errors.New("no connection")
		r := liveread.New(s, newest)
		newest.Saw("10")
		ctx := liveread.After(t.Context(), "10")
		first := call(ctx, r, 1)
		s.answer <- failed
		synctest.Wait()
		if !errors.Is(first[0].err, failed) {
			t.Errorf("err = %v, want %v", first[0].err, failed)
		}
		again := call(ctx, r, 1)
		s.answer <- nil
		expect(t, again, "old")
	})
}

func TestNothingIsSharedThatNoWatchHasSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		for _, newest := range []*liveread.Newest{nil, {}} {
			r := liveread.New(s, newest)
			before := s.started()
			for range 2 {
				c := call(liveread.After(t.Context(), "1"), r, 1)
				s.answer <- nil
				expect(t, c, "old")
			}
			if got := s.started() - before; got != 2 {
				t.Errorf("%d reads have started, want 2", got)
			}
		}
		time.Sleep(2 * time.Second)
	})
}
