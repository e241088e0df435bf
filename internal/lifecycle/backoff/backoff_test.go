package backoff_test

import (
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/internal/lifecycle/backoff"
)

func TestBackoff(t *testing.T) {
	if got := backoff.Delivery(backoff.DefaultRetryDelays(), 1, 0, 0).Round(time.Millisecond); got != 9*time.Second {
		t.Errorf("with the least jitter the first retry waits %v, want 9 s", got)
	}
	for attempt, want := range map[int32]time.Duration{1: 10 * time.Second, 2: 40 * time.Second, 3: 160 * time.Second, 9: 15 * time.Minute} {
		if got := backoff.Run(attempt, 0, 0.5).Round(time.Millisecond); got != want {
			t.Errorf("RunBackoff(%d) = %v, want %v", attempt, got, want)
		}
	}
}
