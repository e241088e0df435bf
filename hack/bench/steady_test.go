//go:build e2e

package bench_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"
)

// Articles are created at this rate, for so long.
const (
	steadyRate = 20
	steadyTime = 30 * time.Second
)

// BenchmarkSteady measures how long an approved, hand-written article takes from the request that creates it to its receiver, if 20
// are created each second. Before that the bytes of the same articles are created as ConfigMaps at the same rate.
func BenchmarkSteady(b *testing.B) {
	r := newBurst(b)
	for n := 0; b.Loop(); n++ {
		name := fmt.Sprintf("steady-%d", n)
		articles := names(name, int(steadyTime.Seconds())*steadyRate)
		article, all := r.articles(articles, name, 1), newArrivals(r.publishing, len(articles))
		r.receive(b, all, name, 1)
		r.awaitIdle(b)
		bare := bareOf(b, article)
		_, creates := atRate(b, articles, func(name string) error { return r.api.Create(b.Context(), bare[name]) })
		started, _ := atRate(b, articles, func(name string) error { return r.api.Create(b.Context(), article[name]) })
		all.await(b)
		took := all.since(started)
		b.ReportMetric(milliseconds(quantile(took, .5)), "p50-ms")
		b.ReportMetric(milliseconds(quantile(took, .99)), "p99-ms")
		b.ReportMetric(milliseconds(quantile(creates, .5)), "p50-bare-create-ms")
		b.ReportMetric(milliseconds(quantile(took, .5))/milliseconds(quantile(creates, .5)), "p50/bare-create")
	}
}

// atRate does something for each name at the rate, however long it takes for one, and returns when each began and how long it took.
func atRate(b *testing.B, names []string, do func(name string) error) (began map[string]time.Time, took []time.Duration) {
	b.Helper()
	began = map[string]time.Time{}
	var all sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	tick := time.NewTicker(time.Second / steadyRate)
	defer tick.Stop()
	for _, name := range names {
		<-tick.C
		start := time.Now()
		began[name] = start
		all.Go(func() {
			err := do(name)
			mu.Lock()
			defer mu.Unlock()
			took, errs = append(took, time.Since(start)), append(errs, err)
		})
	}
	all.Wait()
	must(b, errors.Join(errs...))
	return began, took
}
