package apiserver_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/oauth2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

// withAnother gives a tenant a second workspace, with a site, that replicas know.
func (t *tenant) withAnother(replicas ...*replica) *tenant {
	GinkgoHelper()
	other := *t
	other.Workspace = t.Workspace + "-shop"
	other.SiteUID = other.NewSite(other.Workspace, other.Site)
	other.awaitKnown(replicas...)
	return &other
}

// startReplicas starts three replicas with the pages.
func startReplicas() []*replica {
	GinkgoHelper()
	pages := withPages()
	var replicas []*replica
	for range 3 {
		replicas = append(replicas, startForSpec(func(o *apiserver.Options) {
			o.BaseURL = "https://api.pressroom.example"
			pages(o)
		}))
	}
	return replicas
}

var _ = Describe("A tool that is let in", Ordered, func() {
	var (
		replicas []*replica
		t, shop  *tenant
		o        *oauthClient
	)
	BeforeAll(func() {
		replicas = startReplicas()
		t = newTenant(replicas...)
		shop = t.withAnother(replicas...)
		o = newOAuthClient(t, replicas[0])
	})

	It("gets back its state, the issuer, and a token that works on every replica at once", func() {
		f := o.consent(replicas[1], allTicks)
		Expect(f.returned).To(Equal(f.state))
		Expect(f.issuer).To(Equal("https://api.pressroom.example"))
		token, err := f.exchange(replicas[2])
		Expect(err).NotTo(HaveOccurred())
		Expect(token.TokenType).To(Equal("Bearer"))
		Expect(token.ExpiresIn).To(BeEquivalentTo(31536000))
		Expect(token.Extra("scope")).To(Equal("read write approve"))
		for _, r := range replicas {
			Expect(t.statusWith(r, token.AccessToken)).To(Equal(200))
		}
	})

	It("may do what was granted, and records who did it", func() {
		r := replicas[0]
		token := o.consent(r, allTicks).token(r)
		app := t.with(token)
		sites := r.ask(app, "GET", "/v1/api/sites", nil)
		Expect(sites.Raw).To(And(ContainSubstring(t.SiteUID), ContainSubstring(shop.SiteUID)))
		uid := r.ask(app, "POST", "/v1/api/generate", t.generate("trail shoes")).Text("blog_uid")
		Expect(r.ask(app, "GET", "/v1/api/blogs/"+uid, nil)).To(havingStatus(200, "generating"))
		t.reconcile(uid)
		Eventually(func() testkit.Answer { return r.ask(app, "GET", "/v1/api/blogs/"+uid, nil) }).Should(havingStatus(200, "review"))
		Expect(r.ask(app, "POST", "/v1/api/blogs/"+uid+"/approve", nil)).To(havingStatus(200, "approved"))
		grant := &v1alpha1.OAuthGrant{}
		Expect(api.Get(ctx, client.ObjectKey{Name: grantOf(token)}, grant)).To(Succeed())
		Expect(grant.Spec.Person).To(Equal("api-key:" + grantOf(t.Key)))
		Expect(t.article(uid).Spec.Review.By).To(Equal(grant.Spec.Person + " (app " + grant.Spec.ClientRef.Name + ")"))
		Expect(t.usage().CreditsUsed).To(BeEquivalentTo(1), "charged to the account")
	})

	DescribeTable("may not do what was not granted", func(scopes string, reads, writes, approves bool) {
		r := replicas[0]
		// The key makes what is read and approved.
		uid := r.ask(t, "POST", "/v1/api/generate", t.generate("trail shoes")).Text("blog_uid")
		t.reconcile(uid)
		Eventually(func() testkit.Answer { return r.ask(t, "GET", "/v1/api/blogs/"+uid, nil) }).Should(havingStatus(200, "review"))
		app := t.with(o.consent(r, url.Values{"scope": strings.Fields(scopes), "reach": {"all"}}).token(r))
		expect := func(got testkit.Answer, granted bool, status int) {
			GinkgoHelper()
			if granted {
				Expect(got.Status).To(Equal(status), got.Raw)
			} else {
				Expect(got).To(failing(403, "INSUFFICIENT_SCOPE"))
			}
		}
		for _, path := range []string{"/v1/api/sites", "/v1/api/workspaces", "/v1/api/blogs", "/v1/api/blogs/" + uid} {
			expect(r.ask(app, "GET", path, nil), reads, 200)
		}
		expect(r.ask(app, "POST", "/v1/api/generate", t.generate("trail shoes")), writes, 202)
		expect(r.ask(app, "POST", "/v1/api/blogs/"+uid+"/approve", nil), approves, 200)
	},
		Entry("reading alone", "read", true, false, false),
		Entry("writing alone", "write", false, true, false),
		Entry("approving alone", "approve", false, false, true),
		Entry("reading and writing", "read write", true, true, false),
	)

	It("enters the workspaces alone that it was let into", func() {
		r := replicas[0]
		ticks := url.Values{"scope": {"read", "write"}, "reach": {"some"}, "workspace": {shop.Workspace}}
		token := o.consent(r, ticks).token(r)
		Expect(r.ask(shop.with(token), "GET", "/v1/api/blogs", nil).Status).To(Equal(200))
		Expect(r.ask(shop.with(token), "POST", "/v1/api/generate", shop.generate("trail shoes")).Status).To(Equal(202))
		Expect(r.ask(t.with(token), "GET", "/v1/api/blogs", nil)).To(failing(404, "NOT_FOUND"))
		Expect(r.ask(t.with(token), "POST", "/v1/api/generate", t.generate("trail shoes"))).To(failing(404, "NOT_FOUND"))
		sites := r.ask(t.with(token), "GET", "/v1/api/sites", nil)
		Expect(sites.Raw).To(And(ContainSubstring(shop.SiteUID), Not(ContainSubstring(t.SiteUID))))
		workspaces := r.ask(t.with(token), "GET", "/v1/api/workspaces", nil)
		Expect(workspaces.Raw).To(ContainSubstring(shop.Workspace))
		Expect(workspaces.Body["data"]).To(HaveLen(1))
	})

	It("enters no other account, and manages no apps", func() {
		r, rival := replicas[0], newTenant(replicas...)
		token := o.consent(r, allTicks).token(r)
		Expect(r.ask(rival.with(token), "GET", "/v1/api/blogs", nil)).To(failing(404, "NOT_FOUND"))
		for _, method := range []string{"GET", "DELETE"} {
			Expect(r.ask(t.with(token), method, "/v1/api/oauth/clients/"+o.ClientID, nil)).To(failing(403, "INSUFFICIENT_SCOPE"))
		}
		Expect(r.ask(rival, "GET", "/v1/api/oauth/clients/"+o.ClientID, nil)).To(failing(404, "NOT_FOUND"))
		Expect(r.ask(rival, "DELETE", "/v1/api/oauth/clients/"+o.ClientID, nil)).To(failing(404, "NOT_FOUND"))
	})

	It("sends its token in x-api-key: no other credential of the flow opens anything, nor the token elsewhere", func() {
		r := replicas[0]
		f := o.consent(r, allTicks)
		token := f.token(r)
		Expect(t.statusWith(r, f.code)).To(Equal(401))
		Expect(t.statusWith(r, o.ClientSecret)).To(Equal(401))
		Expect(r.ask(t.with(""), "GET", "/v1/api/sites", nil, "Authorization", "Bearer "+token)).To(failing(401, "UNAUTHORIZED"))
		b := newBrowser(r)
		form := url.Values{"return": {b.Hidden(b.Get("/oauth/apps"), "return")}, "key": {token}}
		b.submit("/oauth/sign-in", form)
		Expect(b.get("/oauth/apps").Raw).To(And(ContainSubstring("not a valid API key"), ContainSubstring(`name="return"`)), "a token is no person")
	})

	It("uses a code once, and a second use ends the token", func() {
		f := o.consent(replicas[0], allTicks)
		token := f.token(replicas[1])
		_, err := f.exchange(replicas[2])
		told, ok := errors.AsType[*oauth2.RetrieveError](err)
		Expect(ok).To(BeTrue(), "%v", err)
		Expect(told.ErrorCode).To(Equal("invalid_grant"))
		t.endsEverywhere(token, replicas)
	})

	DescribeTable("is out on every replica", func(end func(*oauthClient, string)) {
		own := newOAuthClient(t.with(t.newKey(v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove)), replicas[0])
		token := own.consent(replicas[0], allTicks).token(replicas[1])
		for _, r := range replicas {
			Expect(t.statusWith(r, token)).To(Equal(200))
		}
		end(own, token)
		t.endsEverywhere(token, replicas)
	},
		Entry("when it gives the token back", func(own *oauthClient, token string) {
			Expect(own.postToken(replicas[2], "/v1/public/oauth/revoke", token).Status).To(Equal(200))
		}),
		Entry("when the person takes it back under connected apps", func(own *oauthClient, _ string) {
			b := newBrowser(replicas[2])
			b.signIn("/oauth/apps", own.tenant.Key)
			Eventually(func() string { return b.get("/oauth/apps").Raw }).Should(ContainSubstring(`action="/oauth/apps/revoke"`))
			got := b.submit("/oauth/apps/revoke", url.Values{"ticket": {b.Hidden(b.Get("/oauth/apps"), "ticket")}})
			Expect(got.Status).To(Equal(http.StatusSeeOther))
		}),
		Entry("when the app is deleted", func(own *oauthClient, _ string) {
			Expect(replicas[2].ask(t, "DELETE", "/v1/api/oauth/clients/"+own.ClientID, nil).Status).To(Equal(204))
		}),
		Entry("when the grant is deleted with kubectl", func(_ *oauthClient, token string) {
			grant := &v1alpha1.OAuthGrant{}
			grant.Name = grantOf(token)
			Expect(api.Delete(ctx, grant)).To(Succeed())
		}),
	)

	It("changes its secret without an outage, and the new one works on every replica at once", func() {
		own := newOAuthClient(t, replicas[0])
		first := own.ClientSecret
		var secrets []string
		for i := range 9 {
			got := replicas[i%3].ask(t, "POST", "/v1/api/oauth/clients/"+own.ClientID+"/rotate-secret", nil)
			Expect(got.Status).To(Equal(200), got.Raw)
			own.ClientSecret, _ = got.Body["client_secret"].(string)
			secrets = append(secrets, own.ClientSecret)
			for _, r := range replicas {
				Expect(own.postToken(r, "/v1/public/oauth/introspect", "none").Status).To(Equal(200))
			}
		}
		own.ClientSecret = secrets[7]
		Expect(own.postToken(replicas[0], "/v1/public/oauth/introspect", "none").Status).To(Equal(200), "the one before")
		own.ClientSecret = first
		Eventually(func() int { return own.postToken(replicas[0], "/v1/public/oauth/introspect", "none").Status }).Should(Equal(401))
	})
})

