package oauth_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/gin-gonic/gin"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/oauth2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// document reads a metadata document.
func document(r *replica, path string) testkit.Answer {
	GinkgoHelper()
	q, err := http.NewRequestWithContext(context.Background(), http.MethodGet, r.url+path, http.NoBody)
	Expect(err).NotTo(HaveOccurred())
	return testkit.Send(http.DefaultClient, q)
}

func texts(of any) []string {
	GinkgoHelper()
	var out []string
	raw, err := json.Marshal(of)
	Expect(err).NotTo(HaveOccurred())
	Expect(json.Unmarshal(raw, &out)).To(Succeed())
	return out
}

// proving are the ways to say who a client is, by their names in RFC 8414: what to change in a request that has all in the body.
var proving = map[string]func(right map[string]string) (members map[string]string, header []string){
	"client_secret_post": func(right map[string]string) (map[string]string, []string) { return right, nil },
	"client_secret_basic": func(right map[string]string) (map[string]string, []string) {
		return with(right, "client_id", "", "client_secret", ""),
			[]string{"Authorization", basicHeader(right["client_id"], right["client_secret"])}
	},
	"none": func(right map[string]string) (map[string]string, []string) { return right, nil },
}

// clientFor returns a client that proves itself in this way.
func clientFor(method string) registered {
	if method == "none" {
		return newClient(public)
	}
	return newClient()
}

var _ = Describe("A server that does not know its address", func() {
	It("publishes no metadata, which would be wrong", func() {
		router := gin.New()
		oauth.NewServer(oauth.Options{Addresses: func() (string, string) { return "", "" }}).Mount(router)
		for _, path := range []string{oauth.ServerPath, oauth.ResourcePath, oauth.ServerPath + "/below"} {
			got := httptest.NewRecorder()
			router.ServeHTTP(got, httptest.NewRequest(http.MethodGet, path, http.NoBody))
			Expect(got.Code).To(Equal(http.StatusServiceUnavailable))
			Expect(got.Body.String()).To(ContainSubstring(`"error":"temporarily_unavailable"`))
			Expect(got.Header().Get("Cache-Control")).To(Equal("no-store"))
		}
	})
})

