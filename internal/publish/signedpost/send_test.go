package signedpost_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/utils/clock"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/signedpost"
)

const (
	secret    = "a long random string chosen by the customer"
	signature = "0f5a"
)

// client reaches loopback, where the tests' receivers are, beside public addresses.
func client() *http.Client {
	return egress.NewClient(egress.Policy{AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}, 0)
}

// requestTo is an event for a receiver.
func requestTo(url string) signedpost.Request {
	return signedpost.Request{
		URL: url, Event: "post.publish", Body: []byte(`{"title":"Trail shoes"}`),
		Signature: http.Header{"X-SERVICE-Signature": {signature}}, Secrets: []string{secret, signature},
	}
}

// send makes an attempt to reach a receiver.
func send(ctx context.Context, url string) publish.Outcome {
	return signedpost.Send(ctx, client(), clock.RealClock{}, requestTo(url))
}

// listen serves raw TCP on loopback, one goroutine per connection, and returns the URL.
func listen(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = conn.Close() }()
				serve(conn)
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

// readRequest reads a request off the wire, byte for byte.
func readRequest(conn net.Conn) (header string, body []byte, err error) {
	r := bufio.NewReader(conn)
	var lines strings.Builder
	length := 0
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return "", nil, err
		}
		if line == "\r\n" {
			break
		}
		if value, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return "", nil, err
			}
		}
		lines.WriteString(line)
	}
	body = make([]byte, length)
	_, err = io.ReadFull(r, body)
	return lines.String(), body, err
}

func TestTheRequestIsTheContracts(t *testing.T) {
	type request struct {
		header string
		body   []byte
	}
	got := make(chan request, 1)
	u := listen(t, func(conn net.Conn) {
		header, body, err := readRequest(conn)
		if err != nil {
			t.Errorf("reading the request: %v", err)
		}
		got <- request{header, body}
		_, _ = io.WriteString(conn, "HTTP/1.1 204 No Content\r\n\r\n")
	})
	r := requestTo(u + "/hook?site=1#part")
	if o := send(t.Context(), r.URL); o.Outcome != v1alpha1.AttemptAccepted || o.HTTPStatus != 204 {
		t.Fatalf("outcome is %+v, want it accepted", o)
	}
	req := <-got
	if !bytes.Equal(req.body, r.Body) {
		t.Errorf("the body is %s, want %s", req.body, r.Body)
	}
	lines := strings.Split(strings.TrimSuffix(req.header, "\r\n"), "\r\n")
	slices.Sort(lines)
	want := []string{
		"Connection: close",
		fmt.Sprintf("Content-Length: %d", len(r.Body)),
		"Content-Type: application/json",
		"Host: " + strings.TrimPrefix(u, "http://"),
		"POST /hook?site=1 HTTP/1.1",
		"User-Agent: Pressroom/", // and a version
		"X-SERVICE-Event: post.publish",
		"X-SERVICE-Signature: " + signature,
	}
	if len(lines) != len(want) {
		t.Fatalf("the request has the lines %q, want %q", lines, want)
	}
	for i, line := range lines {
		if line != want[i] && (!strings.HasPrefix(want[i], "User-Agent") || !strings.HasPrefix(line, want[i])) {
			t.Errorf("line %d is %q, want %q", i, line, want[i])
		}
	}
}

func TestTheStatusDecides(t *testing.T) {
	tests := map[int]struct {
		wantOutcome v1alpha1.AttemptOutcome
		wantClass   v1alpha1.ErrorClass
		wantMessage string
		wantFinal   bool
		wantRetry   time.Duration
	}{
		200: {wantOutcome: v1alpha1.AttemptAccepted},
		201: {wantOutcome: v1alpha1.AttemptAccepted},
		202: {wantOutcome: v1alpha1.AttemptAccepted},
		204: {wantOutcome: v1alpha1.AttemptAccepted},
		299: {wantOutcome: v1alpha1.AttemptAccepted},
		300: {v1alpha1.AttemptRejected, v1alpha1.ErrorRedirect, "the receiver answered 300 Multiple Choices", false, 0},
		301: {v1alpha1.AttemptRejected, v1alpha1.ErrorRedirect, "the receiver answered 301 Moved Permanently: redirects are not followed", false, 0},
		302: {v1alpha1.AttemptRejected, v1alpha1.ErrorRedirect, "the receiver answered 302 Found: redirects are not followed", false, 0},
		303: {v1alpha1.AttemptRejected, v1alpha1.ErrorRedirect, "the receiver answered 303 See Other: redirects are not followed", false, 0},
		304: {v1alpha1.AttemptRejected, v1alpha1.ErrorRedirect, "the receiver answered 304 Not Modified", false, 0},
		307: {v1alpha1.AttemptRejected, v1alpha1.ErrorRedirect, "the receiver answered 307 Temporary Redirect: redirects are not followed", false, 0},
		308: {v1alpha1.AttemptRejected, v1alpha1.ErrorRedirect, "the receiver answered 308 Permanent Redirect: redirects are not followed", false, 0},
		400: {v1alpha1.AttemptRejected, v1alpha1.ErrorClient, "the receiver answered 400 Bad Request", false, 0},
		401: {v1alpha1.AttemptRejected, v1alpha1.ErrorClient, "the receiver answered 401 Unauthorized", false, 0},
		404: {v1alpha1.AttemptRejected, v1alpha1.ErrorClient, "the receiver answered 404 Not Found", false, 0},
		410: {v1alpha1.AttemptRejected, v1alpha1.ErrorClient, "the receiver answered 410 Gone: delivery is not retried", true, 0},
		429: {v1alpha1.AttemptRejected, v1alpha1.ErrorClient, "the receiver answered 429 Too Many Requests", false, 90 * time.Second},
		500: {v1alpha1.AttemptRejected, v1alpha1.ErrorServer, "the receiver answered 500 Internal Server Error", false, 0},
		503: {v1alpha1.AttemptRejected, v1alpha1.ErrorServer, "the receiver answered 503 Service Unavailable", false, 90 * time.Second},
		599: {v1alpha1.AttemptRejected, v1alpha1.ErrorServer, "the receiver answered 599", false, 0},
		999: {v1alpha1.AttemptRejected, v1alpha1.ErrorUnexpectedStatus, "the receiver answered 999", false, 0},
	}
	var followed atomic.Bool
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed.Store(true) }))
	defer elsewhere.Close()
	for status, tt := range tests {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			u := listen(t, func(conn net.Conn) {
				_, _, _ = readRequest(conn)
				_, _ = fmt.Fprintf(conn, "HTTP/1.1 %d Some text of the receiver's\r\nLocation: %s\r\nRetry-After: 90\r\nContent-Length: 0\r\n\r\n",
					status, elsewhere.URL)
			})
			o := send(t.Context(), u)
			want := publish.Outcome{AttemptResult: v1alpha1.AttemptResult{
				Outcome: tt.wantOutcome, ErrorClass: tt.wantClass, HTTPStatus: int32(status), Message: tt.wantMessage, Milliseconds: o.Milliseconds,
			}, Final: tt.wantFinal, RetryAfter: tt.wantRetry}
			if !reflect.DeepEqual(o, want) {
				t.Errorf("outcome is %+v, want %+v", o, want)
			}
		})
	}
	if followed.Load() {
		t.Error("a redirect was followed")
	}
}