// endsEverywhere checks that a token ends on every replica. How soon is measured by `make bench`.
func (t *tenant) endsEverywhere(token string, replicas []*replica) {
	GinkgoHelper()
	for _, r := range replicas {
		Eventually(func() int { return t.statusWith(r, token) }).Should(Equal(401))
	}
}

var _ = Describe("The documents of OAuth", func() {
	It("name nothing that does not answer as they say", func() {
		r := startForSpec(withPages())
		t := newTenant(r)
		b := newBrowser(r)
		server := b.get("/.well-known/oauth-authorization-server").Body
		resource := b.get("/.well-known/oauth-protected-resource").Body
		at := func(from map[string]any, name string) string {
			GinkgoHelper()
			address, _ := from[name].(string)
			Expect(address).To(HavePrefix(r.URL), name)
			return strings.TrimPrefix(address, r.URL)
		}

		By("answering at each endpoint")
		Expect(b.get(at(server, "authorization_endpoint")).Status).To(Equal(400), "a page of the facade, which refuses a request that asks for nothing")
		for _, name := range []string{"token_endpoint", "revocation_endpoint", "introspection_endpoint"} {
			got := b.submit(at(server, name), url.Values{})
			Expect(got.Status).To(Equal(401))
			Expect(got.Body).To(HaveKeyWithValue("error", "invalid_client"))
		}
		Expect(b.get(at(server, "service_documentation")).Status).To(Equal(200))
		Expect(b.get(at(resource, "resource_documentation")).Status).To(Equal(200))
		Expect(resource["authorization_servers"]).To(Equal([]any{server["issuer"]}))
		Expect(resource["resource"]).To(Equal(server["issuer"]))

		By("granting what it names")
		o := newOAuthClient(t, r)
		f := o.consent(r, allTicks)
		Expect(f.issuer).To(Equal(server["issuer"]), "iss on the redirect")
		token, err := f.exchange(r)
		Expect(err).NotTo(HaveOccurred())
		Expect(strings.Fields(token.Extra("scope").(string))).To(Equal(words(server["scopes_supported"])))
		Expect(words(resource["scopes_supported"])).To(Equal(words(server["scopes_supported"])))

		By("refusing to who is signed in what it does not name")
		b.signIn("/oauth/apps", t.Key)
		for name, value := range map[string]string{"response_type": "token", "response_mode": "fragment", "code_challenge_method": "plain"} {
			Expect(words(server[strings.TrimSuffix(name, "_method")+supported[name]])).NotTo(ContainElement(value))
			query := url.Values{
				"client_id": {o.ClientID}, "redirect_uri": {callback}, "code_challenge": {oauth2.S256ChallengeFromVerifier(f.verifier)},
				"code_challenge_method": {"S256"},
			}
			query.Set(name, value)
			to, err := url.Parse(b.get("/oauth/consent?" + query.Encode()).Header.Get("Location"))
			Expect(err).NotTo(HaveOccurred())
			Expect(to.Query().Get("error")).NotTo(BeEmpty(), name)
			Expect(to.Query().Get("iss")).To(Equal(server["issuer"]))
		}
	})
})