var _ = Describe("The document of the authorization server (RFC 8414)", func() {
	It("is for everybody to read, from any page, and says what the server is", func() {
		got := document(replicas[0], oauth.ServerPath)
		Expect(got.Status).To(Equal(http.StatusOK))
		Expect(got.Header.Get("Content-Type")).To(Equal("application/json"))
		Expect(got.Header.Get("Access-Control-Allow-Origin")).To(Equal("*"))
		Expect(got.Header.Get("Cache-Control")).To(Equal("max-age=3600"))
		Expect(got.Body).To(Equal(map[string]any{
			"issuer":                                         "https://api.example.com",
			"authorization_endpoint":                         "https://app.example.com/oauth/consent",
			"token_endpoint":                                 "https://api.example.com/v1/public/oauth/token",
			"revocation_endpoint":                            "https://api.example.com/v1/public/oauth/revoke",
			"introspection_endpoint":                         "https://api.example.com/v1/public/oauth/introspect",
			"scopes_supported":                               []any{"read", "write", "approve"},
			"response_types_supported":                       []any{"code"},
			"response_modes_supported":                       []any{"query"},
			"grant_types_supported":                          []any{"authorization_code"},
			"token_endpoint_auth_methods_supported":          []any{"client_secret_basic", "client_secret_post", "none"},
			"revocation_endpoint_auth_methods_supported":     []any{"client_secret_basic", "client_secret_post", "none"},
			"introspection_endpoint_auth_methods_supported":  []any{"client_secret_basic", "client_secret_post"},
			"code_challenge_methods_supported":               []any{"S256"},
			"authorization_response_iss_parameter_supported": true,
			"service_documentation":                          "https://api.example.com/docs",
		}))
	})

	It("is not there for another issuer", func() {
		for _, below := range []string{"/", "/other"} {
			expectRefused(document(replicas[0], oauth.ServerPath+below), http.StatusNotFound, "invalid_request")
			expectRefused(document(replicas[0], oauth.ResourcePath+below), http.StatusNotFound, "invalid_request")
		}
	})

	It("names ways to say who a client is that work, each at its endpoint, and no other does", func() {
		r := replicas[0]
		metadata := document(r, oauth.ServerPath).Body
		verifier, challenge := proof()
		for _, endpoint := range []string{"token", "revocation", "introspection"} {
			address, _ := metadata[endpoint+"_endpoint"].(string)
			path := strings.TrimPrefix(address, "https://api.example.com")
			methods := texts(metadata[endpoint+"_endpoint_auth_methods_supported"])
			for method, prove := range proving {
				a := clientFor(method)
				right := with(a.exchange(a.consent(r, challenge)), "code_verifier", verifier, "token", testkit.NewCredential("at").Reveal())
				members, header := prove(right)
				got := r.postForm(path, members, header...)
				if method == "none" && endpoint == "introspection" {
					Expect(methods).NotTo(ContainElement(method))
					expectRefused(got, http.StatusUnauthorized, "invalid_client")
					continue
				}
				Expect(methods).To(ContainElement(method))
				Expect(got.Status).To(Equal(http.StatusOK), endpoint+" with "+method+": "+got.Raw)
			}
			Expect(len(methods)).To(BeNumerically("<=", len(proving)))
		}
	})

	It("names grant types and challenge methods that work, and no other does", func() {
		r, a := replicas[0], newClient()
		metadata := document(r, oauth.ServerPath).Body
		verifier, challenge := proof()
		right := with(a.exchange(a.consent(r, challenge)), "code_verifier", verifier)
		for _, other := range []string{"refresh_token", "client_credentials", "password", "implicit"} {
			Expect(metadata["grant_types_supported"]).NotTo(ContainElement(other))
			expectRefused(r.postForm(oauth.TokenPath, with(right, "grant_type", other)), http.StatusBadRequest, "unsupported_grant_type")
		}
		Expect(texts(metadata["grant_types_supported"])).To(HaveLen(1))
		Expect(r.postForm(oauth.TokenPath, with(right, "grant_type", texts(metadata["grant_types_supported"])[0])).Status).To(Equal(http.StatusOK))
		// The method plain would take the challenge for its verifier.
		plain := a.consent(r, challenge)
		expectRefused(r.postForm(oauth.TokenPath, with(a.exchange(plain), "code_verifier", challenge)), http.StatusBadRequest, "invalid_grant")
	})

	It("has the issuer that introspection names", func() {
		r, a := replicas[0], newClient()
		issuer := document(r, oauth.ServerPath).Body["issuer"]
		Expect(r.postForm(oauth.IntrospectPath, a.about(a.token(r, a.consent(r, "")))).Body).To(HaveKeyWithValue("iss", issuer))
	})

	It("names scopes that are granted, each alone and all together", func() {
		r := replicas[0]
		words := texts(document(r, oauth.ServerPath).Body["scopes_supported"])
		all, ok := oauth.ScopesOf(words)
		Expect(ok).To(BeTrue())
		Expect(all).To(HaveLen(len(words)))
		a := newClient(func(spec *v1alpha1.OAuthClientSpec) { spec.Scopes = all })
		for i := range all {
			Expect(a.scopeOf(r, all[i:i+1])).To(Equal(words[i]))
		}
		Expect(a.scopeOf(r, all)).To(Equal(strings.Join(words, " ")))
	})
})

// scopeOf returns the scopes in an answer of the token endpoint.
func (a registered) scopeOf(r *replica, scopes []v1alpha1.Scope) any {
	GinkgoHelper()
	request := a.request("")
	request.Scopes = scopes
	code, err := r.Create(context.Background(), request)
	Expect(err).NotTo(HaveOccurred())
	token, err := a.library(r, oauth2.AuthStyleInParams).Exchange(context.Background(), code)
	Expect(err).NotTo(HaveOccurred())
	return token.Extra("scope")
}

var _ = Describe("The document of the API (RFC 9728)", func() {
	It("says that tokens come from the server, and never in the header Authorization", func() {
		got := document(replicas[0], oauth.ResourcePath)
		Expect(got.Status).To(Equal(http.StatusOK))
		Expect(got.Header.Get("Content-Type")).To(Equal("application/json"))
		Expect(got.Header.Get("Access-Control-Allow-Origin")).To(Equal("*"))
		Expect(got.Body).To(Equal(map[string]any{
			"resource":                 "https://api.example.com",
			"authorization_servers":    []any{"https://api.example.com"},
			"scopes_supported":         []any{"read", "write", "approve"},
			"bearer_methods_supported": []any{},
			"resource_name":            "Pressroom API",
			"resource_documentation":   "https://api.example.com/docs",
		}))
	})
})
