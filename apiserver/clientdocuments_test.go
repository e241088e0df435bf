package apiserver_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/oauth2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
)

// newAgent returns a native client that nobody has registered: its document is at its client id, on this machine.
func newAgent(t *tenant) *oauthClient {
	GinkgoHelper()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"client_id": "https://`+q.Host+q.URL.Path+`", "client_name": "Agent", "token_endpoint_auth_method": "none",
			"redirect_uris": ["http://localhost/callback", "http://127.0.0.1/callback"]}`)
	}))
	DeferCleanup(server.Close)
	return &oauthClient{tenant: t, Config: oauth2.Config{ClientID: server.URL + "/oauth/client.json", RedirectURL: "http://127.0.0.1:33418/callback"}}
}

var _ = Describe("An agent with a metadata document", func() {
	It("gets a token by consent, which works until its client is suspended", func() {
		pages := withPages()
		var replicas []*replica
		for range 2 {
			replicas = append(replicas, startForSpec(func(o *apiserver.Options) {
				o.BaseURL, o.ClientMetadataDocuments = "https://api.pressroom.example", true
				pages(o)
			}))
		}
		t := newTenant(replicas...)
		o := newAgent(t)
		verifier := oauth2.GenerateVerifier()
		path := o.on(replicas[0]).AuthCodeURL("state", oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("scope", "read write approve"),
			oauth2.SetAuthURLParam("resource", "https://api.pressroom.example/mcp"))
		b := newBrowser(replicas[0])
		b.signIn(path, t.Key)
		Expect(b.get(path).Raw).To(And(ContainSubstring("Nobody has registered it here"), Not(ContainSubstring(`value="approve" checked`))))
		to := b.approve(path, url.Values{"scope": {"read", "write"}, "reach": {"all"}})
		Expect(to.Scheme + "://" + to.Host + to.Path).To(Equal("http://127.0.0.1:33418/callback"))
		token, err := o.on(replicas[1]).Exchange(ctx, to.Query().Get("code"), oauth2.VerifierOption(verifier),
			oauth2.SetAuthURLParam("resource", "https://api.pressroom.example/mcp"))
		Expect(err).NotTo(HaveOccurred())
		Expect(token.Extra("scope")).To(Equal("read write"))
		for _, r := range replicas {
			Expect(t.statusWith(r, token.AccessToken)).To(Equal(200))
		}
		Expect(replicas[0].ask(t, "GET", "/v1/api/oauth/grants", nil).Raw).To(ContainSubstring(o.ClientID))
		Expect(replicas[0].ask(t, "GET", "/v1/api/oauth/clients", nil).Body["data"]).To(BeEmpty(), "it is not one of the account")
		Expect(b.get("/oauth/apps").Raw).To(ContainSubstring("127.0.0.1:"))

		found := &v1alpha1.OAuthClient{}
		Expect(api.Get(ctx, client.ObjectKey{Name: oauth.DocumentClientName(o.ClientID)}, found)).To(Succeed())
		Expect(found.Spec.AccountRef).To(BeNil())
		before := found.DeepCopy()
		found.Spec.Suspend = true
		Expect(api.Patch(ctx, found, client.MergeFrom(before))).To(Succeed())
		for _, r := range replicas {
			Eventually(func() int { return t.statusWith(r, token.AccessToken) }).Should(Equal(401))
			Expect(newBrowserOf(b, r).get(path).Status).To(Equal(403))
		}
	})

	It("is unknown without the flag", func() {
		r := startForSpec(withPages())
		t := newTenant(r)
		o := newAgent(t)
		b := newBrowser(r)
		b.signIn("/oauth/apps", t.Key)
		got := b.get(o.on(r).AuthCodeURL("state", oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
		Expect(got.Status).To(Equal(400))
		Expect(got.Header.Get("Location")).To(BeEmpty())
		Expect(b.get("/.well-known/oauth-authorization-server").Body).NotTo(HaveKey("client_id_metadata_document_supported"))
	})
})

// newBrowserOf returns a browser on another replica with the cookies of a browser.
func newBrowserOf(b *browser, r *replica) *browser {
	GinkgoHelper()
	other := newBrowser(r)
	other.Cookies = b.Cookies
	return other
}
