package webhook

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"time"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/internal/publish"
)

// timeout is how long a receiver has from the look-up of its name to the last byte of its answer (contract, section 8).
const timeout = 30 * time.Second

// Request is what is sent.
type Request struct {
	URL  string
	Body []byte
	// Header is sent beside Content-Type and User-Agent, in the spelling that it has here.
	Header http.Header
	// Secrets went into the request, and are taken out of what is shown of the answer.
	Secrets []string
}

// Send makes one signed POST of a JSON body by the contract's rules: 30 seconds, one attempt, no redirect. Articles, events
// and tests of a connection are sent so.
func Send(ctx context.Context, client *http.Client, clock clock.Clock, r Request) publish.Outcome {
	start := clock.Now()
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	outcome := send(ctx, client, clock, r)
	outcome.Milliseconds = max(clock.Since(start), 0).Milliseconds()
	return outcome
}

func send(ctx context.Context, client *http.Client, clock clock.Clock, r Request) publish.Outcome {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return invalidURL()
	}
	// A transport that can read the body again may send it again, and only recorded attempts may reach the wire.
	req.GetBody = nil
	// The headers are set in the map itself, to have them on the wire in the contract's spelling rather than in Go's.
	req.Header = http.Header{"Content-Type": {"application/json"}, "User-Agent": {userAgent}}
	maps.Copy(req.Header, r.Header)
	resp, err := client.Do(req)
	if err != nil {
		return unanswered(ctx, err)
	}
	// With a client of another making the body may be one that no context ends, as that of a 101 is.
	stop := context.AfterFunc(ctx, func() { _ = resp.Body.Close() })
	defer stop()
	body := &recorder{from: resp.Body}
	outcome := answered(resp, body, clock.Now(), cancel)
	outcome.Snippet = body.snippet(r.Secrets)
	// The answer is judged already; what closing says about the rest of it changes nothing.
	_ = resp.Body.Close()
	return outcome
}

// explanationTime is how long a receiver that has refused has to say why. Its answer counts already.
const explanationTime = 2 * time.Second
