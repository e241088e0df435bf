//go:build e2e

package bench_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"
)

const (
	// queued deliveries are due for the receiver that never answers.
	queued = 500
	// perHost is the default of --max-deliveries-per-host.
	perHost = 8
	// A sample is taken so often, with and without the queue by turns, so that whatever else the machine does meets both.
	turns, perTurn = 4, 100
)

// BenchmarkStart measures how long a delivery to a healthy receiver takes from when it is due to when its request is on the
// wire: by itself, and while another receiver accepts requests, never answers, and has 500 deliveries queued.
func BenchmarkStart(b *testing.B) {
	for name, l := range channels(whole(b)) {
		b.Run(name, func(b *testing.B) {
			i := newIsolation(b, l)
			for b.Loop() {
				i.measure(b)
			}
		})
	}
}

// isolation is a healthy receiver and one that is stuck at times.
type isolation struct {
	*bench
	channel
	healthy, stuck *receiver
	// sampled are the deliveries to the healthy receiver.
	sampled []string
	asked   int
}

func newIsolation(b *testing.B, l channel) *isolation {
	b.Helper()
	i := &isolation{bench: whole(b), channel: l, healthy: newReceiver(b, l), stuck: newReceiver(b, l), sampled: names("healthy", perTurn)}
	for target, r := range map[string]*receiver{"healthy": i.healthy, "stuck": i.stuck} {
		must(b, l.target(b.Context(), target, r.URL))
	}
	inParallel(b, i.sampled, func(name string) error { return l.create(b.Context(), name, "healthy") })
	awaitCycles(b, l, i.sampled, "the healthy receiver's first deliveries", delivered)
	i.awaitIdle(b)
	return i
}

func (i *isolation) measure(b *testing.B) {
	b.Helper()
	var without, while, with []time.Duration
	for turn := range turns {
		without = append(without, i.sample(b, perTurn)...)
		i.stuck.hold()
		queue := names(fmt.Sprintf("stuck-%d", turn), queued)
		while = append(while, i.sampleDuring(b, func() {
			inParallel(b, queue, func(name string) error { return i.create(b.Context(), name, "stuck") })
		})...)
		i.stuck.awaitHeld(b, perHost)
		i.awaitIdle(b)
		with = append(with, i.sample(b, perTurn)...)
		i.stuck.release()
		awaitCycles(b, i.channel, queue, "the queue to be gone", delivered)
		i.awaitIdle(b)
	}
	ratio := milliseconds(quantile(with, .5)) / milliseconds(quantile(without, .5))
	b.ReportMetric(milliseconds(quantile(without, .5)), "p50-without-ms")
	b.ReportMetric(milliseconds(quantile(with, .5)), "p50-with-ms")
	b.ReportMetric(milliseconds(quantile(without, .99)), "p99-without-ms")
	b.ReportMetric(milliseconds(quantile(with, .99)), "p99-with-ms")
	b.ReportMetric(milliseconds(quantile(while, .99)), "p99-while-queueing-ms")
	b.ReportMetric(ratio, "p50-with/without")
}

// sample takes so many starts, one after the other.
func (i *isolation) sample(b *testing.B, n int) []time.Duration {
	b.Helper()
	starts := make([]time.Duration, n)
	for k := range starts {
		name := i.sampled[i.asked%len(i.sampled)]
		i.asked++
		i.healthy.forget()
		due := time.Now()
		must(b, i.again(b.Context(), i.channel, name, strconv.Itoa(i.asked)))
		starts[k] = i.healthy.await(b, name).Sub(due)
	}
	return starts
}

// sampleDuring takes starts for as long as something takes.
func (i *isolation) sampleDuring(b *testing.B, do func()) []time.Duration {
	b.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	var starts []time.Duration
	for {
		select {
		case <-done:
			return starts
		default:
			starts = append(starts, i.sample(b, 1)...)
		}
	}
}

// receiver is one that can be told not to answer.
type receiver struct {
	*httptest.Server
	channel channel
	arrived chan arrival

	mu   sync.Mutex
	held int
	gate chan struct{}
}

// arrival is a request that has been read.
type arrival struct {
	name string
	at   time.Time
}

func newReceiver(b *testing.B, l channel) *receiver {
	b.Helper()
	r := &receiver{channel: l, arrived: make(chan arrival, 10000), gate: make(chan struct{})}
	close(r.gate)
	r.Server = httptest.NewServer(r)
	b.Cleanup(r.Close)
	return r
}

// ServeHTTP notes when a request came, and answers when it may.
func (r *receiver) ServeHTTP(_ http.ResponseWriter, req *http.Request) {
	at := time.Now()
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	r.mu.Lock()
	gate := r.gate
	r.held++
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.held--
	}()
	select {
	case r.arrived <- arrival{r.channel.nameIn(req, body), at}:
	default: // nobody waits for so many
	}
	select {
	case <-gate:
	case <-req.Context().Done():
	}
}

// hold makes the receiver accept and not answer, until release.
func (r *receiver) hold() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gate = make(chan struct{})
}

func (r *receiver) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.gate)
}

func (r *receiver) awaitHeld(b *testing.B, n int) {
	b.Helper()
	await(b, "the stuck receiver to hold what it may", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.held >= n
	})
}

// forget drops what has arrived.
func (r *receiver) forget() {
	for {
		select {
		case <-r.arrived:
		default:
			return
		}
	}
}

// await returns when the next request of a delivery came. Requests of others before it are of earlier times.
func (r *receiver) await(b *testing.B, name string) time.Time {
	b.Helper()
	for {
		select {
		case a := <-r.arrived:
			if a.name == name {
				return a.at
			}
		case <-time.After(patience):
			b.Fatalf("%s did not come", name)
		}
	}
}
