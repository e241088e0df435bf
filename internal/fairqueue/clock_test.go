package fairqueue

import (
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/util/workqueue"
	clocktesting "k8s.io/utils/clock/testing"
)

// A machine that was suspended, and one whose clock was set, made articles wait an hour longer.
func TestWhatIsDueByTheTimeOfDayIsQueued(t *testing.T) {
	for name, tt := range map[string]struct {
		set  time.Duration
		want bool
	}{
		"the time of day goes with the uptime": {0, false},
		"it is set forward":                    {time.Hour, true},
		"it is set back":                       {-time.Hour, false},
		"it is corrected gradually":            {time.Second / 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			started, set := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), time.Duration(0)
			machine := clocktesting.NewFakeClock(started)
			c := startedClock(machine, func() (time.Time, time.Duration) { return machine.Now().Add(set), machine.Since(started) })
			due := c.Now().Add(time.Hour)
			set = tt.set
			machine.Step(10 * time.Second)
			if got := !c.Now().Before(due); got != tt.want {
				t.Errorf("due: %t, want %t", got, tt.want)
			}
			machine.Step(time.Hour)
			if c.Now().Before(due) {
				t.Error("an hour later, it is not due")
			}
		})
	}
}

// The queue looks at what it holds every 10 seconds.
func TestARequestIsQueuedSoonAfterTheTimeOfDayIsSetForward(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		machine, set := clocktesting.NewFakeClock(time.Now()), time.Duration(0)
		started := machine.Now()
		c := startedClock(machine, func() (time.Time, time.Duration) { return machine.Now().Add(set), machine.Since(started) })
		q := workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[string]{Clock: c})
		defer q.ShutDown()
		q.AddAfter("shoes", time.Hour)
		synctest.Wait()
		set = time.Hour
		machine.Step(10 * time.Second)
		synctest.Wait()
		if q.Len() != 1 {
			t.Error("the request waits for another hour")
		}
	})
}
