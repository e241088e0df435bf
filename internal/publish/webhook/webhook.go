// Package webhook publishes articles by the signed webhook of the contract (sections 2, 5 and 6).
package webhook

import (
	"bytes"
	"context"
	"net/http"
	"time"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/internal/publish"
)

// timeout is how long a receiver has from the look-up of its name to the last byte of its answer (contract, section 8).
const timeout = 30 * time.Second

// Target is where and how to send.
type Target struct {
	URL    string
	Secret []byte
	Format Format
}

// Client sends requests. Use an *http.Client made by package egress; a shorter timeout of its own counts.
type Client interface {
	Do(req *http.Request) (*http.Response, error)
}

// New returns a Publisher for a target. The clock measures durations and is what Retry-After dates are compared with.
func New(client Client, clock clock.Clock, t Target) publish.Publisher {
	return &publisher{client: client, clock: clock, target: t}
}

type publisher struct {
	client Client
	clock  clock.Clock
	target Target
}

// Publish implements publish.Publisher.
func (p *publisher) Publish(ctx context.Context, a publish.Article) publish.Outcome {
	start := p.clock.Now()
	outcome := p.attempt(ctx, a)
	outcome.Duration = max(p.clock.Since(start), 0)
	return outcome
}

func (p *publisher) attempt(ctx context.Context, a publish.Article) publish.Outcome {
	if len(p.target.Secret) == 0 {
		// Anybody can sign with an empty key.
		return publish.Outcome{Kind: publish.ConnectionFailed, Message: "nothing was sent: the signing secret is empty"}
	}
	body, err := Payload(p.target.Format, a)
	if err != nil {
		return publish.Outcome{Kind: publish.ConnectionFailed, Final: true, Message: "nothing was sent: the payload format is not known"}
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	req, err := newRequest(ctx, p.target, body)
	if err != nil {
		return unreadable()
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return unanswered(ctx, err)
	}
	outcome := p.answered(resp)
	// The answer is judged already; what closing says about the rest of it changes nothing.
	_ = resp.Body.Close()
	return outcome
}

// newRequest makes the request of the contract's section 4. The headers are set in the map itself, to have them on the wire in
// the contract's spelling rather than in Go's.
func newRequest(ctx context.Context, t Target, body []byte) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	// A transport that can read the body again may send it again, and only recorded attempts may reach the wire.
	req.GetBody = nil
	req.Header = http.Header{
		"Content-Type":  {"application/json"},
		"User-Agent":    {userAgent},
		EventHeader:     {Event},
		SignatureHeader: {Sign(t.Secret, body)},
	}
	return req, nil
}
