// Package webhook publishes articles by the signed webhook of the contract (sections 2, 5 and 6).
package webhook

import (
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
	body, err := Payload(p.target.Format, a)
	if err != nil {
		return NotSent(true, "the payload format is not known")
	}
	return Post(ctx, p.client, p.clock, p.target, Event, body)
}

// Post sends one event to a target, signed as the contract says.
func Post(ctx context.Context, client Client, clock clock.Clock, t Target, event string, body []byte) publish.Outcome {
	if len(t.Secret) == 0 {
		// Anybody can sign with an empty key.
		return NotSent(false, "the signing secret is empty")
	}
	signature := Sign(t.Secret, body)
	return Send(ctx, client, clock, Request{
		URL: t.URL, Body: body,
		Header:  http.Header{EventHeader: {event}, SignatureHeader: {signature}},
		Secrets: []string{string(t.Secret), signature},
	})
}
