//go:build e2e

package bench_test

import (
	"context"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"
)

// arrivals are the articles that came to any of the receivers of a benchmark, and when each came first.
type arrivals struct {
	publishing publishing
	want       int

	mu   sync.Mutex
	at   map[string]time.Time
	done chan struct{}
}

func newArrivals(p publishing, want int) *arrivals {
	return &arrivals{publishing: p, want: want, at: map[string]time.Time{}, done: make(chan struct{})}
}

// ServeHTTP accepts an article.
func (a *arrivals) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	name := a.publishing.nameIn(r, body)
	if _, again := a.at[name]; again {
		return
	}
	a.at[name] = now
	if len(a.at) == a.want {
		close(a.done)
	}
}

// await waits for the last article.
func (a *arrivals) await(b *testing.B) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), 2*patience)
	defer cancel()
	select {
	case <-a.done:
	case <-ctx.Done():
		a.mu.Lock()
		defer a.mu.Unlock()
		b.Fatalf("%d of %d articles came", len(a.at), a.want)
	}
}

// last returns when the last article came.
func (a *arrivals) last() time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	var last time.Time
	for _, at := range a.at {
		if at.After(last) {
			last = at
		}
	}
	return last
}

// since returns how long each article took from a time of its own.
func (a *arrivals) since(created map[string]time.Time) []time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	var took []time.Duration
	for name, at := range created {
		took = append(took, a.at[name].Sub(at))
	}
	return took
}
