package apiserver_test

import (
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/test/testkit"
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

	It("enters the workspaces alone that it was let into", func() {
		r := replicas[0]
		ticks := url.Values{"scope": {"read", "write"}, "reach": {"some"}, "workspace": {shop.Workspace}}
		token := o.consent(r, ticks).token(r)
		Expect(r.ask(shop.with(token), "GET", "/v1/api/blogs", nil).Status).To(Equal(200))
		Expect(r.ask(shop.with(token), "POST", "/v1/api/generate", shop.generate("trail shoes")).Status).To(Equal(202))
		Expect(r.ask(t.with(token), "GET", "/v1/api/blogs", nil)).To(failing(404, "NOT_FOUND"))
		Expect(r.ask(shop.with(token), "POST", "/v1/api/blogs/0198f0a1-0000-7000-8000-00000000aaaa/approve", nil)).To(failing(403, "INSUFFICIENT_SCOPE"))
		Expect(r.ask(t.with(token), "POST", "/v1/api/generate", t.generate("trail shoes"))).To(failing(404, "NOT_FOUND"))
		sites := r.ask(t.with(token), "GET", "/v1/api/sites", nil)
		Expect(sites.Raw).To(And(ContainSubstring(shop.SiteUID), Not(ContainSubstring(t.SiteUID))))
		workspaces := r.ask(t.with(token), "GET", "/v1/api/workspaces", nil)
		Expect(workspaces.Raw).To(ContainSubstring(shop.Workspace))
		Expect(workspaces.Body["data"]).To(HaveLen(1))
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

var _ = Describe("A server without pages", func() {
	It("exchanges codes anyway", func() {
		with, without := startForSpec(withPages()), shared
		t := newTenant(with, without)
		f := newOAuthClient(t, with).consent(with, allTicks)
		Expect(newBrowser(without).get("/oauth/consent").Status).To(Equal(404))
		Expect(t.statusWith(without, f.token(without))).To(Equal(200))
	})
})
