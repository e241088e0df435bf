package egress

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// do sends a request under a context.
func do(ctx context.Context, t *testing.T, c *http.Client, url string) error {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(req)
	if err == nil {
		err = resp.Body.Close()
	}
	return err
}

func doWithin(t *testing.T, d time.Duration, c *http.Client, url string) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	return do(ctx, t, c, url)
}

func TestADeadlineIsDescribedAsOne(t *testing.T) {
	u := serveRaw(t, func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) })
	for _, scheme := range []string{"http", "https"} {
		stalled := strings.Replace(u, "http", scheme, 1)
		for name, err := range map[string]error{
			"the client's":     do(t.Context(), t, NewClient(loopback, 50*time.Millisecond), stalled),
			"the context's":    doWithin(t, 50*time.Millisecond, NewClient(loopback, 0), stalled),
			"the connection's": explain(&net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}),
		} {
			if Describe(err) != "no answer in time" || Classify(err) != Timeout {
				t.Errorf("%s, %s: %v, want the deadline", scheme, name, err)
			}
		}
	}
}

// The transport dials and shakes hands detached from the request; left like that, both would go on when it has ended.
func TestNothingGoesOnWhenTheRequestHasEnded(t *testing.T) {
	for _, scheme := range []string{"http", "https"} {
		ctx, cancel := context.WithCancel(t.Context())
		hungUp := make(chan struct{})
		u := serveRaw(t, func(conn net.Conn) {
			_, _ = conn.Read(make([]byte, 1)) // the request has begun, or the handshake
			cancel()
			_, _ = io.Copy(io.Discard, conn)
			close(hungUp)
		})
		err := do(ctx, t, NewClient(loopback, 0), strings.Replace(u, "http", scheme, 1))
		if !errors.Is(err, context.Canceled) || Describe(err) != "the request was given up" {
			t.Errorf("%s: %v, want it given up", scheme, err)
		}
		<-hungUp
	}
}

// net/http hands the connection over as the answer's body, and reading that ends only with the peer.
func TestAPeerThatSwitchesProtocolsIsHungUpOn(t *testing.T) {
	for name, upgrade := range map[string]string{
		"as browsers know it":  "Connection: Upgrade\r\nUpgrade: websocket\r\n",
		"in lower case":        "connection: keep-alive, upgrade\r\nupgrade: x\r\n",
		"to a body of 1 byte":  "Connection: Upgrade\r\nUpgrade: x\r\nContent-Length: 1\r\n",
		"without saying which": "",
	} {
		for kind, c := range bothClients() {
			hungUp := make(chan struct{})
			u := serveRaw(t, func(conn net.Conn) {
				_, _ = conn.Read(make([]byte, 4096))
				_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\n"+upgrade+"\r\n")
				_, _ = io.Copy(io.Discard, conn)
				close(hungUp)
			})
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, u, nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := c.Do(req)
			if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
				t.Fatalf("%s, %s: %v, want the answer itself", kind, name, err)
			}
			if resp.Body != http.NoBody {
				t.Errorf("%s, %s: the body is %T, want none", kind, name, resp.Body)
			}
			if err := resp.Body.Close(); err != nil {
				t.Error(err)
			}
			<-hungUp
		}
	}
}

func TestALookUpEndsWithTheRequest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 16) // the resolver asks several times
	c := newClient(newGuard(Policy{}), 0, &dialer{resolver: &net.Resolver{
		PreferGo: true,
		Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			cancel()
			<-ctx.Done()
			ended <- ctx.Err()
			return nil, ctx.Err()
		},
	}})
	if err := do(ctx, t, c, "http://a.example.com/"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want it given up", err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the look-up ended with %v rather than with the request", err)
	}
}
