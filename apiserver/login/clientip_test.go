package login_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/login"
)

func TestOnlyTrustedProxiesAreBelieved(t *testing.T) {
	trusted := login.Proxies{netip.MustParsePrefix("10.0.0.0/8")}
	tests := []struct {
		name, remote string
		forwarded    []string
		proxies      login.Proxies
		want         string
	}{
		{"direct", "192.0.2.7:1000", nil, nil, "192.0.2.7"},
		{"nobody is trusted", "10.1.1.1:1", []string{"192.0.2.9"}, nil, "10.1.1.1"},
		{"through a proxy", "10.1.1.1:1", []string{"192.0.2.9"}, trusted, "192.0.2.9"},
		{"through two", "10.1.1.1:1", []string{"192.0.2.9, 10.2.2.2"}, trusted, "192.0.2.9"},
		{"made up in front", "10.1.1.1:1", []string{"203.0.113.1", "192.0.2.9"}, trusted, "192.0.2.9"},
		{"made up without a proxy", "192.0.2.7:1", []string{"203.0.113.1"}, trusted, "192.0.2.7"},
		{"nonsense", "10.1.1.1:1", []string{"nonsense"}, trusted, "10.1.1.1"},
		{"before nonsense", "10.1.1.1:1", []string{"192.0.2.9, nonsense"}, trusted, "10.1.1.1"},
		{"IPv6 by its network", "[2001:db8:1:2:3::4]:1", nil, nil, "2001:db8:1:2::/64"},
		{"mapped", "[::ffff:192.0.2.7]:1", nil, nil, "192.0.2.7"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			request := httptest.NewRequest(http.MethodGet, "/", nil)
			request.RemoteAddr = tt.remote
			request.Header["X-Forwarded-For"] = tt.forwarded
			if got := tt.proxies.Client(request); got != tt.want {
				t.Errorf("Client = %s, want %s", got, tt.want)
			}
		})
	}
}
