//go:build e2e

package bench_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"
)

// healthyDeliveries are as many as are sent again and again, in turn.
const healthyDeliveries = 100

// healthy is a receiver that answers at once, with deliveries to it.
type healthy struct {
	publishing
	*receiver
	deliveries []string
	asked      int
}

func newHealthy(b *testing.B, p publishing) *healthy {
	b.Helper()
	h := &healthy{publishing: p, receiver: newReceiver(b, p), deliveries: names("healthy", healthyDeliveries)}
	must(b, p.target(b.Context(), "healthy", h.URL))
	inParallel(b, h.deliveries, func(name string) error { return p.create(b.Context(), name, "healthy") })
	awaitDelivered(b, p, h.deliveries, "the healthy receiver's first deliveries")
	h.awaitIdle(b)
	return h
}

// sample takes so many starts, one after the other: how long a delivery takes from when it is due to when its request arrives.
func (h *healthy) sample(b *testing.B, n int) []time.Duration {
	b.Helper()
	starts := make([]time.Duration, n)
	for k := range starts {
		name := h.deliveries[h.asked%len(h.deliveries)]
		h.asked++
		h.forget()
		due := time.Now()
		must(b, h.again(b.Context(), name, strconv.Itoa(h.asked)))
		starts[k] = h.await(b, name).Sub(due)
	}
	return starts
}

// receiver notes when requests come, and answers them.
type receiver struct {
	*httptest.Server
	publishing publishing
	arrived    chan arrival
}

// arrival is a request that has been read.
type arrival struct {
	name string
	at   time.Time
}

func newReceiver(b *testing.B, p publishing) *receiver {
	b.Helper()
	r := &receiver{publishing: p, arrived: make(chan arrival, 10000)}
	r.Server = httptest.NewServer(r)
	b.Cleanup(r.Close)
	return r
}

// ServeHTTP implements http.Handler.
func (r *receiver) ServeHTTP(_ http.ResponseWriter, req *http.Request) {
	at := time.Now()
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	select {
	case r.arrived <- arrival{r.publishing.nameIn(req, body), at}:
	default: // nobody waits for so many
	}
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
