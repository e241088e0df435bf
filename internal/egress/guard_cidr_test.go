package egress_test

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/egress"
)

func TestParseCIDRsTakesCIDRsAndAddresses(t *testing.T) {
	got, err := egress.ParseCIDRs([]string{"10.0.0.0/8", "127.0.0.1", "::1"})
	want := []netip.Prefix{
		netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("::1/128"),
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("ParseCIDRs = %v, %v, want %v", got, err, want)
	}
	for _, bad := range []string{"", "10.0.0.0/33", "localhost", "fe80::1%eth0", "10/8"} {
		if got, err := egress.ParseCIDRs([]string{bad}); err == nil {
			t.Errorf("ParseCIDRs(%q) = %v, want an error", bad, got)
		}
	}
}

func TestClusterDenyListHoldsTheAPIServer(t *testing.T) {
	tests := map[string]struct {
		env  map[string]string
		want []netip.Prefix
	}{
		"outside a cluster": {},
		"IPv4":              {map[string]string{"KUBERNETES_SERVICE_HOST": "34.118.224.1"}, []netip.Prefix{netip.MustParsePrefix("34.118.224.1/32")}},
		"IPv6":              {map[string]string{"KUBERNETES_SERVICE_HOST": "2600:1f00::1"}, []netip.Prefix{netip.MustParsePrefix("2600:1f00::1/128")}},
		"a name, and the address beside it": {
			map[string]string{"KUBERNETES_SERVICE_HOST": "x.hcp.eastus.azmk8s.io", "KUBERNETES_PORT_443_TCP_ADDR": "10.0.0.1"},
			[]netip.Prefix{netip.MustParsePrefix("10.0.0.1/32")},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := egress.ClusterDenyList(func(key string) string { return tt.env[key] })
			if !slices.Equal(got, tt.want) {
				t.Errorf("ClusterDenyList = %v, want %v", got, tt.want)
			}
		})
	}
}
