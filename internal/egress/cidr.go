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
