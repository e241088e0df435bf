package egress

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"testing"
)

// isOrdinary is the standard library's idea of a public address, which is wider than ours: what fails it must never pass us.
func isOrdinary(a netip.Addr) bool {
	return a.IsGlobalUnicast() && !a.IsPrivate() && !a.IsLoopback() && !a.IsLinkLocalUnicast() && a.Zone() == "" && !a.Is4In6()
}

// FuzzURL looks for a URL that leads to a forbidden address, by its text or through a name server that calls every name loopback.
func FuzzURL(f *testing.F) {
	for _, seed := range []string{
		"http://example.com/", "http://127.0.0.1/", "http://[::1%25lo]/", "http://user@example.com/", "http://0177.1/", "http://１２７.０.０.１/",
		"http://%E3%80%82/", "https://xn--a/", "http://localhost./", "http://[::ffff:10.0.0.1]:80/", "http://8.8.8.8:53/", "http://a.svc/",
	} {
		f.Add(seed)
	}
	loops := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("no name server")
	}}
	f.Fuzz(func(t *testing.T, raw string) {
		d := &dialer{resolver: loops, permitted: func(to netip.AddrPort) error {
			if !isOrdinary(to.Addr()) {
				t.Errorf("%q leads to %s", raw, to.Addr())
			}
			return errConnected
		}}
		c := newClient(newGuard(Policy{}), 0, d)
		checked, err := newGuard(Policy{}).parse(raw)
		if (err == nil) != (checked != nil) || (err != nil && !errors.Is(err, ErrBlocked)) {
			t.Fatalf("CheckURL(%q) = %v, %v", raw, checked, err)
		}
		if err == nil {
			wantHarmless(t, raw, checked)
		}
		req, reqErr := http.NewRequestWithContext(t.Context(), http.MethodGet, raw, nil)
		if reqErr != nil {
			return
		}
		resp, doErr := c.Do(req)
		if doErr == nil {
			_ = resp.Body.Close()
			t.Fatalf("%q was answered", raw)
		}
		if err != nil && len(raw) <= maxURL && !errors.Is(doErr, ErrBlocked) && req.URL.Host != "" {
			t.Errorf("CheckURL(%q) = %v, but the client says %v", raw, err, doErr)
		}
	})
}

func wantHarmless(t *testing.T, raw string, u *url.URL) {
	t.Helper()
	if (u.Scheme != "http" && u.Scheme != "https") || u.User != nil || u.Hostname() == "" {
		t.Errorf("CheckURL(%q) let %q pass", raw, u)
	}
	if a, err := netip.ParseAddr(u.Hostname()); err == nil && !isOrdinary(a) {
		t.Errorf("CheckURL(%q) let %s pass", raw, a)
	}
}

// FuzzAddress looks for an address that the standard library calls special and the guard lets pass.
func FuzzAddress(f *testing.F) {
	for _, block := range blockedAddresses {
		for _, a := range block {
			f.Add(netip.MustParseAddr(a).AsSlice(), uint16(80))
		}
	}
	g := newGuard(Policy{})
	f.Fuzz(func(t *testing.T, raw []byte, port uint16) {
		a, ok := netip.AddrFromSlice(raw)
		if !ok {
			return
		}
		network := "tcp6"
		if a.Is4() {
			network = "tcp4"
		}
		dialled, checked := g.control(network, netip.AddrPortFrom(a, port).String(), nil), g.check(a)
		if (dialled == nil) != (checked == nil) {
			t.Errorf("%s: dialling says %v, checking %v", a, dialled, checked)
		}
		if dialled == nil && !isOrdinary(a) {
			t.Errorf("%s passes", a)
		}
	})
}