var _ = Describe("The documents of OAuth where the address has a path", func() {
	It("are at the paths where clients look for them, and at no others", func() {
		b := newBrowser(startForSpec(func(o *apiserver.Options) { o.BaseURL = "https://example.com/pressroom" }))
		for path, name := range map[string]string{
			"/.well-known/oauth-authorization-server": "issuer", "/.well-known/oauth-protected-resource": "resource",
		} {
			Expect(b.get(path + "/pressroom").Body).To(HaveKeyWithValue(name, "https://example.com/pressroom"))
			Expect(b.get(path).Body).To(HaveKeyWithValue(name, "https://example.com/pressroom"))
			for _, other := range []string{"/", "/other", "/pressroom/", "/pressroom/x"} {
				Expect(b.get(path+other).Status).To(Equal(404), other)
			}
		}
	})
})

// supported ends the names of what the document of the server names of a parameter.
var supported = map[string]string{
	"response_type": "s_supported", "response_mode": "s_supported", "code_challenge_method": "_methods_supported",
}

func words(of any) []string {
	GinkgoHelper()
	var out []string
	raw, err := json.Marshal(of)
	Expect(err).NotTo(HaveOccurred())
	Expect(json.Unmarshal(raw, &out)).To(Succeed())
	Expect(out).NotTo(BeEmpty())
	return out
}

var _ = Describe("A server without pages", func() {
	It("exchanges codes anyway", func() {
		with, without := startForSpec(withPages()), shared
		t := newTenant(with, without)
		f := newOAuthClient(t, with).consent(with, allTicks)
		Expect(newBrowser(without).get("/oauth/consent").Status).To(Equal(404))
		Expect(t.statusWith(without, f.token(without))).To(Equal(200))
	})
})