func TestForbiddenAddressesAreFinalAndUntold(t *testing.T) {
	var reached atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
	defer s.Close()
	for _, u := range []string{
		s.URL, "http://localhost:80/", "http://169.254.169.254/latest/", "http://10.0.0.1/", "http://[::1]/", "http://x.svc.cluster.local/",
		"http://user:pass@example.com/", "ftp://example.com/", "http://[::1%25lo]/", "not a URL", "", "http://\x00/",
	} {
		o := signedpost.Send(t.Context(), egress.NewClient(egress.Policy{}, 0), clock.RealClock{}, requestTo(u))
		if o.Outcome != v1alpha1.AttemptAddressBlocked || o.ErrorClass != v1alpha1.ErrorAddressBlocked || !o.Final || o.HTTPStatus != 0 || !strings.HasPrefix(o.Message, "blocked: ") {
			t.Errorf("%q: outcome is %+v, want it blocked for good", u, o)
		}
		if strings.Contains(o.Message, "10.0.0.1") || strings.Contains(o.Message, "127.0.0.1") || strings.Contains(o.Message, "pass@") {
			t.Errorf("%q: the message has %q", u, o.Message)
		}
	}
	if reached.Load() {
		t.Error("a forbidden address was reached")
	}
}

// stepping is a transport that takes some time by a fake clock.
type stepping struct {
	clock *clocktesting.FakeClock
	took  time.Duration
	err   error
}

func (s stepping) RoundTrip(*http.Request) (*http.Response, error) {
	s.clock.Step(s.took)
	if s.err != nil {
		return nil, s.err
	}
	date := s.clock.Now().Add(2 * time.Minute).UTC().Format(http.TimeFormat)
	return &http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {date}}, Body: http.NoBody}, nil
}

func TestTimeIsTheClocks(t *testing.T) {
	fake := clocktesting.NewFakeClock(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	attempt := func(t *testing.T, by stepping) publish.Outcome {
		t.Helper()
		return signedpost.Send(t.Context(), &http.Client{Transport: by}, fake, requestTo("http://example.com/"))
	}
	if o := attempt(t, stepping{clock: fake, took: 1500 * time.Millisecond}); o.Milliseconds != 1500 || o.RetryAfter != 2*time.Minute-500*time.Millisecond {
		t.Errorf("outcome is %+v, want 1.5 s, and the date less the half second that it cannot say", o)
	}
	if o := attempt(t, stepping{clock: fake, took: -time.Hour, err: errors.New("x")}); o.Milliseconds != 0 {
		t.Errorf("a clock that was set back gives %d ms, want 0", o.Milliseconds)
	}
}

func TestAShutdownEndsTheAttempt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	u := listen(t, func(conn net.Conn) {
		_, _, _ = readRequest(conn)
		cancel()
		_, _ = io.Copy(io.Discard, conn)
	})
	want := publish.Outcome{AttemptResult: v1alpha1.AttemptResult{
		Outcome: v1alpha1.AttemptConnectionFailed, ErrorClass: v1alpha1.ErrorConnection, Message: "the request was given up",
	}}
	o := send(ctx, u)
	want.Milliseconds = o.Milliseconds
	if !reflect.DeepEqual(o, want) {
		t.Errorf("outcome is %+v, want %+v", o, want)
	}
}

func TestOneAttemptIsOneRequest(t *testing.T) {
	var requests atomic.Int32
	u := listen(t, func(conn net.Conn) {
		if _, _, err := readRequest(conn); err == nil {
			requests.Add(1)
		}
		// The connection ends without an answer, which some clients take for a reason to send again.
	})
	for range 3 {
		if o := send(t.Context(), u); o.Outcome != v1alpha1.AttemptConnectionFailed || o.Message == "" {
			t.Errorf("outcome is %+v, want a failed connection", o)
		}
	}
	if got := requests.Load(); got != 3 {
		t.Errorf("three attempts made %d requests", got)
	}
}
