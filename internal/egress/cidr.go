package egress

import (
	"fmt"
	"net/netip"
)

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
