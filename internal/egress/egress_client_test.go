package egress

import (
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
)

var loopback = Policy{AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}

// bothClients are the two kinds of client, which share all rules but those about addresses.
func bothClients() map[string]*http.Client {
	return map[string]*http.Client{"public": NewClient(loopback, 0), "private": NewPrivateClient(0)}
}

func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

// serveRaw answers every connection with bytes that no HTTP server would send.
func serveRaw(t *testing.T, answer func(net.Conn)) string {
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
				answer(conn)
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

// fetch returns the answer's status and body.
func fetch(t *testing.T, c *http.Client, url string) (int, string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

func TestLoopbackIsReachedUnderADevelopmentPolicyOnly(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") })
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	for _, u := range []string{"http://127.0.0.1:" + port, "http://localhost:" + port} {
		if _, text, err := fetch(t, NewClient(loopback, 0), u); err != nil || text != "hello" {
			t.Errorf("development: %s gives %q, %v", u, text, err)
		}
		if _, text, err := fetch(t, NewPrivateClient(0), u); err != nil || text != "hello" {
			t.Errorf("private: %s gives %q, %v", u, text, err)
		}
		if _, _, err := fetch(t, NewClient(Policy{}, 0), u); !errors.Is(err, ErrBlocked) {
			t.Errorf("production: %s gives %v, want ErrBlocked", u, err)
		}
	}
}

func TestRedirectsAreTheAnswer(t *testing.T) {
	var reached atomic.Bool
	elsewhere := serve(t, func(http.ResponseWriter, *http.Request) { reached.Store(true) })
	for kind, c := range bothClients() {
		t.Run(kind, func(t *testing.T) {
			for _, location := range []string{elsewhere.URL, "/again", "http://a b:x/%zz", "", "javascript:alert(1)"} {
				for _, status := range []int{301, 302, 303, 307, 308} {
					s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
						w.Header()["Location"] = []string{location}
						w.WriteHeader(status)
					})
					got, _, err := fetch(t, c, s.URL)
					if err != nil || got != status {
						t.Errorf("%d to %q: %v, want the answer itself", status, location, err)
					}
				}
			}
		})
	}
	if reached.Load() {
		t.Error("a redirect was followed")
	}
}

func TestTheEnvironmentsProxyIsNotUsed(t *testing.T) {
	proxy := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "proxy") })
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"} {
		t.Setenv(name, proxy.URL)
	}
	// net/http reads the environment once per process and never proxies loopback, so the transport's own setting is looked at.
	for kind, c := range bothClients() {
		t.Run(kind, func(t *testing.T) {
			if c.Transport.(*roundTripper).base.Proxy != nil {
				t.Error("the transport has a proxy")
			}
		})
	}
}

func TestCompressedAnswersAreNotUnpacked(t *testing.T) {
	for kind, c := range bothClients() {
		t.Run(kind, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if got := r.Header.Get("Accept-Encoding"); got != "" {
					t.Errorf("Accept-Encoding is %q, want none", got)
				}
				w.Header().Set("Content-Encoding", "gzip")
				_, _ = io.WriteString(w, "\x1f\x8bnot really")
			})
			if _, text, err := fetch(t, c, s.URL); err != nil || text != "\x1f\x8bnot really" {
				t.Errorf("the body is %q, %v, want the bytes as they were sent", text, err)
			}
		})
	}
}

