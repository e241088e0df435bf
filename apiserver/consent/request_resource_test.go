package consent_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/pressroom-dev/pressroom/test/testkit"
)

// resources is what a request adds to name resources (RFC 8707).
func resources(named ...string) string { return "&" + url.Values{"resource": named}.Encode() }

func TestAResourceMayBeTheRESTAPIOrItsEndpointForAgents(t *testing.T) {
	site := newSite(t)
	site.SignIn()
	for _, named := range [][]string{{""}, {issuer}, {issuer + "/"}, {issuer + "/mcp"}, {issuer, issuer + "/mcp"}} {
		if got := site.Get(asking() + resources(named...)); got.Code != http.StatusOK {
			t.Errorf("%v: got %d: %s", named, got.Code, testkit.Main(got))
		}
	}
}

func TestAnotherResourceIsReportedToTheClientAlone(t *testing.T) {
	site := newSite(t)
	site.SignIn()
	for _, named := range [][]string{{"https://other.example"}, {issuer, "https://other.example"}, {issuer + "/v1"}, {issuer + " " + issuer}, {"x"}} {
		if got := sent(t, site.Get(asking()+resources(named...)), callback+"&"); got.Get("error") != "invalid_target" || got.Get("state") == "" {
			t.Errorf("%v: sent %v", named, got)
		}
		got := site.Get(asking("redirect_uri", "https://evil.example/") + resources(named...))
		if got.Code != http.StatusBadRequest || got.Header().Get("Location") != "" {
			t.Errorf("%v: got %d to %q", named, got.Code, got.Header().Get("Location"))
		}
	}
}
