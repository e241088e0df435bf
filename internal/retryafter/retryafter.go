// Package retryafter reads the HTTP header Retry-After (RFC 9110, section 10.2.3).
package retryafter

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Max bounds how long an external endpoint can postpone the next request.
const Max = time.Hour

// Parse returns how long a value of the header asks to wait, from 0 to Max. The value is a number of seconds or a date; one that
// cannot be read counts as absent, which is 0.
func Parse(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if value != "" && strings.Trim(value, "0123456789") == "" {
		seconds, err := strconv.ParseUint(value, 10, 32)
		if err != nil || seconds > uint64(Max/time.Second) {
			return Max // also a number that is out of range
		}
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), Max)
}
