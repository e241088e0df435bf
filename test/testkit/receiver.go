package testkit

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// Receiver is a receiver of articles or events, which keeps what it gets.
type Receiver struct {
	*httptest.Server

	mu       sync.Mutex
	requests []Received
	answer   func(n int, w http.ResponseWriter)
}

// Received is a request that a Receiver got.
type Received struct {
	Body   string
	Header http.Header
}

// NewReceiver starts a receiver on loopback, until the spec is over. It accepts everything, with an id and a URL.
func NewReceiver() *Receiver {
	r := &Receiver{}
	r.AnswersPost(http.StatusOK, "https://acme.example/blog/shoes")
	r.Server = httptest.NewServer(http.HandlerFunc(r.receive))
	DeferCleanup(r.Close)
	return r
}

func (r *Receiver) receive(w http.ResponseWriter, q *http.Request) {
	defer GinkgoRecover()
	body, err := io.ReadAll(q.Body)
	Expect(err).NotTo(HaveOccurred())
	r.mu.Lock()
	r.requests = append(r.requests, Received{string(body), q.Header.Clone()})
	n, answer := len(r.requests), r.answer
	r.mu.Unlock()
	answer(n, w)
}

// Answers has the receiver answer the n-th request, counted from 1, by f from now on.
func (r *Receiver) Answers(f func(n int, w http.ResponseWriter)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = f
}

// AnswersStatus has the receiver answer with a status and nothing else.
func (r *Receiver) AnswersStatus(status int) {
	r.Answers(func(_ int, w http.ResponseWriter) { w.WriteHeader(status) })
}

// AnswersPost has the receiver answer with a status, and the id and the URL of a post.
func (r *Receiver) AnswersPost(status int, url string) {
	r.Answers(func(_ int, w http.ResponseWriter) {
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, `{"id": 17, "url": %q}`, url)
	})
}

// Received returns the requests so far.
func (r *Receiver) Received() []Received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.requests)
}
