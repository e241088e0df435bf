package connectortest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"testing"
	"time"

	testclock "k8s.io/utils/clock/testing"
)

// ToServer starts a server of the test, and returns a transport that sends it the requests for a host by https, and no others.
func ToServer(t *testing.T, host string, handler http.Handler) http.RoundTripper {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	to, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return toServer{host, to}
}

type toServer struct {
	host string
	to   *url.URL
}

// RoundTrip implements http.RoundTripper.
func (s toServer) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" || r.URL.Host != s.host {
		return nil, fmt.Errorf("a request for %s, not for https://%s", r.URL, s.host)
	}
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = s.to.Scheme, s.to.Host
	return http.DefaultTransport.RoundTrip(r)
}

// WhileTimePasses does something that waits for a fake clock, which it moves on by a step each time that somebody waits.
func WhileTimePasses(clock *testclock.FakeClock, step time.Duration, do func()) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		do()
	}()
	for {
		select {
		case <-ended:
			return
		default:
			if clock.HasWaiters() {
				clock.Step(step)
			}
			runtime.Gosched()
		}
	}
}
