package oauth

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/grant"
)

// ServerMetadata is the document of RFC 8414.
type ServerMetadata struct {
	Issuer                    string   `json:"issuer"`
	AuthorizationEndpoint     string   `json:"authorization_endpoint"`
	TokenEndpoint             string   `json:"token_endpoint"`
	RevocationEndpoint        string   `json:"revocation_endpoint"`
	IntrospectionEndpoint     string   `json:"introspection_endpoint"`
	Scopes                    []string `json:"scopes_supported"`
	ResponseTypes             []string `json:"response_types_supported"`
	ResponseModes             []string `json:"response_modes_supported"`
	GrantTypes                []string `json:"grant_types_supported"`
	TokenAuthMethods          []string `json:"token_endpoint_auth_methods_supported"`
	RevocationAuthMethods     []string `json:"revocation_endpoint_auth_methods_supported"`
	IntrospectionAuthMethods  []string `json:"introspection_endpoint_auth_methods_supported"`
	CodeChallengeMethods      []string `json:"code_challenge_methods_supported"`
	IssuerOnRedirectSupported bool     `json:"authorization_response_iss_parameter_supported"`
	ClientDocuments           bool     `json:"client_id_metadata_document_supported,omitempty"`
	Documentation             string   `json:"service_documentation"`
}

// ResourceMetadata is the document of RFC 9728.
type ResourceMetadata struct {
	Resource             string   `json:"resource"`
	AuthorizationServers []string `json:"authorization_servers"`
	Scopes               []string `json:"scopes_supported"`
	// BearerMethods is empty for the REST API: a token is sent in x-api-key and never in Authorization.
	BearerMethods []string `json:"bearer_methods_supported"`
	Name          string   `json:"resource_name"`
	Documentation string   `json:"resource_documentation"`
}

// scopeNames returns the names of all scopes that a client can have.
func scopeNames() []string { return strings.Fields(ScopeText(grant.Scopes())) }

func (s *Server) describeServer(base, app string) any {
	confidential := []string{"client_secret_basic", "client_secret_post"}
	all := []string{"client_secret_basic", "client_secret_post", "none"}
	return &ServerMetadata{
		Issuer: base, AuthorizationEndpoint: app + ConsentPath, TokenEndpoint: base + TokenPath,
		RevocationEndpoint: base + RevokePath, IntrospectionEndpoint: base + IntrospectPath, Scopes: scopeNames(),
		ResponseTypes: []string{"code"}, ResponseModes: []string{"query"}, GrantTypes: []string{grantTypeCode},
		TokenAuthMethods: all, RevocationAuthMethods: all, IntrospectionAuthMethods: confidential,
		CodeChallengeMethods: []string{"S256"}, IssuerOnRedirectSupported: true, Documentation: base + "/docs",
		ClientDocuments: s.Grants.Clients.Documents != nil,
	}
}

func (s *Server) describeResource(base, _ string) any {
	return &ResourceMetadata{
		Resource: base, AuthorizationServers: []string{base}, Scopes: scopeNames(), BearerMethods: []string{},
		Name: "Pressroom API", Documentation: base + "/docs",
	}
}

// describeMCP describes the endpoint for agents. It names the scopes that tools need: clients ask for all that are named here, and no tool
// approves.
func (s *Server) describeMCP(base, _ string) any {
	return &ResourceMetadata{
		Resource: base + MCPPath, AuthorizationServers: []string{base}, Scopes: []string{"read", "write"},
		BearerMethods: []string{"header"}, Name: "Pressroom MCP", Documentation: base + "/docs",
	}
}

// description is a document, and the path of what it describes below the address of the REST API.
type description struct {
	path     string
	describe func(base, app string) any
}

// metadata serves documents that anybody may read, from any origin. If what a document describes has a path, clients look for the document
// at its usual path followed by that path (RFC 8414 and RFC 9728, section 3.1 of each).
func (s *Server) metadata(all ...description) gin.HandlerFunc {
	return func(c *gin.Context) {
		base, app := s.Addresses()
		if base == "" {
			s.refuse(c, unavailable(http.StatusServiceUnavailable, "the address of this server has not been set"))
			return
		}
		below := c.Param("below")
		for _, d := range all {
			// A proxy may keep the path of the REST API to itself.
			if below == d.path || below == pathOf(base)+d.path {
				c.Header("Cache-Control", "max-age=3600")
				c.Header("Access-Control-Allow-Origin", "*")
				s.write(c, http.StatusOK, d.describe(base, app))
				return
			}
		}
		s.refuse(c, newError(http.StatusNotFound, codeInvalidRequest, "there is no such issuer or resource"))
	}
}

func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Path
}

// ScopesOf reads scopes as OAuth writes them. It returns those that a client can have, in their order and each once, and whether these are
// all.
func ScopesOf(names []string) (found []v1alpha1.Scope, all bool) {
	found = slices.DeleteFunc(grant.Scopes(), func(s v1alpha1.Scope) bool { return !slices.Contains(names, strings.ToLower(string(s))) })
	known := strings.Fields(ScopeText(found))
	return found, !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(known, name) })
}
