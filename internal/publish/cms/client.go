package cms

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/answer"
)

const (
	// defaultMaxBytes is how long an answer's body may be, in bytes: posts with long bodies come back whole.
	defaultMaxBytes = 4 << 20
	// maxStatus is the highest status that HTTP has room for (RFC 9110, section 15).
	maxStatus = 999
	// maxRedirects is how many redirects a request that may follow them follows.
	maxRedirects = 3
)

// Client sends the requests of one attempt. It is used by one goroutine.
type Client struct {
	http      *http.Client
	clock     clock.Clock
	plainHTTP bool
	// hidden are secrets that the attempt got on its way.
	hidden []string
	// address is that of the site, as somebody has entered it.
	address string
	// status and the beginning of the last answer.
	status int32
	kept   []byte
	more   bool
	// skew is how far the clock of the CMS is ahead of this one, as the last answer said.
	skew time.Duration
}

// Hide keeps a secret that the attempt got on its way out of everything that people may see.
func (c *Client) Hide(secret string) { c.hidden = append(c.hidden, secret) }

// HideAddress keeps what may be secret of the address of a site out of texts that people see.
func (c *Client) HideAddress(address string) { c.address = address }

// Request is one request to a CMS.
type Request struct {
	Method, URL string
	// Header may have credentials.
	Header http.Header
	// JSON is sent as the body, if it is not nil.
	JSON any
	// File is sent as the body if JSON is nil. Header has its type.
	File []byte
	// MaxBytes is how much of the answer's body is read; 4 MiB if 0. A longer answer is an unexpected one, unless Cut is set.
	MaxBytes int64
	// Cut leaves out what is longer than MaxBytes.
	Cut bool
	// Follow follows redirects to the same host. Only a GET may have it.
	Follow bool
}

// Answer is the answer to a request.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	// URL that answered, after redirects.
	URL        *url.URL
	retryAfter time.Duration
}

// Do sends one request. Its errors are those of package egress, and *Error for an address that nothing may be sent to, for a redirect
// that is not followed, and for an answer that is too long. Every status but a redirect is an Answer.
func (c *Client) Do(ctx context.Context, r Request) (Answer, error) {
	for n := 0; ; n++ {
		a, err := c.send(ctx, r)
		if err != nil || a.Status < 300 || a.Status > 399 {
			return a, err
		}
		next, err := redirect(a, r, n)
		if err != nil {
			return a, err
		}
		r.URL = next
	}
}

// redirect returns where a request goes on.
func redirect(a Answer, r Request, followed int) (string, error) {
	to, err := a.URL.Parse(a.Header.Get("Location"))
	switch {
	case err != nil || a.Header.Get("Location") == "":
		return "", Fail(v1alpha1.ErrorUnexpectedAnswer, "it answered %d without saying where to go on", a.Status)
	case !SameHost(a.URL, to):
		return "", Fail(v1alpha1.ErrorUnexpectedAnswer, "it redirects to another address: use the address that it redirects to")
	case !r.Follow || followed == maxRedirects:
		return "", Fail(v1alpha1.ErrorUnexpectedAnswer, "it redirects requests of its API: use the address that it redirects to")
	}
	return to.String(), nil
}

// SameHost reports whether credentials for one URL may be sent to another one: it has the same host and port, and does not give up TLS.
func SameHost(from, to *url.URL) bool {
	if from.Scheme == to.Scheme {
		return egress.Host(from.String()) == egress.Host(to.String())
	}
	return from.Scheme == "http" && to.Scheme == "https" && from.Port() == "" && to.Port() == "" &&
		strings.EqualFold(from.Hostname(), to.Hostname())
}

func (c *Client) send(ctx context.Context, r Request) (Answer, error) {
	c.status, c.kept, c.more = 0, nil, false
	req, err := newRequest(ctx, r)
	if err != nil {
		return Answer{}, err
	}
	if req.URL.Scheme != "https" && !c.plainHTTP {
		return Answer{}, Fail(v1alpha1.ErrorAddressBlocked,
			"nothing was sent: the URL must be https, because credentials go with the request")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return Answer{}, fmt.Errorf("sending to the CMS: %w", err)
	}
	// A transport other than net/http's may return a body that does not end with the context.
	stop := context.AfterFunc(ctx, func() { _ = resp.Body.Close() })
	defer stop()
	defer resp.Body.Close()
	return c.read(resp, r)
}

func newRequest(ctx context.Context, r Request) (*http.Request, error) {
	var body io.Reader
	if r.JSON != nil {
		data, err := publish.JSON(r.JSON)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(data)
	} else if r.File != nil {
		body = bytes.NewReader(r.File)
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, r.URL, body)
	if err != nil {
		return nil, Fail(v1alpha1.ErrorAddressBlocked, "blocked: the URL cannot be read")
	}
	// A transport that can read the body again may send it again, after the first one made a post.
	req.GetBody = nil
	if r.Header != nil {
		req.Header = r.Header.Clone()
	}
	req.Header.Set("User-Agent", answer.UserAgent)
	if r.JSON != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return req, nil
}

func (c *Client) read(resp *http.Response, r Request) (Answer, error) {
	limit := cmp.Or(r.MaxBytes, defaultMaxBytes)
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		c.skew = date.Sub(c.clock.Now())
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	c.status = int32(min(max(resp.StatusCode, 0), maxStatus))
	c.kept, c.more = body[:min(len(body), answer.MaxKept)], err != nil || len(body) > answer.MaxKept
	if err != nil {
		return Answer{}, fmt.Errorf("reading the answer of the CMS: %w", err)
	}
	if over := int64(len(body)) > limit; over && !r.Cut {
		return Answer{}, Fail(v1alpha1.ErrorUnexpectedAnswer, "the answer is longer than any that is expected")
	} else if over {
		body = body[:limit]
	}
	return Answer{
		Status: resp.StatusCode, Header: resp.Header, Body: body, URL: resp.Request.URL,
		retryAfter: answer.RetryAfter(resp.StatusCode, resp.Header, c.clock.Now()),
	}, nil
}

// Wait waits until the CMS accepts requests again. If that is after the end of the attempt, it returns at once: RateLimited, with the
// wait as RetryAfter. message says who asks for fewer requests.
func (c *Client) Wait(ctx context.Context, d time.Duration, message string) error {
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= d {
		return &Error{Class: v1alpha1.ErrorRateLimited, Message: message, RetryAfter: d}
	}
	timer := c.clock.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// IsJSON reports whether an answer says that it is JSON, and is.
func (a Answer) IsJSON() bool {
	kind, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	return err == nil && (kind == "application/json" || strings.HasSuffix(kind, "+json")) && json.Valid(trimMark(a.Body))
}

// Decode reads the JSON of an answer into v. Members that v does not have are left out.
func (a Answer) Decode(v any) error {
	if err := json.Unmarshal(trimMark(a.Body), v); err != nil {
		return fmt.Errorf("reading the JSON of the CMS: %w", err)
	}
	return nil
}

// trimMark removes the byte-order mark that some editors write at the start of a PHP file, and PHP sends.
func trimMark(body []byte) []byte { return bytes.TrimPrefix(body, []byte("\uFEFF")) }
