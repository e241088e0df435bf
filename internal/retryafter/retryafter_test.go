package retryafter_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/internal/retryafter"
)

func TestRetryAfterIsReadWithinBounds(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	date := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	tests := map[string]struct {
		value string
		want  time.Duration
	}{
		"seconds":               {"120", 2 * time.Minute},
		"spaces around":         {" 7 ", 7 * time.Second},
		"zero":                  {"0", 0},
		"an hour":               {"3600", time.Hour},
		"over an hour":          {"3601", time.Hour},
		"over all integers":     {"99999999999999999999999999", time.Hour},
		"negative":              {"-5", 0},
		"a fraction":            {"1.5", 0},
		"a date":                {date(90 * time.Second), 90 * time.Second},
		"a date over an hour":   {date(48 * time.Hour), time.Hour},
		"a date that is past":   {date(-time.Minute), 0},
		"a date in RFC 850":     {"Friday, 20-Nov-26 12:01:00 GMT", time.Minute},
		"junk":                  {"soon", 0},
		"empty":                 {"", 0},
		"other digits":          {"１２", 0},
		"a date without a zone": {"Fri, 20 Nov 2026 12:01:00", 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := retryafter.Parse(tt.value, now); got != tt.want {
				t.Errorf("Parse(%q) = %s, want %s", tt.value, got, tt.want)
			}
		})
	}
}
