package middleware_test

import (
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/apiserver/middleware"
)

var start = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func TestFailuresAreSlowedDown(t *testing.T) {
	clock := clocktesting.NewFakePassiveClock(start)
	throttle := middleware.NewThrottle(clock, 1./15, 10)
	for i := range 10 {
		if wait := throttle.Wait("a"); wait != 0 {
			t.Fatalf("try %d must wait %s", i, wait)
		}
		throttle.Owe("a")
	}
	for _, want := range []time.Duration{15 * time.Second, 30 * time.Second} {
		if wait := throttle.Wait("a"); wait != want {
			t.Errorf("waits %s, want %s", wait, want)
		}
		// A try that had begun fails too.
		throttle.Owe("a")
	}
	if wait := throttle.Wait("x"); wait != 0 {
		t.Errorf("somebody else waits %s", wait)
	}
	clock.SetTime(start.Add(45 * time.Second))
	if wait := throttle.Wait("a"); wait != 0 {
		t.Errorf("waits %s after 45 s", wait)
	}
}

func TestWhatWasTakenIsRememberedUntilItHasComeBack(t *testing.T) {
	clock := clocktesting.NewFakePassiveClock(start)
	throttle := middleware.NewThrottle(clock, 1./60, 2)
	for range 2 {
		if wait := throttle.Take("a"); wait != 0 {
			t.Fatalf("waits %s", wait)
		}
	}
	for _, step := range []struct{ after, want time.Duration }{
		{0, time.Minute}, {30 * time.Second, 30 * time.Second}, {time.Minute, 0}, {61 * time.Second, 59 * time.Second}, {10 * time.Minute, 0},
	} {
		clock.SetTime(start.Add(step.after))
		if wait := throttle.Take("a"); wait != step.want {
			t.Errorf("after %s: waits %s, want %s", step.after, wait, step.want)
		}
	}
}
