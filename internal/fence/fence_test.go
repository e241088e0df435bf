package fence_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	testclock "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/fence"
)

var written = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// request is one of an attempt, so many seconds after the attempt was written.
type request struct {
	method   string
	readOnly bool
	at       int
	want     bool
}

func TestRequestsAreSentIfTheProcessWasNotHeldUp(t *testing.T) {
	const (
		get, post, remove = http.MethodGet, http.MethodPost, http.MethodDelete
		never             = -1
	)
	for name, tt := range map[string]struct {
		// renewed is when the lease was last renewed; never if there is none.
		renewed              int
		requests             []request
		wantRefused, wantGot bool
	}{
		"in time, without a lease":              {never, []request{{post, false, 10, true}}, false, true},
		"late, without a lease":                 {never, []request{{post, false, 11, false}}, true, false},
		"without a body":                        {never, []request{{remove, false, 11, false}}, true, false},
		"the second of an attempt":              {never, []request{{post, false, 1, true}, {post, false, 25, true}}, false, true},
		"a write after a look-up":               {never, []request{{get, false, 1, true}, {post, false, 25, true}}, false, true},
		"a write after a late look-up":          {never, []request{{get, false, 11, true}, {post, false, 12, false}}, true, false},
		"a late look-up alone":                  {never, []request{{get, false, 11, true}}, false, false},
		"a late query":                          {never, []request{{post, true, 11, true}}, false, false},
		"the lease was renewed":                 {20, []request{{post, false, 30, true}}, false, true},
		"the lease was not renewed":             {20, []request{{post, false, 31, false}}, true, false},
		"the attempt was written later":         {0, []request{{post, false, 10, true}}, false, true},
		"held up between two writes":            {5, []request{{post, false, 10, true}, {post, false, 16, false}}, true, true},
		"held up after a look-up":               {5, []request{{get, false, 10, true}, {post, false, 16, false}}, true, false},
		"look-ups are never refused":            {0, []request{{get, false, 90, true}, {post, true, 90, true}}, false, false},
		"nothing is sent after one was refused": {20, []request{{post, false, 31, false}, {post, false, 5, false}}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			var got atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { got.Add(1) }))
			defer server.Close()
			clock := testclock.NewFakePassiveClock(written)
			transport := &fence.Transport{Next: http.DefaultTransport, Clock: clock}
			if tt.renewed != never {
				transport.Renewed = func() time.Time { return written.Add(time.Duration(tt.renewed) * time.Second) }
			}
			ctx, attempt := fence.Begun(t.Context(), written)
			for i, r := range tt.requests {
				clock.SetTime(written.Add(time.Duration(r.at) * time.Second))
				before := got.Load()
				err := send(ctx, transport, server.URL, r)
				if sent := got.Load() > before; sent != r.want || errors.Is(err, fence.ErrHeldUp) == r.want {
					t.Errorf("request %d was sent: %t, want %t; %v", i+1, sent, r.want, err)
				}
			}
			if attempt.Refused() != tt.wantRefused || attempt.Sent() != tt.wantGot {
				t.Errorf("refused %t, sent %t; want %t, %t", attempt.Refused(), attempt.Sent(), tt.wantRefused, tt.wantGot)
			}
		})
	}
}

func send(ctx context.Context, transport http.RoundTripper, url string, r request) error {
	var body io.Reader
	if r.method == http.MethodPost {
		body = strings.NewReader("text")
	}
	if r.readOnly {
		ctx = fence.ReadOnly(ctx)
	}
	q, err := http.NewRequestWithContext(ctx, r.method, url, body)
	if err != nil {
		return err
	}
	answer, err := (&http.Client{Transport: transport}).Do(q)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestNothingIsSentIfTheProcessWasHeldUpWhileItConnected(t *testing.T) {
	for name, first := range map[string]bool{"the first request": true, "a later one": false} {
		t.Run(name, func(t *testing.T) {
			var got atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { got.Add(1) }))
			defer server.Close()
			clock := testclock.NewFakePassiveClock(written)
			var pause time.Duration
			client := egress.NewClient(egress.Policy{AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}, 0)
			next := roundTripper(func(r *http.Request) (*http.Response, error) {
				clock.SetTime(clock.Now().Add(pause))
				return client.Transport.RoundTrip(r)
			})
			transport := &fence.Transport{Next: next, Clock: clock, Renewed: func() time.Time { return written }}
			ctx, attempt := fence.Begun(t.Context(), written)
			var want int32
			if !first {
				want = 1
				if err := send(ctx, transport, server.URL, request{method: http.MethodPost}); err != nil {
					t.Fatal(err)
				}
			}
			pause = time.Minute
			err := send(ctx, transport, server.URL, request{method: http.MethodPost})
			if !errors.Is(err, fence.ErrHeldUp) || got.Load() != want || !attempt.Refused() || attempt.Sent() == first {
				t.Errorf("%d requests were sent, refused %t, sent %t: %v", got.Load(), attempt.Refused(), attempt.Sent(), err)
			}
		})
	}
}