func TestHeadersOfAnAnswerAreBounded(t *testing.T) {
	line := "X-Filler: " + strings.Repeat("x", 1012) + "\r\n" // 1 KiB
	headers := func(n int) string {
		return "HTTP/1.1 200 OK\r\n" + strings.Repeat(line, n) + "Content-Length: 0\r\n\r\n"
	}
	interim := func(n int) string { return strings.Repeat("HTTP/1.1 103 Early Hints\r\n"+line+"\r\n", n) + headers(0) }
	for kind, c := range bothClients() {
		t.Run(kind, func(t *testing.T) {
			for name, tt := range map[string]struct {
				answer string
				wantOK bool
			}{
				"30 KiB":         {headers(30), true},
				"70 KiB":         {headers(70), false},
				"30 KiB interim": {interim(30), true},
				"70 KiB interim": {interim(70), false},
			} {
				u := serveRaw(t, func(conn net.Conn) {
					_, _ = conn.Read(make([]byte, 4096))
					_, _ = io.WriteString(conn, tt.answer)
				})
				_, _, err := fetch(t, c, u)
				if (err == nil) != tt.wantOK || (err != nil && Describe(err) != textAnswer) {
					t.Errorf("%s: %v, want it to pass: %t", name, err, tt.wantOK)
				}
			}
		})
	}
}

func TestEndlessHeadersAreGivenUp(t *testing.T) {
	line := strings.Repeat("X-Filler: "+strings.Repeat("x", 1000)+"\r\n", 16)
	for kind, c := range bothClients() {
		t.Run(kind, func(t *testing.T) {
			u := serveRaw(t, func(conn net.Conn) {
				_, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\n")
				for err == nil {
					_, err = io.WriteString(conn, line)
				}
			})
			if _, _, err := fetch(t, c, u); err == nil {
				t.Error("endless headers were read to their end")
			}
		})
	}
}

func TestAPublicClientKeepsNoConnections(t *testing.T) {
	for name, tt := range map[string]struct {
		client *http.Client
		want   int32
	}{"public": {NewClient(loopback, 0), 3}, "private": {NewPrivateClient(0), 1}} {
		var connections atomic.Int32
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				connections.Add(1)
			}
		}
		s.Start()
		for range 3 {
			if _, _, err := fetch(t, tt.client, s.URL); err != nil {
				t.Fatal(err)
			}
		}
		tt.client.CloseIdleConnections()
		s.Close()
		if got := connections.Load(); got != tt.want {
			t.Errorf("%s: three requests made %d connections, want %d", name, got, tt.want)
		}
	}
}

func TestTLSIsForTheNameAsWritten(t *testing.T) {
	var host, sni string
	s := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { host, sni = r.Host, r.TLS.ServerName }))
	t.Cleanup(s.Close)
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate()) // httptest's certificate is for example.com
	names := newNameServer(t, always("127.0.0.1"))
	c := newClient(newGuard(loopback), 0, &dialer{resolver: names.resolver(), roots: roots})

	if _, _, err := fetch(t, c, "https://example.com:"+port); err != nil || host != "example.com:"+port || sni != "example.com" {
		t.Errorf("host %q, server name %q, %v, want both without a final dot", host, sni, err)
	}
	if names := names.names(); len(names) != 1 || names[0] != "example.com." {
		t.Errorf("looked up %q, want the absolute name", names)
	}
	if _, _, err := fetch(t, c, "https://elsewhere.dev:"+port); err == nil || Describe(err) != "the TLS certificate is not for this host" {
		t.Errorf("another name: %v, want the certificate refused", err)
	}
	if _, _, err := fetch(t, NewClient(loopback, 0), s.URL); err == nil || Describe(err) != "the TLS certificate is signed by an unknown authority" {
		t.Errorf("unknown authority: %v, want the certificate refused", err)
	}
}

// closeCounter is a request body that counts how often it was closed.
type closeCounter struct {
	io.Reader
	closed int
}

func (c *closeCounter) Close() error { c.closed++; return nil }

func TestABlockedRequestsBodyIsClosed(t *testing.T) {
	b := &closeCounter{Reader: strings.NewReader("x")}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/", b)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := NewClient(Policy{}, 0).Do(req)
	if err == nil {
		_ = resp.Body.Close()
	}
	if !errors.Is(err, ErrBlocked) || b.closed != 1 {
		t.Errorf("%v, closed %d times, want blocked and closed once", err, b.closed)
	}
}
