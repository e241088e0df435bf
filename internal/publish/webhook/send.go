package webhook

import (
	"bytes"
	"context"
	"net/http"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/internal/publish"
)

// Send makes one signed POST of a JSON body by the contract's rules: 30 seconds, one attempt, no redirect. sign sets the headers
// beside Content-Type and User-Agent. Events and tests of a connection are sent so too.
func Send(ctx context.Context, client Client, clock clock.Clock, url string, body []byte, sign func(http.Header)) publish.Outcome {
	start := clock.Now()
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	outcome := send(ctx, client, clock, url, body, sign)
	outcome.Duration = max(clock.Since(start), 0)
	return outcome
}

func send(ctx context.Context, client Client, clock clock.Clock, url string, body []byte, sign func(http.Header)) publish.Outcome {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return unreadable()
	}
	// A transport that can read the body again may send it again, and only recorded attempts may reach the wire.
	req.GetBody = nil
	// The headers are set in the map itself, to have them on the wire in the contract's spelling rather than in Go's.
	req.Header = http.Header{"Content-Type": {"application/json"}, "User-Agent": {userAgent}}
	sign(req.Header)
	resp, err := client.Do(req)
	if err != nil {
		return unanswered(ctx, err)
	}
	outcome := answered(resp, clock.Now())
	// The answer is judged already; what closing says about the rest of it changes nothing.
	_ = resp.Body.Close()
	return outcome
}
