package controllers_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/controllertest"
	"github.com/pressroom-dev/pressroom/internal/egress"
)

// receiverTime is what a receiver has (contract, section 8).
const receiverTime = 30 * time.Second

var _ = Describe("A delivery's time", func() {
	for _, c := range channels() {
		It("is 30 seconds for each attempt, at "+c.name, func() {
			w := newWorld()
			c.target(w, "acme", w.receiver.URL)
			key := c.due(w, "timed", "acme")
			seen := make(chan time.Time, 1)
			w.wire(func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
				deadline, ok := r.Context().Deadline()
				Expect(ok).To(BeTrue())
				Expect(deadline).To(BeTemporally("<=", time.Now().Add(receiverTime)))
				seen <- deadline
				return next.RoundTrip(r)
			})
			before := time.Now()
			c.attempt(w, key)
			Expect(<-seen).To(BeTemporally(">=", before.Add(receiverTime)))
		})

		It("is over after 30 real seconds, however busy the receiver seems, at "+c.name, func() {
			w := newWorld()
			slow := map[string]struct {
				serve func(net.Conn)
				want  v1alpha1.AttemptOutcome
			}{
				"silent":  {func(net.Conn) {}, v1alpha1.AttemptTimeout},
				"headers": {func(conn net.Conn) { trickle(conn, ok, "X: x\r\n") }, v1alpha1.AttemptTimeout},
				"interim": {func(conn net.Conn) { trickle(conn, "", "HTTP/1.1 103 Early Hints\r\n\r\n") }, v1alpha1.AttemptTimeout},
				"body":    {func(conn net.Conn) { trickle(conn, ok+"\r\n{\"id\":\"", "x") }, v1alpha1.AttemptAccepted},
			}
			keys := map[string]client.ObjectKey{}
			for name, s := range slow {
				c.target(w, name, serveRaw(func(conn net.Conn) {
					s.serve(conn)
					_, _ = io.Copy(io.Discard, conn) // until the sender hangs up
				}))
				keys[name] = c.due(w, "to-"+name, name)
			}
			began := time.Now()
			for _, key := range keys {
				c.reconcile(w, key)
			}
			Expect(<-w.Notified).NotTo(BeZero())
			Expect(time.Since(began)).To(BeNumerically(">=", receiverTime), "none was ended before")
			w.awaitWork()
			for name, key := range keys {
				c.reconcile(w, key)
				Expect(c.records(w)[key.Name].Attempts).To(ConsistOf(HaveField("Outcome", slow[name].want)), name)
			}
		})
	}
})

const ok = "HTTP/1.1 200 OK\r\n"

// trickle writes a text now and then, for as long as somebody reads.
func trickle(conn net.Conn, first, then string) {
	_, err := io.WriteString(conn, first)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for ; err == nil; <-tick.C {
		_, err = io.WriteString(conn, then)
	}
}

// forever writes a text as fast as somebody reads.
func forever(conn net.Conn, first, then string) {
	_, err := io.WriteString(conn, first)
	many := strings.Repeat(then, 1+4096/len(then))
	for err == nil {
		_, err = io.WriteString(conn, many)
	}
}

// serveRaw has a function answer each connection's request, which has been read, and returns the URL.
func serveRaw(serve func(net.Conn)) string {
	GinkgoHelper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(listener.Close)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = conn.Close() }()
				if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					if _, err := io.Copy(io.Discard, r.Body); err == nil {
						serve(conn)
					}
				}
			}()
		}
	}()
	return "http://" + listener.Addr().String() + "/hook"
}

// wire puts a function between the process and the network.
func (w *world) wire(trip func(*http.Request, http.RoundTripper) (*http.Response, error)) {
	c := egress.NewClient(controllertest.Loopback(), 0)
	next := c.Transport
	c.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		defer GinkgoRecover()
		return trip(r, next)
	})
	w.Publication.HTTP, w.EventDeliveries.HTTP = c, c
}

type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
