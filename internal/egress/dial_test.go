package egress

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
)

// errConnected stands for a connection: tests do not make any to public addresses.
var errConnected = errors.New("would have connected")

// recorder records the addresses that passed the guard.
type recorder struct {
	mu        sync.Mutex
	addresses []string
}

func (r *recorder) permitted(to netip.AddrPort) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.addresses = append(r.addresses, to.Addr().String())
	return errConnected
}

// publicClient returns a client that looks names up at s and makes no connection.
func publicClient(p Policy, s *nameServer) (*http.Client, *recorder) {
	r := &recorder{}
	return newClient(newGuard(p), 0, &dialer{resolver: s.resolver(), permitted: r.permitted}), r
}

func get(t *testing.T, c *http.Client, url string) error {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(req)
	if err == nil {
		err = resp.Body.Close()
	}
	return err
}

func TestANameThatChangesItsMindIsBlockedWhenDialled(t *testing.T) {
	s := newNameServer(t, func(_ string, n int) []string {
		if n == 0 {
			return []string{"93.184.215.14"}
		}
		return []string{"127.0.0.1"}
	})
	c, r := publicClient(Policy{}, s)
	if err := get(t, c, "http://rebind.example.com/"); !errors.Is(err, errConnected) {
		t.Errorf("first request: %v, want it to go to the public address", err)
	}
	for range 3 {
		if err := get(t, c, "http://rebind.example.com/"); !errors.Is(err, ErrBlocked) {
			t.Errorf("after rebinding: %v, want ErrBlocked", err)
		}
	}
	if !slices.Equal(r.addresses, []string{"93.184.215.14"}) {
		t.Errorf("connections went to %v, want the public address only", r.addresses)
	}
}

func TestNamesOfForbiddenAddressesAreBlocked(t *testing.T) {
	for _, address := range []string{
		"127.0.0.1", "10.0.0.1", "169.254.169.254", "168.63.129.16", "::1", "fd00::1", "64:ff9b::7f00:1", "::ffff:10.0.0.1", "2002:7f00:1::",
	} {
		c, r := publicClient(Policy{}, newNameServer(t, always(address)))
		for _, url := range []string{"http://a.example.com/", "https://a.example.com/"} {
			err := get(t, c, url)
			if !errors.Is(err, ErrBlocked) {
				t.Errorf("%s at %s: %v, want ErrBlocked", url, address, err)
			}
			if err != nil && strings.Contains(err.Error(), address) {
				t.Errorf("the error contains the resolved address: %v", err)
			}
		}
		if len(r.addresses) > 0 {
			t.Errorf("connections went to %v, want none", r.addresses)
		}
	}
}

// Blocked is final, so one public address that cannot be reached just now must not be called blocked.
func TestANameWithBothKindsOfAddressesReachesThePublicOneOnly(t *testing.T) {
	c, r := publicClient(Policy{}, newNameServer(t, always("10.0.0.1", "8.8.8.8", "127.0.0.1")))
	err := get(t, c, "http://mixed.example.com/")
	if err == nil || errors.Is(err, ErrBlocked) {
		t.Errorf("error = %v, want one that is not final", err)
	}
	if !slices.Equal(r.addresses, []string{"8.8.8.8"}) {
		t.Errorf("connections went to %v, want the public address only", r.addresses)
	}
}

func TestAClusterRangeThatLooksPublicIsBlocked(t *testing.T) {
	deny := ClusterDenyList(func(string) string { return "198.202.1.1" })
	c, _ := publicClient(Policy{DenyCIDRs: deny}, newNameServer(t, always("198.202.1.1")))
	if err := get(t, c, "http://a.example.com/"); !errors.Is(err, ErrBlocked) {
		t.Errorf("error = %v, want ErrBlocked", err)
	}
}

func TestNamesAreLookedUpWithoutTheSearchList(t *testing.T) {
	s := newNameServer(t, always())
	c, _ := publicClient(Policy{}, s)
	for _, url := range []string{"http://api.acme/", "http://dotted.example.com./", "http://bücher.example/"} {
		if err := get(t, c, url); err == nil || errors.Is(err, ErrBlocked) {
			t.Errorf("%s: %v, want a failed look-up", url, err)
		}
	}
	if want := []string{"api.acme.", "dotted.example.com.", "xn--bcher-kva.example."}; !slices.Equal(s.names(), want) {
		t.Errorf("asked for %q, want %q", s.names(), want)
	}
	g, development := newGuard(Policy{}), newGuard(loopback)
	for address, want := range map[string]string{
		"localhost:80": "localhost.:80", "api.acme:80": "api.acme.:80", "example.com.:443": "example.com.:443", "8.8.8.8:53": "8.8.8.8:53", "[2606::1]:80": "[2606::1]:80",
		"[fe80::1%eth0]:80": "[fe80::1%eth0]:80", "2130706433:80": "2130706433.:80",
	} {
		if got := g.lookUpAs(address); got != want {
			t.Errorf("%q is looked up as %q, want %q", address, got, want)
		}
	}
	for address, want := range map[string]string{"localhost:80": "localhost:80", "api.acme:80": "api.acme.:80"} {
		if got := development.lookUpAs(address); got != want {
			t.Errorf("development: %q is looked up as %q, want %q", address, got, want)
		}
	}
}

func TestForbiddenNamesAreNotEvenLookedUp(t *testing.T) {
	s := newNameServer(t, always("8.8.8.8"))
	c, r := publicClient(Policy{}, s)
	for _, url := range []string{
		"http://localhost/", "http://kubernetes.default.svc/", "http://metadata.google.internal./", "http://user@example.com/", "ftp://example.com/",
		"http://2130706433/", "http://[::1%25lo]/",
	} {
		if err := get(t, c, url); !errors.Is(err, ErrBlocked) {
			t.Errorf("%s: %v, want ErrBlocked", url, err)
		}
	}
	if len(s.names()) > 0 || len(r.addresses) > 0 {
		t.Errorf("looked up %v and connected to %v, want neither", s.names(), r.addresses)
	}
}

func TestTheDialerChecksWhateverItIsGiven(t *testing.T) {
	// The URL's check is a courtesy; these go to the dialer as if it had been passed.
	r := &recorder{}
	s := newNameServer(t, always("127.0.0.1"))
	d := &dialer{guard: newGuard(Policy{}), resolver: s.resolver(), permitted: r.permitted}
	for _, address := range []string{
		"127.0.0.1:80", "[::1]:80", "[::ffff:127.0.0.1]:80", "[::1%lo]:80", "localhost:80", "2130706433:80", "0x7f.1:80", "kubernetes.default.svc:443",
	} {
		conn, err := d.dial(context.Background(), "tcp", address)
		if conn != nil || err == nil {
			t.Errorf("dial(%q) connected", address)
		}
		if _, ok := errors.AsType[*failure](err); !ok {
			t.Errorf("dial(%q) = %v, want an error that is safe to show", address, err)
		}
	}
	if len(r.addresses) > 0 {
		t.Errorf("connections went to %v, want none", r.addresses)
	}
	// The hosts file knows localhost without a final dot only: that it was asked for shows that the dot was there.
	if want := []string{"localhost.", "0x7f.1.", "kubernetes.default.svc."}; !slices.Equal(s.names(), want) {
		t.Errorf("asked for %q, want %q", s.names(), want)
	}
}
