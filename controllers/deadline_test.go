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

	. "github.com/pressroom-dev/pressroom/controllers/controllertest"
	"github.com/pressroom-dev/pressroom/internal/egress"
)

// receiverTime is what a receiver has (contract, section 8).
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

const ok = "HTTP/1.1 200 OK\r\n"

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
