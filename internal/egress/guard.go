package egress

import (
	"fmt"
	"net/netip"
	"slices"
	"syscall"

	"code.dny.dev/ssrf"
)

// reasonNotPublic is the reason for which most addresses are blocked.
const reasonNotPublic = "the address is not public"

// guard decides about addresses.
type guard struct {
	base    *ssrf.Guardian
	allowed []netip.Prefix
	denied  []netip.Prefix
}

func newGuard(p Policy) *guard {
	g := &guard{allowed: canonical(p.AllowCIDRs), denied: canonical(p.DenyCIDRs)}
	is6 := func(p netip.Prefix) bool { return p.Addr().Is6() }
	is4 := func(p netip.Prefix) bool { return p.Addr().Is4() }
	g.base = ssrf.New(
		ssrf.WithAnyPort(),
		ssrf.WithAllowedV4Prefixes(slices.DeleteFunc(slices.Clone(g.allowed), is6)...),
		ssrf.WithAllowedV6Prefixes(slices.DeleteFunc(slices.Clone(g.allowed), is4)...),
		ssrf.WithDeniedV4Prefixes(deniedV4...),
		ssrf.WithDeniedV6Prefixes(deniedV6...),
	)
	return g
}

// development reports whether some non-public addresses may be reached.
func (g *guard) development() bool { return len(g.allowed) > 0 }

// control is called by the dialer between making a socket and connecting it; address is the resolved one.
func (g *guard) control(network, address string, conn syscall.RawConn) error {
	if err := g.base.Safe(network, address, conn); err != nil {
		return blocked(reasonNotPublic)
	}
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return blocked(reasonNotPublic)
	}
	return g.extra(to.Addr())
}

// check decides about an address in a URL.
func (g *guard) check(a netip.Addr) error {
	if err := g.base.SafeAddr(a); err != nil {
		return blocked(reasonNotPublic)
	}
	return g.extra(a)
}

// extra applies the rules that ssrf does not have.
func (g *guard) extra(a netip.Addr) error {
	switch {
	case !a.IsValid(), a.Is4In6():
		// IPv4-mapped addresses match no prefix for IPv4, and nobody needs them.
		return blocked(reasonNotPublic)
	case contains(g.denied, a):
		return blocked(reasonNotPublic)
	case nat64.Contains(a):
		b := a.As16()
		return g.check(netip.AddrFrom4([4]byte(b[12:])))
	}
	return nil
}

func contains(prefixes []netip.Prefix, a netip.Addr) bool {
	return slices.ContainsFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(a) })
}

// canonical returns the valid prefixes, IPv4-mapped ones as IPv4 prefixes.
func canonical(prefixes []netip.Prefix) []netip.Prefix {
	var out []netip.Prefix
	for _, p := range prefixes {
		if p.Addr().Is4In6() && p.Bits() >= 96 {
			p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
		}
		if p.IsValid() {
			out = append(out, p.Masked())
		}
	}
	return out
}

// ParseCIDRs parses the values of a flag: CIDRs, or single addresses.
func ParseCIDRs(values []string) ([]netip.Prefix, error) {
	prefixes := make([]netip.Prefix, 0, len(values))
	for _, v := range values {
		p, err := netip.ParsePrefix(v)
		if err != nil {
			a, addrErr := netip.ParseAddr(v)
			if addrErr != nil || a.Zone() != "" {
				return nil, fmt.Errorf("must be a network such as 10.0.0.0/8 or an address, not %q", v)
			}
			p = netip.PrefixFrom(a, a.BitLen())
		}
		prefixes = append(prefixes, p)
	}
	return prefixes, nil
}

// ClusterDenyList returns the addresses of kube-apiserver in a pod's environment, for Policy.DenyCIDRs. In some clusters they look
// public. env is os.Getenv. A variable that holds a host name is ignored: such a kube-apiserver is reached from outside the cluster as
// well.
func ClusterDenyList(env func(string) string) []netip.Prefix {
	var prefixes []netip.Prefix
	for _, name := range []string{"KUBERNETES_SERVICE_HOST", "KUBERNETES_PORT_443_TCP_ADDR"} {
		if a, err := netip.ParseAddr(env(name)); err == nil {
			a = a.WithZone("").Unmap()
			prefixes = append(prefixes, netip.PrefixFrom(a, a.BitLen()))
		}
	}
	return prefixes
}

// deniedV4 adds to code.dny.dev/ssrf's list, which is the IANA special-purpose registry for IPv4.
var deniedV4 = []netip.Prefix{
	netip.MustParsePrefix("168.63.129.16/32"), // Azure's platform services for a virtual machine
	netip.MustParsePrefix("34.118.224.0/20"),  // the Services of GKE clusters, if they have no range of their own
}

// deniedV6 adds to code.dny.dev/ssrf's list, which is the IANA special-purpose registry for IPv6 inside 2000::/3. All addresses outside
// that range (loopback, NAT64, unique local, link-local, multicast, ...) are denied.
var deniedV6 = []netip.Prefix{
	netip.MustParsePrefix("3ffe::/16"), // the former 6bone, given back (RFC 3701)
}

// nat64 carries an IPv4 address in its last four bytes (RFC 6052).
var nat64 = netip.MustParsePrefix("64:ff9b::/96")

// privateNames are the ends of names that never belong to a public host: special-use names (RFC 6761, 6762, 8375), the
// top-level domain set aside for private use, and those of Kubernetes services (cluster.local ends in local).
var privateNames = []string{"localhost", "localdomain", "local", "internal", "svc", "home.arpa"}
