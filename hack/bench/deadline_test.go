//go:build e2e

package bench_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// answers are receivers that take their time.
func answers() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"after-29s": func(_ http.ResponseWriter, r *http.Request) { wait(r, 29*time.Second) },
		"after-31s": func(_ http.ResponseWriter, r *http.Request) { wait(r, 31*time.Second) },
		"headers-after-29s-then-trickling": func(w http.ResponseWriter, r *http.Request) {
			wait(r, 29*time.Second)
			w.WriteHeader(http.StatusOK)
			trickle(w, r)
		},
		"headers-at-once-then-trickling": func(w http.ResponseWriter, r *http.Request) { trickle(w, r) },
	}
}

// wait waits for a time, or until the sender hangs up.
func wait(r *http.Request, d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.Context().Done():
	}
}

// trickle sends a byte now and then until the sender hangs up.
func trickle(w http.ResponseWriter, r *http.Request) {
	_, err := w.Write([]byte(`{"id":"`))
	for err == nil && r.Context().Err() == nil {
		_, err = w.Write([]byte("x"))
		if err == nil {
			err = http.NewResponseController(w).Flush()
		}
		wait(r, 100*time.Millisecond)
	}
}

// BenchmarkThirtySeconds measures how long attempts at receivers took that take their time, and says what they came to.
func BenchmarkThirtySeconds(b *testing.B) {
	for name, l := range channels(whole(b)) {
		b.Run(name, func(b *testing.B) {
			var all []string
			for answer, handle := range answers() {
				r := httptest.NewServer(handle)
				b.Cleanup(r.Close)
				must(b, l.target(b.Context(), answer, r.URL))
				all = append(all, answer)
			}
			for b.Loop() {
				inParallel(b, all, func(name string) error { return l.create(b.Context(), name, name) })
				awaitCycles(b, l, all, "the attempts to end", func(c *v1alpha1.DeliveryCycle) bool { return c.State != v1alpha1.CycleDelivering })
				records, err := l.records(b.Context())
				must(b, err)
				for _, name := range all {
					first := records[name].Attempts[0]
					b.ReportMetric(float64(first.Milliseconds), fmt.Sprintf("ms-%s=%s", name, first.Outcome))
				}
			}
		})
	}
}
