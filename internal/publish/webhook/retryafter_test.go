package webhook

import (
	"net/http"
	"testing"
	"time"
)

func TestRetryAfterIsReadWithinBounds(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	date := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	tests := map[string]struct {
		status int
		value  string
		want   time.Duration
	}{
		"seconds":               {429, "120", 2 * time.Minute},
		"seconds of a 503":      {503, " 7 ", 7 * time.Second},
		"zero":                  {429, "0", 0},
		"an hour":               {429, "3600", time.Hour},
		"over an hour":          {429, "3601", time.Hour},
		"over all integers":     {429, "99999999999999999999999999", time.Hour},
		"negative":              {429, "-5", 0},
		"a fraction":            {429, "1.5", 0},
		"a date":                {503, date(90 * time.Second), 90 * time.Second},
		"a date over an hour":   {503, date(48 * time.Hour), time.Hour},
		"a date that is past":   {503, date(-time.Minute), 0},
		"a date in RFC 850":     {503, "Friday, 20-Nov-26 12:01:00 GMT", time.Minute},
		"junk":                  {429, "soon", 0},
		"empty":                 {429, "", 0},
		"other digits":          {429, "１２", 0},
		"on another status":     {500, "120", 0},
		"on a redirect":         {302, "120", 0},
		"a date without a zone": {503, "Fri, 20 Nov 2026 12:01:00", 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			resp := &http.Response{StatusCode: tt.status, Header: http.Header{"Retry-After": {tt.value}}}
			if got := retryAfter(resp, now); got != tt.want {
				t.Errorf("retryAfter(%d, %q) = %s, want %s", tt.status, tt.value, got, tt.want)
			}
		})
	}
}
