// Package egress makes every HTTP client that Pressroom sends with. If a URL comes from a customer, the client reaches public
// addresses only: the URL is checked before anything is looked up, and the address that a name resolved to is checked again when
// the socket is made, so that a name that resolves to another address in between (DNS rebinding) gains nothing.
//
// A Proxy may make the connections of the client for customers' URLs. Both clients take none from the environment, follow no redirect
// (the 3xx itself is the answer: a 307 would send body and signature to an address that nobody checked), unpack no compressed answer,
// bound the answer's headers, and speak HTTP/1.1 only: an HTTP/2 peer may fill megabytes of buffers that nobody reads, and may have a
// request sent again by refusing its stream.
//
// Any port is allowed: receivers choose theirs, and the address is what is protected. A NAT64 prefix of the network's own (RFC
// 6052) looks like other public addresses; deny it with Policy.DenyCIDRs.
package egress

import (
	"net"
	"net/http"
	"net/netip"
	"time"
)

// Policy changes which addresses may be reached. The zero Policy allows public addresses only. DenyCIDRs win over AllowCIDRs,
// which win over the built-in rules.
type Policy struct {
	// AllowCIDRs may be reached although they are not public. They are for development: with any set, names that are reserved
	// for private networks (localhost, names without a dot) are looked up too, and the address decides. A
	// cluster that has IPv6 only and reaches IPv4 through NAT64 allows 64:ff9b::/96: the address inside is checked.
	AllowCIDRs []netip.Prefix
	// DenyCIDRs may not be reached although they look public: a cluster's own service, pod and node ranges.
	DenyCIDRs []netip.Prefix
	// Proxy makes the connections; nil means that this process does.
	Proxy *Proxy
}

// NewClient returns a client for URLs that customers name. It reaches public addresses only. Errors because of an address are
// ErrBlocked; no error's text contains a resolved address. Each request has a connection of its own, so that its address is looked up
// and checked again, and no request is sent twice because an idle connection was closed. timeout bounds a request from the look-up to
// the last byte of the answer's body; 0 leaves that to the request's context.
func NewClient(p Policy, timeout time.Duration) *http.Client {
	return newClient(newGuard(p), timeout, &dialer{resolver: &net.Resolver{PreferGo: true}, proxy: p.Proxy})
}

// NewPrivateClient returns a client for endpoints that the operator names, which may be on any address and are looked up as
// the host is configured (a pod's search list included). It uses no proxy. timeout is as in NewClient.
func NewPrivateClient(timeout time.Duration) *http.Client {
	return newClient(nil, timeout, &dialer{resolver: &net.Resolver{PreferGo: true}})
}

// newClient assembles a client; without a guard it is the private one.
func newClient(g *guard, timeout time.Duration, d *dialer) *http.Client {
	d.guard = g
	return &http.Client{
		Transport:     &roundTripper{guard: g, base: newTransport(d)},
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// NewThrough returns a client whose transport is that of another client wrapped by pass, such as to record answers.
func NewThrough(client *http.Client, pass func(http.RoundTripper) http.RoundTripper) *http.Client {
	through := *client
	through.Transport = pass(client.Transport)
	return &through
}
