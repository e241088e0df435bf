// Package signedpost sends signed JSON to receivers by the rules of the contract (section 6): one POST with one deadline of 30
// seconds, without redirects, judged by the status of its answer. Articles, events and connection tests are sent this way.
package signedpost

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"time"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/answer"
)

// EventHeader names the event that a request is about, in the contract's spelling.
const EventHeader = "X-SERVICE-Event"

const (
	// timeout is how long a receiver has from the look-up of its name to the last byte of its answer (contract, section 8).
	timeout = 30 * time.Second
	// explanationTime is how long the body of a rejection is read. The rejection counts already.
	explanationTime = 2 * time.Second
)

// Request is one POST.
type Request struct {
	URL   string
	Event string
	Body  []byte
	// Signature has the headers of the signature, which are sent in the spelling that they have here.
	Signature http.Header
	// Secrets went into the request, and are removed from everything that is taken from the answer.
	Secrets []string
}

// Header returns the header fields of the request, with those of the signature that it has. They are set in the map itself, to be sent in
// the contract's spelling instead of Go's.
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
	outcome := judge(resp, body, clock.Now(), cancel)
	outcome = answer.NewRedactor(r.Secrets).Clean(outcome, body.kept, body.goesOn())
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

// maxAnswer is how much of an answer's body is read, in bytes: a little under 64 KiB, so that the decoder's buffer, which doubles,
// ends there.
const maxAnswer = 63 << 10

// readAnswer takes id and url from the body of a 2xx (contract, section 2). The attempt is accepted whatever the body holds and
// however it ends, so everything that cannot be used counts as absent. Reading stops at the end of the JSON object: a receiver
// that goes on sending delays nothing.
func readAnswer(body io.Reader) (id, link string) {
	r := bufio.NewReader(io.LimitReader(body, maxAnswer))
	skipMark(r)
	// Decoding into a struct takes linear time however slowly the bytes arrive, and keeps these two members only; reading token by
	// token or into a map does neither. Names match in any case: .NET receivers send Id and Url.
	var named struct {
		ID  postID  `json:"id"`
		URL postURL `json:"url"`
	}
	if err := json.NewDecoder(r).Decode(&named); err != nil {
		return "", ""
	}
	return string(named.ID), string(named.URL)
}

// skipMark skips the byte-order mark that some editors write at the start of a PHP file, and PHP sends.
func skipMark(r *bufio.Reader) {
	const mark = "\uFEFF"
	if start, err := r.Peek(len(mark)); err == nil && string(start) == mark {
		// Discarding what is buffered cannot fail.
		_, _ = r.Discard(len(mark))
	}
}

// postID is a string, or a number as the receiver wrote it. Another value, or one that is blank, too long or not printable, counts
// as absent.
type postID string

// UnmarshalJSON implements json.Unmarshaler.
func (id *postID) UnmarshalJSON(raw []byte) error {
	text := readString(raw)
	if raw[0] == '-' || (raw[0] >= '0' && raw[0] <= '9') {
		text = string(raw)
	}
	if answer.IsID(text) {
		*id = postID(text)
	}
	return nil
}

// postURL is an absolute http or https URL that is safe in a link. Another value counts as absent.
type postURL string

// UnmarshalJSON implements json.Unmarshaler.
func (u *postURL) UnmarshalJSON(raw []byte) error {
	if text := readString(raw); answer.IsLink(text) {
		*u = postURL(text)
	}
	return nil
}

// readString returns the text of a JSON string, and "" of another value.
func readString(raw []byte) string {
	var s string
	if raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// judge judges an answer by its status. Only the body of a 2xx can name the post (contract, section 6).
func judge(resp *http.Response, body *recorder, now time.Time, stop func()) publish.Outcome {
	status := resp.StatusCode
	if status >= 200 && status <= 299 {
		id, link := readAnswer(body)
		return publish.Outcome{
			ID: id, URL: link, AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptAccepted, HTTPStatus: int32(status)},
		}
	}
	if status < 100 || status > 999 {
		return publish.Outcome{AttemptResult: v1alpha1.AttemptResult{
			Outcome: v1alpha1.AttemptConnectionFailed, ErrorClass: v1alpha1.ErrorInvalidAnswer,
			Message: "the answer has no valid HTTP status",
		}}
	}
	late := time.AfterFunc(explanationTime, stop)
	defer late.Stop()
	body.fill()
	return publish.Outcome{
		AttemptResult: v1alpha1.AttemptResult{
			Outcome: v1alpha1.AttemptRejected, ErrorClass: classOf(status), HTTPStatus: int32(status), Message: rejection(status),
		},
		Final:      status == http.StatusGone,
		RetryAfter: answer.RetryAfter(status, resp.Header, now),
	}
}

// classOf is the class of a status other than 2xx.
func classOf(status int) v1alpha1.ErrorClass {
	switch status / 100 {
	case 3:
		return v1alpha1.ErrorRedirect
	case 4:
		return v1alpha1.ErrorClient
	case 5:
		return v1alpha1.ErrorServer
	default:
		return v1alpha1.ErrorUnexpectedStatus
	}
}

// rejection describes a status other than 2xx. It leaves out the text that the receiver sent beside the status, which could be
// anything.
func rejection(status int) string {
	message := fmt.Sprintf("the receiver answered %d", status)
	if text := http.StatusText(status); text != "" {
		message += " " + text
	}
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		message += ": redirects are not followed"
	case http.StatusGone:
		message += ": delivery is not retried"
	}
	return message
}
