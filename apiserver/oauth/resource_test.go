package oauth_test

import (
	"net/http"
	"net/url"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

const base = "https://api.example.com"

func TestATokenIsForTheRESTAPIAndItsEndpointForAgents(t *testing.T) {
	for _, tt := range []struct {
		name, base string
		resources  []string
		want       bool
	}{
		{"none", base, nil, true},
		{"the REST API", base, []string{base}, true},
		{"with a slash, as browsers write it", base, []string{base + "/"}, true},
		{"agents", base, []string{base + "/mcp"}, true},
		{"agents, with a slash", base, []string{base + "/mcp/"}, true},
		{"both", base, []string{base, base + "/mcp"}, true},
		{"the same twice", base, []string{base, base}, true},
		{"below a path", base + "/pressroom", []string{base + "/pressroom/mcp", base + "/pressroom/"}, true},
		{"two slashes", base, []string{base + "//"}, false},
		{"the host of a path alone", base + "/pressroom", []string{base}, false},
		{"agents of the host of a path", base + "/pressroom", []string{base + "/mcp"}, false},
		{"another path", base, []string{base + "/v1"}, false},
		{"a longer path", base, []string{base + "/mcp/x"}, false},
		{"another case", base, []string{"https://API.example.com"}, false},
		{"plain http", base, []string{"http://api.example.com"}, false},
		{"a port", base, []string{base + ":443"}, false},
		{"another host", base, []string{"https://other.example"}, false},
		{"a host that begins so", base, []string{base + ".evil.example"}, false},
		{"ours and another's", base, []string{base, "https://other.example"}, false},
		{"a fragment", base, []string{base + "#x"}, false},
		{"a query", base, []string{base + "?x"}, false},
		{"a path alone", base, []string{"/mcp"}, false},
		{"an address that is not known", "", []string{base}, false},
		{"a slash where it is not known", "", []string{"/"}, false},
		{"none where it is not known", "", nil, true},
	} {
		if got := oauth.Serves(tt.base, tt.resources); got != tt.want {
			t.Errorf("%s: %v at %q: got %v", tt.name, tt.resources, tt.base, got)
		}
	}
}

var _ = Describe("A token for a resource (RFC 8707)", func() {
	form := func(members map[string]string, resources ...string) testkit.Answer {
		GinkgoHelper()
		f := url.Values{"resource": resources}
		for name, value := range members {
			f.Set(name, value)
		}
		return post(replicas[0].url+oauth.TokenPath, "application/x-www-form-urlencoded", f.Encode())
	}
	asJSON := func(a registered, resource string) testkit.Answer {
		GinkgoHelper()
		m := a.exchange(a.consent(replicas[0], ""))
		return post(replicas[0].url+oauth.TokenPath, "application/json", `{"grant_type":"`+m["grant_type"]+`","code":"`+m["code"]+
			`","redirect_uri":"`+m["redirect_uri"]+`","client_id":"`+m["client_id"]+`","client_secret":"`+m["client_secret"]+`","resource":`+resource+`}`)
	}

	It("is given for the REST API, for agents and for both", func() {
		a := newClient()
		for _, resources := range [][]string{nil, {""}, {base}, {base + "/"}, {base + "/mcp"}, {base, base + "/mcp", ""}} {
			got := form(a.exchange(a.consent(replicas[0], "")), resources...)
			Expect(got.Status).To(Equal(http.StatusOK), "%v: %s", resources, got.Raw)
			Expect(got.Body).To(HaveLen(4))
		}
		for _, resource := range []string{`null`, `""`, `"` + base + `/mcp"`} {
			Expect(asJSON(a, resource).Status).To(Equal(http.StatusOK), resource)
		}
	})

	It("is refused for anything else, which does not use the code up", func() {
		a := newClient()
		members := a.exchange(a.consent(replicas[0], ""))
		for _, resources := range [][]string{
			{"https://other.example"}, {base, "https://other.example"}, {base + "/v1"}, {"x"}, {base + " " + base}, {"", "x"},
		} {
			expectRefused(form(members, resources...), http.StatusBadRequest, "invalid_target")
		}
		for resource, want := range map[string]string{
			`"https://other.example"`: "invalid_target", `["` + base + `"]`: "invalid_request", `7`: "invalid_request",
		} {
			expectRefused(asJSON(a, resource), http.StatusBadRequest, want)
		}
		Expect(form(members, base).Status).To(Equal(http.StatusOK))
	})
})

var _ = Describe("The document of the endpoint for agents (RFC 9728)", func() {
	It("says that tokens come from the server, in the header Authorization, and names the scopes of its tools", func() {
		got := document(replicas[0], oauth.ResourcePath+"/mcp")
		Expect(got.Status).To(Equal(http.StatusOK))
		Expect(got.Header.Get("Content-Type")).To(Equal("application/json"))
		Expect(got.Header.Get("Access-Control-Allow-Origin")).To(Equal("*"))
		Expect(got.Header.Get("Cache-Control")).To(Equal("max-age=3600"))
		Expect(got.Body).To(Equal(map[string]any{
			"resource":                 "https://api.example.com/mcp",
			"authorization_servers":    []any{"https://api.example.com"},
			"scopes_supported":         []any{"read", "write"},
			"bearer_methods_supported": []any{"header"},
			"resource_name":            "Pressroom MCP",
			"resource_documentation":   "https://api.example.com/docs",
		}))
		for _, path := range []string{oauth.ServerPath + "/mcp", oauth.ResourcePath + "/mcp/", oauth.ResourcePath + "/mcp/x", oauth.ResourcePath + "/MCP"} {
			expectRefused(document(replicas[0], path), http.StatusNotFound, "invalid_request")
		}
	})
})
