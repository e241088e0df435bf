package egress

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// tunnel is a proxy on loopback. Whatever it is asked for, it connects to one server.
type tunnel struct {
	to string

	mu             sync.Mutex
	asked          []string
	authorizations []string
}

func (p *tunnel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.asked = append(p.asked, r.Method+" "+r.Host)
	p.authorizations = append(p.authorizations, r.Header.Get("Proxy-Authorization"))
	p.mu.Unlock()
	server, err := (&net.Dialer{}).DialContext(r.Context(), "tcp", p.to)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	client, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		_ = server.Close()
		return
	}
	_, _ = io.WriteString(client, "HTTP/1.1 200 Connection established\r\n\r\n")
	go func() {
		_, _ = io.Copy(server, client)
		_ = server.Close()
	}()
	_, _ = io.Copy(client, server)
	_ = client.Close()
}

// wasAsked returns what the proxy was asked for, and the credentials with which.
func (p *tunnel) wasAsked() (asked, authorizations []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked), slices.Clone(p.authorizations)
}

// newTunnel starts a proxy in front of a server.
func newTunnel(t *testing.T, to *httptest.Server) (*tunnel, string) {
	t.Helper()
	p := &tunnel{to: to.Listener.Addr().String()}
	s := httptest.NewServer(p)
	t.Cleanup(s.Close)
	return p, s.URL
}

func parsed(t *testing.T, raw string) *Proxy {
	t.Helper()
	p, err := ParseProxy(raw)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// site answers with the host and the server name that it was asked for.
func site(w http.ResponseWriter, r *http.Request) {
	name := ""
	if r.TLS != nil {
		name = r.TLS.ServerName
	}
	_, _ = io.WriteString(w, r.Host+" "+name)
}

func TestAProxyIsAskedForTheAddressAndTheSiteForItsName(t *testing.T) {
	secure, plain := httptest.NewTLSServer(http.HandlerFunc(site)), serve(t, site)
	t.Cleanup(secure.Close)
	roots := x509.NewCertPool()
	roots.AddCert(secure.Certificate())
	for _, tt := range []struct {
		name, url string
		server    *httptest.Server
		resolves  bool
		answers   []string
		wantAsked string
		want      string
	}{
		{name: "https", url: "https://example.com/x", server: secure, answers: []string{"93.184.215.14"}, wantAsked: "CONNECT 93.184.215.14:443", want: "example.com example.com"},
		{name: "http", url: "http://example.com:8080/", server: plain, answers: []string{"93.184.215.14"}, wantAsked: "CONNECT 93.184.215.14:8080", want: "example.com:8080 "},
		{name: "IPv4 first", url: "https://example.com/", server: secure, answers: []string{"2606:4700::1111", "93.184.215.14"}, wantAsked: "CONNECT 93.184.215.14:443", want: "example.com example.com"},
		{name: "IPv6", url: "https://example.com/", server: secure, answers: []string{"2606:4700::1111"}, wantAsked: "CONNECT [2606:4700::1111]:443", want: "example.com example.com"},
		{name: "a public address beside a private one", url: "https://example.com/", server: secure, answers: []string{"10.0.0.1", "93.184.215.14"}, wantAsked: "CONNECT 93.184.215.14:443", want: "example.com example.com"},
		{name: "an address", url: "http://93.184.215.14/", server: plain, wantAsked: "CONNECT 93.184.215.14:80", want: "93.184.215.14 "},
		{name: "names left to the proxy", url: "https://example.com/", server: secure, resolves: true, wantAsked: "CONNECT example.com:443", want: "example.com example.com"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			proxy, address := newTunnel(t, tt.server)
			names := newNameServer(t, always(tt.answers...))
			p := parsed(t, strings.Replace(address, "http://", "http://me:a%20secret@", 1))
			p.ResolvesNames = tt.resolves
			c := newClient(newGuard(Policy{}), 0, &dialer{resolver: names.resolver(), proxy: p, roots: roots})
			status, got, err := fetch(t, c, tt.url)
			if err != nil || status != http.StatusOK || got != tt.want {
				t.Errorf("the site answers %d %q, %v, want %q", status, got, err, tt.want)
			}
			asked, authorizations := proxy.wasAsked()
			if !slices.Equal(asked, []string{tt.wantAsked}) {
				t.Errorf("the proxy was asked for %q, want %q", asked, tt.wantAsked)
			}
			if want := "Basic bWU6YSBzZWNyZXQ="; !slices.Equal(authorizations, []string{want}) {
				t.Errorf("the proxy got %q, want %q", authorizations, want)
			}
			if tt.resolves && len(names.names()) > 0 {
				t.Errorf("looked up %v, want nothing", names.names())
			}
		})
	}
}

