// Package backoff says how long failed attempts wait for the next one: deliveries, and runs of the generator. Pure.
package backoff

import "time"

// MaxRunAttempts bounds the attempts of a generator's run.
const MaxRunAttempts = 5

// MaxRetryAfter bounds the Retry-After of an external endpoint.
const MaxRetryAfter = time.Hour

// The bounds of the wait before a run's retry.
const (
	minRunBackoff = 10 * time.Second
	maxRunBackoff = 15 * time.Minute
)

// DefaultRetryDelays are the waits before the first, second and third retry of a delivery, before jitter.
func DefaultRetryDelays() []time.Duration {
	return []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute}
}

// Delivery returns the wait after the attempt of this number, from 1: the delay of the schedule with jitter, or
// what the receiver's Retry-After asks for if that is longer. random is in [0, 1).
func Delivery(delays []time.Duration, attempt int, retryAfter time.Duration, random float64) time.Duration {
	if len(delays) == 0 {
		return min(retryAfter, MaxRetryAfter)
	}
	delay := delays[min(max(attempt, 1), len(delays))-1]
	return max(Jitter(delay, random), min(retryAfter, MaxRetryAfter))
}

// Run returns the wait after a run's attempt of this number, from 1: it grows fourfold from 10 seconds to 15
// minutes, with jitter, and is never shorter than the endpoint's Retry-After.
func Run(attempt int32, retryAfter time.Duration, random float64) time.Duration {
	delay := minRunBackoff
	for range min(attempt-1, 8) {
		delay = min(4*delay, maxRunBackoff)
	}
	return max(Jitter(delay, random), min(retryAfter, MaxRetryAfter))
}

// Jitter spreads a delay over 90 to 110 percent of it. random is in [0, 1).
func Jitter(d time.Duration, random float64) time.Duration {
	return time.Duration(float64(d) * (0.9 + 0.2*random))
}
