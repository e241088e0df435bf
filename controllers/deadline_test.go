package controllers_test

import (
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/internal/egress"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// receiverTime is what a receiver has (docs/reference/contract.md, Limits).
const receiverTime = 30 * time.Second

var _ = Describe("A delivery's time", func() {
	for _, c := range channels() {
		It("is 30 seconds for each attempt, at "+c.name, func() {
			t := newTenant()
			c.target(t, "acme", t.Receiver.URL)
			key := c.due(t, "timed", "acme")
			seen := make(chan time.Time, 1)
			t.wire(func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
				deadline, ok := r.Context().Deadline()
				Expect(ok).To(BeTrue())
				Expect(deadline).To(BeTemporally("<=", time.Now().Add(receiverTime)))
				seen <- deadline
				return next.RoundTrip(r)
			})
			before := time.Now()
			c.attempt(t, key)
			Expect(<-seen).To(BeTemporally(">=", before.Add(receiverTime)))
		})
	}
})

// wire puts a function between the process and the network.
func (t *tenant) wire(trip func(*http.Request, http.RoundTripper) (*http.Response, error)) {
	c := egress.NewClient(Loopback(), 0)
	next := c.Transport
	c.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		defer GinkgoRecover()
		return trip(r, next)
	})
	t.Publication.HTTP, t.EventDeliveries.HTTP = c, c
}

type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
