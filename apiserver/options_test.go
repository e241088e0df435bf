package apiserver_test

import (
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/pressroom-dev/pressroom/apiserver"
)

func TestPagesAreBelowNoPath(t *testing.T) {
	const file = "/nowhere/keys"
	tests := []struct {
		name                       string
		baseURL, appURL, pagesFile string
		wantRefused                bool
	}{
		{"addresses of their own", "https://api.example.com", "https://app.example.com", file, false},
		{"one address", "https://api.example.com", "", file, false},
		{"no address", "", "", file, false},
		{"the REST API below a path", "https://example.com/pressroom", "https://app.example.com:8443", file, false},
		{"the pages below a path", "https://api.example.com", "https://example.com/app", file, true},
		{"one address with a path", "https://example.com/pressroom", "", file, true},
		{"no pages", "https://example.com/pressroom", "", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := apiserver.New(apiserver.Options{
				Config: &rest.Config{Host: "https://127.0.0.1:1"}, SystemNamespace: systemNamespace, BaseURL: tt.baseURL, AppURL: tt.appURL,
				Pages: apiserver.PageOptions{SessionKeyFile: tt.pagesFile},
				// What is not refused for its address is for this one.
				BindAddress: "nowhere",
			})
			if err == nil || strings.Contains(err.Error(), "--app-url") != tt.wantRefused || strings.Contains(err.Error(), "nowhere") == tt.wantRefused {
				t.Errorf("err = %v, refused for the address of the pages: %v", err, tt.wantRefused)
			}
		})
	}
}

func TestOptionsThatCannotBeUsedAreRefusedByTheirFlags(t *testing.T) {
	tests := []struct {
		name    string
		options apiserver.Options
		want    string
	}{
		{"a base address that is none", apiserver.Options{BaseURL: "api.example.com"},
			`--base-url must be an http or https address without a query and without a slash at the end, not "api.example.com"`},
		{"an address of the pages that ends with a slash", apiserver.Options{AppURL: "https://app.example.com/"}, "--app-url must be"},
		{"an issuer without pages", apiserver.Options{Pages: apiserver.PageOptions{OIDCIssuer: "https://id.example.com"}}, "--session-key-file"},
		{"a client without its issuer", apiserver.Options{Pages: apiserver.PageOptions{OIDCClientID: "pressroom"}}, "need --oidc-issuer"},
		{"a client secret without its issuer", apiserver.Options{Pages: apiserver.PageOptions{OIDCClientSecretFile: "/secret"}}, "need --oidc-issuer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.options.Config, tt.options.SystemNamespace = &rest.Config{Host: "https://127.0.0.1:1"}, systemNamespace
			if _, err := apiserver.New(tt.options); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("err = %v, want %s", err, tt.want)
			}
		})
	}
}
