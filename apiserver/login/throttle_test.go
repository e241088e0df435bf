package login_test

import (
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/apiserver/login"
)

func TestFailuresAreSlowedDown(t *testing.T) {
	clock := clocktesting.NewFakePassiveClock(start)
	throttle := login.NewThrottle(clock)
	for i := range 10 {
		if wait := throttle.Wait("a"); wait != 0 {
			t.Fatalf("try %d must wait %s", i, wait)
		}
		throttle.Failed("a")
	}
	if wait := throttle.Wait("a"); wait != 15*time.Second {
		t.Errorf("the eleventh try waits %s, want 15 s", wait)
	}
	if wait := throttle.Wait("x"); wait != 0 {
		t.Errorf("somebody else waits %s", wait)
	}
	clock.SetTime(start.Add(15 * time.Second))
	if wait := throttle.Wait("a"); wait != 0 {
		t.Errorf("a further try after 15 s waits %s", wait)
	}
	throttle.Failed("a")
	if wait := throttle.Wait("a"); wait != 15*time.Second {
		t.Errorf("the try after that waits %s, want 15 s", wait)
	}
}
