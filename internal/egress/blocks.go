package egress

import "net/netip"

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
