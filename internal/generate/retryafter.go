package generate

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The bounds of a wait that an endpoint can ask for.
const (
	minRetryAfter = time.Second
	maxRetryAfter = time.Hour
)

// retryAfter returns how long an endpoint asks to wait: milliseconds in retry-after-ms, or seconds or an HTTP date in
// Retry-After (RFC 9110, section 10.2.3). It is 0 if there is no readable value.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if wait, ok := parseNumber(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return bounded(wait)
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if wait, ok := parseNumber(value, time.Second); ok {
		return bounded(wait)
	}
	if at, err := http.ParseTime(value); err == nil {
		return bounded(at.Sub(now))
	}
	return 0
}

func parseNumber(value string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	// The comparison also refuses NaN.
	if err != nil || !(n >= 0) {
		return 0, false
	}
	return time.Duration(min(n, float64(2*maxRetryAfter/unit)) * float64(unit)), true
}

func bounded(wait time.Duration) time.Duration {
	return min(max(wait, minRetryAfter), maxRetryAfter)
}
