package controllers_test

import (
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// mostRead is what may be read of one answer's body (issue: 64 KiB caps).
const mostRead = 64 << 10

// hostile receivers, and what an attempt at them comes to. A 2xx is a success whatever follows it.
func hostile() map[string]struct {
	serve func(net.Conn)
	want  v1alpha1.AttemptOutcome
} {
	zip := "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff" + strings.Repeat("\x00", 4096)
	const chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
	return map[string]struct {
		serve func(net.Conn)
		want  v1alpha1.AttemptOutcome
	}{
		"zip-bomb":   {func(c net.Conn) { forever(c, ok+"Content-Encoding: gzip\r\n\r\n", zip) }, v1alpha1.AttemptAccepted},
		"body":       {func(c net.Conn) { forever(c, ok+"\r\n", "x") }, v1alpha1.AttemptAccepted},
		"string":     {func(c net.Conn) { forever(c, ok+"\r\n{\"id\":\"", "x") }, v1alpha1.AttemptAccepted},
		"nesting":    {func(c net.Conn) { forever(c, ok+"\r\n", `{"a":[`) }, v1alpha1.AttemptAccepted},
		"chunks":     {func(c net.Conn) { forever(c, chunked, "1\r\nx\r\n") }, v1alpha1.AttemptAccepted},
		"trailers":   {func(c net.Conn) { forever(c, chunked+"0\r\n", "X: x\r\n") }, v1alpha1.AttemptAccepted},
		"broken":     {func(c net.Conn) { _, _ = io.WriteString(c, ok+"\r\n{\"id\":") }, v1alpha1.AttemptAccepted},
		"javascript": {func(c net.Conn) { _, _ = io.WriteString(c, ok+"\r\n{\"id\":7,\"url\":\"javascript:alert(1)\"}") }, v1alpha1.AttemptAccepted},
		"switch": {func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
			_, _ = io.Copy(io.Discard, c) // until the sender hangs up
		}, v1alpha1.AttemptRejected},
		"rejection": {func(c net.Conn) { forever(c, "HTTP/1.1 500 \r\n\r\n", "x") }, v1alpha1.AttemptRejected},
		"headers":   {func(c net.Conn) { forever(c, ok, "X: x\r\n") }, v1alpha1.AttemptConnectionFailed},
	}
}

var _ = Describe("Hostile receivers", func() {
	// Two receivers of each kind.
	crowd := 2 * len(hostile())

	for _, c := range channels() {
		It("turn no success into a failure and are read no further than needed, all at once, at "+c.name, func() {
			t := newTenant()
			meters := t.meter()
			var all sync.WaitGroup
			all.Add(crowd)
			kinds := slices.Sorted(maps.Keys(hostile()))
			for _, kind := range kinds {
				c.target(t, kind, serveRaw(func(conn net.Conn) {
					all.Done()
					all.Wait() // until every receiver has its request
					hostile()[kind].serve(conn)
				}))
			}
			var keys []client.ObjectKey
			for i := range crowd {
				kind := kinds[i%len(kinds)]
				keys = append(keys, c.due(t, fmt.Sprintf("%s-%d", kind, i), kind))
			}
			c.attempt(t, keys...)
			for name, record := range c.records(t) {
				kind, _, _ := strings.Cut(name, "-")
				if kind == "zip" {
					kind = "zip-bomb"
				}
				Expect(record.Attempts).To(ConsistOf(HaveField("Outcome", hostile()[kind].want)), name)
				Expect(record.Cycle.Reason).NotTo(BeElementOf(v1alpha1.ReasonExhausted, v1alpha1.ReasonReceiverRejected), name)
			}
			for _, o := range c.objects(t) {
				if a, is := o.(*v1alpha1.Article); is {
					Expect(a.Status.Publication.URL).To(BeEmpty())
				}
			}
			Expect(meters.most.Load()).To(And(BeNumerically(">", 0), BeNumerically("<=", mostRead)))
			Expect(meters.open.Load()).To(BeZero(), "every answer is closed")
		})
	}
})

// meters measure how the bodies of answers are read.
type meters struct {
	// most of one body, and the bodies that are not closed.
	most, open atomic.Int64
}

// meter measures what the process reads.
func (t *tenant) meter() *meters {
	m := &meters{}
	t.wire(func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
		answer, err := next.RoundTrip(r)
		if err == nil {
			m.open.Add(1)
			answer.Body = &metered{ReadCloser: answer.Body, meters: m}
		}
		return answer, err
	})
	return m
}

// metered is the body of an answer.
type metered struct {
	io.ReadCloser
	meters *meters
	read   int64
	closed sync.Once
}

// Read implements io.Reader.
func (b *metered) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	for {
		most := b.meters.most.Load()
		if b.read <= most || b.meters.most.CompareAndSwap(most, b.read) {
			return n, err
		}
	}
}

// Close implements io.Closer.
func (b *metered) Close() error {
	b.closed.Do(func() { b.meters.open.Add(-1) })
	return b.ReadCloser.Close()
}
