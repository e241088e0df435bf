// Package signedpost sends signed JSON to receivers: one POST with one deadline of 30 seconds, without redirects, judged by the status of
// its answer (docs/reference/contract.md, Delivery). Articles, events and connection tests are sent this way.
package signedpost

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"time"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/answer"
)

// EventHeader names the event that a request is about, in the spelling that receivers are promised (docs/reference/contract.md, Events).
const EventHeader = "X-SERVICE-Event"

const (
	// timeout is the time from the look-up of a receiver's name to the last byte of its answer (docs/reference/contract.md, Limits).
	timeout = 30 * time.Second
	// explanationTime is how long the body of a rejection is read. The rejection counts already.
	explanationTime = 2 * time.Second
)

// Request is one POST.
type Request struct {
	URL   string
	Event string
	Body  []byte
	// Signature has the headers that authenticate the request, which are sent in the spelling that they have here.
	Signature http.Header
	// Secrets went into the request, and are removed from everything that is taken from the answer.
	Secrets []string
	// Refused says what a status other than 2xx means. If it is nil, 410 is final, and 429 and 503 can ask to wait.
	Refused func(status int, header http.Header, now time.Time) Refusal
}

// Refusal is what a status other than 2xx means.
type Refusal struct {
	// Final means that another attempt would be useless.
	Final bool
	// RetryAfter is how long not to call the receiver again, at most an hour; 0 for no longer than usual.
	RetryAfter time.Duration
}

// refusal is what a status other than 2xx means to receivers.
func refusal(status int, header http.Header, now time.Time) Refusal {
	return Refusal{Final: status == http.StatusGone, RetryAfter: answer.RetryAfter(status, header, now)}
}

// Header returns the header fields of the request, with those of the signature that it has. They are set in the map itself, to be sent in
// the spelling that receivers are promised, instead of Go's.
func (r Request) Header() http.Header {
	header := http.Header{"Content-Type": {"application/json"}, "User-Agent": {answer.UserAgent}, EventHeader: {r.Event}}
	maps.Copy(header, r.Signature)
	return header
}

// Send makes one attempt. Use a client made by package egress; a shorter timeout of its own counts.
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
		return answer.InvalidURL()
	}
	// A transport that can read the body again may send it again, and each request needs an attempt that was written ahead.
	req.GetBody = nil
	req.Header = r.Header()
	resp, err := client.Do(req)
	if err != nil {
		return answer.Unanswered(ctx, err)
	}
	// A transport other than net/http's may return a body that does not end with the context, as that of a 101 does not.
	stop := context.AfterFunc(ctx, func() { _ = resp.Body.Close() })
	defer stop()
	body := &recorder{from: resp.Body}
	refused := r.Refused
	if refused == nil {
		refused = refusal
	}
	outcome := judge(resp, body, refused(resp.StatusCode, resp.Header, clock.Now()), cancel)
	outcome = answer.NewRedactor(r.Secrets).WithAddress(r.URL).Clean(outcome, body.kept, body.goesOn())
	// The answer is judged already; an error of closing it changes nothing.
	_ = resp.Body.Close()
	return outcome
}

// recorder keeps the beginning of what is read through it.
type recorder struct {
	from io.Reader
	kept []byte
	// more reports that the answer is longer than what is kept, ended that its end was seen.
	more, ended bool
}

// Read implements io.Reader.
func (r *recorder) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	free := answer.MaxKept - len(r.kept)
	r.kept = append(r.kept, p[:min(n, free)]...)
	r.more, r.ended = r.more || n > free, r.ended || errors.Is(err, io.EOF)
	return n, err
}

// fill reads on until enough is kept or the answer ends.
func (r *recorder) fill() {
	// What cannot be read is missing from the snippet, and changes nothing else.
	_, _ = io.CopyN(io.Discard, r, int64(answer.MaxKept-len(r.kept)+1))
}

// goesOn reports whether the answer is longer than what is kept. Reading stops at the end of a JSON object, mostly before the
// end of the answer is seen.
func (r *recorder) goesOn() bool {
	return r.more || (!r.ended && !json.Valid(r.kept))
}
