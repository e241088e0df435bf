package apiserver

import (
	"net"
	"net/http"
	"testing"
)

// bound is a listener with an address.
type bound struct {
	net.Listener
	ip string
}

func (b bound) Addr() net.Addr { return &net.TCPAddr{IP: net.ParseIP(b.ip), Port: 8080} }

func TestTheAddressOfTheListenerIsTheIssuerOnTheSameMachineOnly(t *testing.T) {
	for _, tt := range []struct{ name, ip, baseURL, appURL, wantBase, wantApp string }{
		{"loopback", "127.0.0.1", "", "", "http://127.0.0.1:8080", "http://127.0.0.1:8080"},
		{"loopback of IPv6", "::1", "", "", "http://[::1]:8080", "http://[::1]:8080"},
		{"every address", "::", "", "", "", ""},
		{"one address, and the pages' own", "10.1.2.3", "", "https://app.example.com", "", ""},
		{"a base URL", "::", "https://api.example.com", "", "https://api.example.com", "https://api.example.com"},
		{"both", "::", "https://api.example.com", "https://app.example.com", "https://api.example.com", "https://app.example.com"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &Server{options: Options{BaseURL: tt.baseURL, AppURL: tt.appURL}, api: &listener{Listener: bound{ip: tt.ip}, server: &http.Server{}}}
			if base, app := s.addresses(); base != tt.wantBase || app != tt.wantApp || s.hasAddress() != (tt.wantBase != "") {
				t.Errorf("got %q and %q, want %q and %q", base, app, tt.wantBase, tt.wantApp)
			}
		})
	}
}
