package dashboard_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"
)

// timed is a request that is measured.
type timed struct {
	handler http.Handler
	// path of the n-th request.
	path func(n int) string
	// times of all of them.
	times []time.Duration
}

// always is the same path for every request.
func always(path string) func(int) string { return func(int) string { return path } }

// nowhere is a connection whose answers nobody reads.
type nowhere struct {
	header http.Header
	status int
}

func (w *nowhere) Header() http.Header         { return w.header }
func (w *nowhere) WriteHeader(status int)      { w.status = status }
func (w *nowhere) Write(p []byte) (int, error) { return len(p), nil }

func benchRequest(tb testing.TB, path string) *http.Request {
	tb.Helper()
	q := httptest.NewRequestWithContext(tb.Context(), http.MethodGet, path, http.NoBody)
	q.Header.Set("x-api-key", "k")
	q.Header.Set("x-workspace-id", "w")
	return q
}

// once answers the n-th request, and takes its time.
func (a *timed) once(b *testing.B, n int) {
	b.Helper()
	q, w := benchRequest(b, a.path(n)), &nowhere{header: http.Header{}}
	began := time.Now()
	a.handler.ServeHTTP(w, q)
	a.times = append(a.times, time.Since(began))
	if w.status > http.StatusOK {
		b.Fatalf("%s: got %d", q.URL, w.status)
	}
}

// percentile returns how long it takes to answer so many percent of the requests, in milliseconds.
func (a *timed) percentile(percent int) float64 {
	slices.Sort(a.times)
	return float64(a.times[len(a.times)*percent/100].Nanoseconds()) / 1e6
}
