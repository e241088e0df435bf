package generate

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/internal/retryafter"
)

// minRetryAfter is the shortest wait that an endpoint can ask for; the longest is retryafter.Max.
const minRetryAfter = time.Second

// retryAfter returns how long an endpoint asks to wait, or 0 if it does not. Beside what package retryafter reads, model endpoints send
// fractions of seconds, and milliseconds in retry-after-ms.
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
	return time.Duration(min(n, float64(2*retryafter.Max/unit)) * float64(unit)), true
}

func bounded(wait time.Duration) time.Duration {
	return min(max(wait, minRetryAfter), retryafter.Max)
}
