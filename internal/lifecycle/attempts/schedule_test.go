package attempts_test

import (
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
)

func TestBackoff(t *testing.T) {
	delays := attempts.DefaultRetryDelays()
	for _, row := range []struct {
		name       string
		attempt    int
		retryAfter time.Duration
		random     float64
		want       time.Duration
	}{
		{"first retry", 1, 0, 0.5, 10 * time.Second},
		{"second retry", 2, 0, 0.5, time.Minute},
		{"third retry", 3, 0, 0.5, 5 * time.Minute},
		{"jitter below", 1, 0, 0, 9 * time.Second},
		{"the receiver asks for longer", 1, 2 * time.Minute, 0.5, 2 * time.Minute},
		{"the receiver asks for shorter", 2, time.Second, 0.5, time.Minute},
		{"the receiver asks for too long", 1, 48 * time.Hour, 0.5, time.Hour},
	} {
		if got := attempts.DeliveryBackoff(delays, row.attempt, row.retryAfter, row.random).Round(time.Millisecond); got != row.want {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
	for attempt, want := range map[int32]time.Duration{1: 10 * time.Second, 2: 40 * time.Second, 3: 160 * time.Second, 9: 15 * time.Minute} {
		if got := attempts.RunBackoff(attempt, 0, 0.5).Round(time.Millisecond); got != want {
			t.Errorf("RunBackoff(%d) = %v, want %v", attempt, got, want)
		}
	}
}
