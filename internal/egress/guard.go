package egress

import (
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
