package egress

import (
	"net"
	"net/netip"

	"golang.org/x/net/publicsuffix"
)

// RegistrableDomain returns the part of a host's name that somebody has registered, such as example.co.uk of
// shop.example.co.uk:8443, by the public suffix list. An address, or a name that has no such part, is returned as it is, without
// the port.
func RegistrableDomain(host string) string {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	if _, err := netip.ParseAddr(name); err == nil {
		return name
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(name)
	if err != nil {
		return name
	}
	return domain
}
