package egress

import (
	"errors"
	"net/netip"
	"slices"
	"testing"

	"code.dny.dev/ssrf"
)

// blockedAddresses has at least one address of every special-purpose block, its first and last ones if a rule could be off by one.
var blockedAddresses = map[string][]string{
	"IPv4 this network":               {"0.0.0.0", "0.0.0.1", "0.255.255.255"},
	"IPv4 private use":                {"10.0.0.0", "10.96.0.1", "10.255.255.255", "172.16.0.0", "172.17.0.1", "172.31.255.255", "192.168.0.0", "192.168.255.255"},
	"IPv4 shared address space":       {"100.64.0.0", "100.100.100.200", "100.127.255.255"},
	"IPv4 loopback":                   {"127.0.0.0", "127.0.0.1", "127.1.2.3", "127.255.255.255"},
	"IPv4 link-local":                 {"169.254.0.0", "169.254.169.254", "169.254.169.123", "169.254.170.2", "169.254.255.255"},
	"IPv4 IETF protocol assignments":  {"192.0.0.0", "192.0.0.8", "192.0.0.170", "192.0.0.192", "192.0.0.255"},
	"IPv4 documentation":              {"192.0.2.0", "192.0.2.255", "198.51.100.1", "203.0.113.255"},
	"IPv4 AS112":                      {"192.31.196.1", "192.175.48.1"},
	"IPv4 AMT":                        {"192.52.193.1"},
	"IPv4 6to4 relay":                 {"192.88.99.1"},
	"IPv4 benchmarking":               {"198.18.0.0", "198.19.255.255"},
	"IPv4 multicast":                  {"224.0.0.0", "224.0.0.1", "239.255.255.255"},
	"IPv4 reserved":                   {"240.0.0.0", "254.0.0.1", "255.255.255.254"},
	"IPv4 broadcast":                  {"255.255.255.255"},
	"Azure platform services":         {"168.63.129.16"},
	"GKE services":                    {"34.118.224.0", "34.118.224.1", "34.118.239.255"},
	"IPv6 unspecified and loopback":   {"::", "::1"},
	"IPv6 with a zone":                {"::1%lo", "fe80::1%eth0", "2606:4700:4700::1111%eth0"},
	"IPv4-compatible":                 {"::127.0.0.1", "::8.8.8.8"},
	"IPv4-mapped":                     {"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:8.8.8.8", "::ffff:0:0"},
	"IPv4-translated":                 {"::ffff:0:127.0.0.1"},
	"NAT64":                           {"64:ff9b::", "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"},
	"IPv6 discard only":               {"100::", "100::1", "100:0:0:1::1"},
	"IPv6 outside 2000::/3":           {"1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "4000::", "5f00::1", "8000::1", "c000::1", "e000::1"},
	"IPv6 IETF protocol assignments":  {"2001::", "2001:1::1", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"},
	"IPv6 Teredo":                     {"2001:0:53aa:64c:0:fbff:80ff:fffe", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"},
	"IPv6 benchmarking":               {"2001:2::1"},
	"IPv6 AMT and AS112":              {"2001:3::1", "2001:4:112::1", "2620:4f:8000::1"},
	"IPv6 ORCHID":                     {"2001:10::1", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff", "2001:20::1", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff"},
	"IPv6 drone remote identities":    {"2001:30::1"},
	"IPv6 documentation":              {"2001:db8::", "2001:db8::1", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "3fff::", "3fff::1", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"},
	"IPv6 6to4":                       {"2002::", "2002:7f00:1::", "2002:a00:1::1", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"},
	"IPv6 6bone":                      {"3ffe::1"},
	"IPv6 unique local":               {"fc00::1", "fd00:ec2::254", "fd20:ce::254", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"},
	"IPv6 link-local and site-local":  {"fe80::1", "febf::1", "fec0::1"},
	"IPv6 multicast":                  {"ff00::", "ff02::1", "ff0e::1"},
	"IPv6 last":                       {"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"},
	"IPv6 with an embedded local one": {"::1.2.3.4", "64:ff9b::a9fe:a9fe"},
}

// publicAddresses lie just outside the blocks above, or are well known.
var publicAddresses = []string{
	"1.0.0.0", "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
	"169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.3.0", "192.167.255.255",
	"192.169.0.0", "198.17.255.255", "198.20.0.0", "203.0.112.255", "203.0.114.0", "223.255.255.255", "168.63.129.15",
	"168.63.129.17", "34.118.223.255", "34.118.240.0",
	"2000::", "2001:200::1", "2001:4860:4860::8888", "2001:db7:ffff::1", "2001:db9::1", "2003::1", "2606:4700:4700::1111",
	"2620:4f:7fff::1", "2a00:1450:4001::1", "3ffd::1", "3fff:1000::1", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
}

func TestOnlyPublicAddressesAreReached(t *testing.T) {
	g := newGuard(Policy{})
	count := 0
	for block, addresses := range blockedAddresses {
		for _, a := range addresses {
			count++
			wantDecision(t, g, block, a, true)
		}
	}
	for _, a := range publicAddresses {
		wantDecision(t, g, "public", a, false)
	}
	t.Logf("%d forbidden addresses of %d kinds, %d public ones", count, len(blockedAddresses), len(publicAddresses))
	if count < 80 {
		t.Errorf("the corpus has %d forbidden addresses, want at least 80", count)
	}
}

// A block without a vector could be lost unnoticed, as the library's list is generated again now and then.
func TestEveryBlockHasAVector(t *testing.T) {
	var all []netip.Addr
	for _, addresses := range blockedAddresses {
		for _, a := range addresses {
			all = append(all, netip.MustParseAddr(a))
		}
	}
	for _, block := range slices.Concat(ssrf.IPv4DeniedPrefixes, ssrf.IPv6DeniedPrefixes, deniedV4, deniedV6) {
		if !slices.ContainsFunc(all, block.Contains) {
			t.Errorf("the corpus has no address of %s", block)
		}
	}
}

// wantDecision asks both for an address in a URL and for one that the dialer is about to connect to.
func wantDecision(t *testing.T, g *guard, block, address string, wantBlocked bool) {
	t.Helper()
	a, err := netip.ParseAddr(address)
	if err != nil {
		t.Fatalf("the vector %q is not an address: %v", address, err)
	}
	network := "tcp6"
	if a.Is4() {
		network = "tcp4"
	}
	for _, port := range []uint16{80, 443, 6443} {
		err := g.control(network, netip.AddrPortFrom(a, port).String(), nil)
		if errors.Is(err, ErrBlocked) != wantBlocked {
			t.Errorf("%s: dialling %s port %d: %v, want blocked: %t", block, address, port, err, wantBlocked)
		}
	}
	if err := g.check(a); errors.Is(err, ErrBlocked) != wantBlocked {
		t.Errorf("%s: %s in a URL: %v, want blocked: %t", block, address, err, wantBlocked)
	}
}

func TestOnlyTCPIsReached(t *testing.T) {
	g := newGuard(Policy{})
	for _, tt := range []struct{ network, address string }{
		{"udp4", "8.8.8.8:53"}, {"udp6", "[2606:4700:4700::1111]:53"}, {"unix", "/run/docker.sock"}, {"ip4:icmp", "8.8.8.8"},
		{"tcp4", "8.8.8.8"}, {"tcp4", ""}, {"tcp4", "dns.google:53"},
	} {
		if err := g.control(tt.network, tt.address, nil); !errors.Is(err, ErrBlocked) {
			t.Errorf("control(%q, %q) = %v, want ErrBlocked", tt.network, tt.address, err)
		}
	}
}

func TestPoliciesAddToTheRules(t *testing.T) {
	prefixes := func(s ...string) []netip.Prefix {
		p, err := ParseCIDRs(s)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	tests := map[string]struct {
		policy      Policy
		wantBlocked []string
		wantPublic  []string
	}{
		"allowed for development": {
			policy:      Policy{AllowCIDRs: prefixes("127.0.0.0/8", "::1")},
			wantPublic:  []string{"127.0.0.1", "127.9.9.9", "::1", "8.8.8.8"},
			wantBlocked: []string{"10.0.0.1", "169.254.169.254", "::2", "::ffff:127.0.0.1", "::1%lo", "64:ff9b::7f00:1"},
		},
		"an IPv4-mapped prefix means the IPv4 one": {
			policy:      Policy{AllowCIDRs: prefixes("::ffff:127.0.0.0/104")},
			wantPublic:  []string{"127.0.0.1"},
			wantBlocked: []string{"10.0.0.1"},
		},
		"host bits do not matter": {
			policy:      Policy{AllowCIDRs: prefixes("10.1.2.3/8"), DenyCIDRs: prefixes("8.8.8.8/24")},
			wantPublic:  []string{"10.200.0.1", "8.8.4.4"},
			wantBlocked: []string{"8.8.8.1"},
		},
		"denied although public": {
			policy:      Policy{DenyCIDRs: prefixes("8.8.8.0/24", "2a00:1450::/32")},
			wantPublic:  []string{"8.8.9.1", "2a00:1451::1"},
			wantBlocked: []string{"8.8.8.8", "2a00:1450::1", "127.0.0.1"},
		},
		"denied wins over allowed": {
			policy:      Policy{AllowCIDRs: prefixes("10.0.0.0/8"), DenyCIDRs: prefixes("10.96.0.1")},
			wantPublic:  []string{"10.96.0.2"},
			wantBlocked: []string{"10.96.0.1"},
		},
		"NAT64 allowed, and the address inside checked": {
			policy:      Policy{AllowCIDRs: prefixes("64:ff9b::/96"), DenyCIDRs: prefixes("9.9.9.9")},
			wantPublic:  []string{"64:ff9b::808:808"},
			wantBlocked: []string{"64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b::a00:1", "64:ff9b::909:909", "64:ff9b:1::808:808"},
		},
		"everything allowed, but in its own writing": {
			policy:      Policy{AllowCIDRs: prefixes("::/0", "0.0.0.0/0")},
			wantPublic:  []string{"::1", "127.0.0.1", "fe80::1"},
			wantBlocked: []string{"::ffff:127.0.0.1", "::ffff:8.8.8.8", "::1%lo", "fe80::1%eth0"},
		},
		"prefixes that are none are left out": {
			policy:      Policy{AllowCIDRs: []netip.Prefix{{}}, DenyCIDRs: []netip.Prefix{{}}},
			wantPublic:  []string{"8.8.8.8"},
			wantBlocked: []string{"127.0.0.1"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			g := newGuard(tt.policy)
			for _, a := range tt.wantBlocked {
				wantDecision(t, g, name, a, true)
			}
			for _, a := range tt.wantPublic {
				wantDecision(t, g, name, a, false)
			}
		})
	}
}
