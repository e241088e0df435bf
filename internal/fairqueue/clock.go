package fairqueue

import (
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// setForward is by how much the time of day must go ahead of the uptime to count as set forward. A machine that corrects its clock
// gradually stays below it.
const setForward = time.Second

// clockOfRequests is the clock by which requests are queued later. It goes by the uptime, so that a time of day that is set back delays
// nothing. If the time of day is set forward, or the machine was suspended, which its uptime does not count, it goes by the time of day:
// that is what articles are scheduled by.
type clockOfRequests struct {
	clock.WithTicker
	// read returns the time of day, and how long the machine has run.
	read func() (day time.Time, uptime time.Duration)

	mu     sync.Mutex
	now    time.Time
	day    time.Time
	uptime time.Duration
}

// newClock returns the clock of a queue.
func newClock() *clockOfRequests {
	started := time.Now()
	return startedClock(clock.RealClock{}, func() (time.Time, time.Duration) {
		now := time.Now()
		return now.Round(0), now.Sub(started) // Round removes the reading of the monotonic clock.
	})
}

func startedClock(timers clock.WithTicker, read func() (day time.Time, uptime time.Duration)) *clockOfRequests {
	c := &clockOfRequests{WithTicker: timers, read: read}
	c.day, c.uptime = read()
	c.now = c.day
	return c
}

// Now implements clock.Clock.
func (c *clockOfRequests) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	day, uptime := c.read()
	passed := uptime - c.uptime
	if byDay := day.Sub(c.day); byDay > passed+setForward {
		passed = byDay
	}
	c.now, c.day, c.uptime = c.now.Add(passed), day, uptime
	return c.now
}

// Since implements clock.Clock.
func (c *clockOfRequests) Since(t time.Time) time.Duration { return c.Now().Sub(t) }