func TestAProxyIsNotAskedForWhatMayNotBeReached(t *testing.T) {
	proxy, address := newTunnel(t, serve(t, site))
	denied := Policy{DenyCIDRs: []netip.Prefix{netip.MustParsePrefix("198.202.1.0/24")}}
	for _, tt := range []struct {
		name, url string
		answers   []string
	}{
		{"a private address", "https://a.example.com/", []string{"10.0.0.1"}},
		{"loopback", "http://a.example.com/", []string{"127.0.0.1"}},
		{"the metadata of a cloud", "http://a.example.com/", []string{"169.254.169.254"}},
		{"private IPv6", "http://a.example.com/", []string{"fd00::1"}},
		{"a mapped address", "http://a.example.com/", []string{"::ffff:10.0.0.1"}},
		{"a range that is denied", "http://a.example.com/", []string{"198.202.1.1"}},
		{"an address in the URL", "http://10.0.0.1/", nil},
		{"a name of the cluster", "http://kubernetes.default.svc/", nil},
		{"a name without a dot", "http://localhost/", nil},
		{"a number", "http://2130706433/", nil},
	} {
		for _, resolves := range []bool{false, true} {
			// Only the proxy sees what a name that it resolves leads to.
			if resolves && tt.answers != nil {
				continue
			}
			p := parsed(t, address)
			p.ResolvesNames = resolves
			c := newClient(newGuard(denied), 0, &dialer{resolver: newNameServer(t, always(tt.answers...)).resolver(), proxy: p})
			if err := get(t, c, tt.url); !errors.Is(err, ErrBlocked) {
				t.Errorf("%s: %v, want ErrBlocked", tt.name, err)
			}
			// The check of the URL is a courtesy.
			d := &dialer{guard: newGuard(denied), resolver: newNameServer(t, always(tt.answers...)).resolver(), proxy: p}
			host, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(tt.url, "http://"), "https://"), "/")
			if _, err := d.dial(t.Context(), "tcp", host+":80"); !errors.Is(err, ErrBlocked) {
				t.Errorf("%s, to the dialer: %v, want ErrBlocked", tt.name, err)
			}
		}
	}
	if asked, _ := proxy.wasAsked(); len(asked) > 0 {
		t.Errorf("the proxy was asked for %q", asked)
	}
}

func TestWhatIsWrongWithAProxyIsSaid(t *testing.T) {
	answering := func(answer string) string {
		return serveRaw(t, func(conn net.Conn) {
			_, _ = conn.Read(make([]byte, 1024))
			_, _ = io.WriteString(conn, answer)
		})
	}
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	for _, tt := range []struct {
		name, proxy, want string
		class             Class
	}{
		{"it refuses", answering("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"), "the proxy answered 403", Connection},
		{"it wants a password", answering("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"), "the proxy answered 407", Connection},
		{"it speaks something else", answering("220 smtp.example.com\r\n"), "the proxy gave no answer that is valid HTTP", Connection},
		{"it says too much", answering("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"), "the proxy sent more than its answer", Connection},
		{"its headers have no end", answering("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 2*maxHeader)), "the proxy gave no answer that is valid HTTP", Connection},
		{"it is not there", closed.URL, "the proxy cannot be reached", Connection},
	} {
		t.Run(tt.name, func(t *testing.T) {
			names := newNameServer(t, always("93.184.215.14"))
			c := newClient(newGuard(Policy{}), 0, &dialer{resolver: names.resolver(), proxy: parsed(t, tt.proxy)})
			err := get(t, c, "http://example.com/")
			if err == nil || Describe(err) != tt.want || Classify(err) != tt.class {
				t.Errorf("error = %v (%s), want %q", err, Classify(err), tt.want)
			}
		})
	}
}

func TestAProxyThatStallsEndsWithTheRequest(t *testing.T) {
	hungUp := make(chan struct{})
	stalling := serveRaw(t, func(conn net.Conn) {
		_, _ = io.Copy(io.Discard, conn)
		close(hungUp)
	})
	names := newNameServer(t, always("93.184.215.14"))
	c := newClient(newGuard(Policy{}), 0, &dialer{resolver: names.resolver(), proxy: parsed(t, stalling)})
	if err := doWithin(t, 50*time.Millisecond, c, "https://example.com/"); Describe(err) != "no answer in time" {
		t.Errorf("error = %v, want the deadline", err)
	}
	<-hungUp
}

// A request that may be refused late is refused before anything is sent to the site.
func TestARequestThroughAProxyMayBeRefusedOnceItIsConnected(t *testing.T) {
	reached := false
	_, address := newTunnel(t, serve(t, func(http.ResponseWriter, *http.Request) { reached = true }))
	names := newNameServer(t, always("93.184.215.14"))
	c := newClient(newGuard(Policy{}), 0, &dialer{resolver: names.resolver(), proxy: parsed(t, address)})
	refused := errors.New("refused")
	ctx := WhenConnected(context.Background(), func() error { return refused })
	if err := do(ctx, t, c, "http://example.com/"); !errors.Is(err, refused) || reached {
		t.Errorf("error = %v, and the site was reached: %t", err, reached)
	}
}

func TestTheProxyOfAPolicyIsForCustomersURLs(t *testing.T) {
	server := serve(t, site)
	proxy, address := newTunnel(t, server)
	policy := Policy{AllowCIDRs: loopback.AllowCIDRs, Proxy: parsed(t, address)}
	if _, got, err := fetch(t, NewClient(policy, 0), server.URL); err != nil || got == "" {
		t.Errorf("the site answers %q, %v", got, err)
	}
	if _, _, err := fetch(t, NewPrivateClient(0), server.URL); err != nil {
		t.Error(err)
	}
	if asked, _ := proxy.wasAsked(); !slices.Equal(asked, []string{"CONNECT " + server.Listener.Addr().String()}) {
		t.Errorf("the proxy was asked for %q, want only what a customer's URL names", asked)
	}
}
