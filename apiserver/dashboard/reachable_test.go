package dashboard_test

import (
	"net/http"
	"net/url"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

// wellConnected is what nobody may say of a site that cannot be reached.
const wellConnected = `(?i)\bconnected\b|\bready\b|\bworks\b`

const wordpressForm = "main form[action$='/sites/new']"

var _ = Describe("A site that nobody can reach", func() {
	It("is not said to be connected or ready after it is made, on its page and in the list", func() {
		t := facades.NewTenant("Acme")
		p := manager(t)
		page := p.Submit(p.Get(t.In("sites", "new")+"?type=wordpress"), wordpressForm, url.Values{
			"domain": {"blog.example.org"}, "connection.url": {"https://blog.example.org"}, "connection.username": {"mara"}, "connection.password": {"abcd efgh"},
		})
		Expect(page.Status).To(Equal(http.StatusOK))
		Expect(page.Text("main")).NotTo(MatchRegexp(wellConnected))

		t.SendTo(http.StatusOK)
		t.Tested(v1alpha1.AttemptConnectionFailed, 0, v1alpha1.ReasonConnectionFailed, "the other side does not speak TLS", "")
		var site *dashboardtest.Page
		Eventually(func() string {
			site = p.Get(t.In("sites", t.SiteUID))
			return site.Text("#connection")
		}).Should(ContainSubstring("No connection"))
		Expect(site.Text("main")).To(And(Not(MatchRegexp(wellConnected)), ContainSubstring("The address answers, but not by https://."), Not(ContainSubstring("TLS"))))
		Expect(site.Find("main .badge.ok").Length()).To(BeZero())
		Expect(site.Find("a:contains('Generate the first one')").Length()).To(BeZero())
		row := p.Get(t.In("sites")).Text("#site-" + t.SiteUID)
		Expect(row).To(And(ContainSubstring("No connection"), Not(MatchRegexp(wellConnected))))
	})

	It("takes a login name that can be read, and an address that its hint allows", func() {
		t := facades.NewTenant("Acme")
		p := manager(t)
		form := p.Get(t.In("sites", "new") + "?type=wordpress")
		Expect(form.Find("[id='connection.username']").AttrOr("type", "")).To(Equal("text"))
		Expect(form.Find("[id='connection.password']").AttrOr("type", "")).To(Equal("password"))
		Expect(form.Text("[id='connection.url-hint']")).To(ContainSubstring("begins with https://"))
		refused := p.Submit(form, wordpressForm, url.Values{
			"domain": {"blog.example.org"}, "connection.url": {"http://blog.example.org"}, "connection.username": {"mara"}, "connection.password": {"abcd efgh"},
		})
		Expect(refused.Status).To(Equal(http.StatusUnprocessableEntity))
		Expect(refused.Text("[id='connection.url-problem']")).To(ContainSubstring("begins with https://"))
		Expect(refused.Find("[id='connection.username']").AttrOr("value", "")).To(Equal("mara"))
		Expect(refused.Find("[id='connection.password']").AttrOr("value", "")).To(BeEmpty())
	})

	It("is told from another one of its domain", func() {
		t := facades.NewTenant("Acme")
		p := manager(t)
		connect := func(fields url.Values) *dashboardtest.Page {
			fields.Set("domain", "shop.example.com")
			fields.Set("connection.url", "https://shop.example.com/hook")
			fields.Set("connection.signing_secret", "typed for the first address")
			path, form := p.Fill(p.Get(t.In("sites", "new")+"?type=headless"), wordpressForm, fields)
			// The form is shown in a later second than that in which a site before it is made.
			form.Set("shown", time.Now().Add(time.Minute).UTC().Format(time.RFC3339Nano))
			return p.Post(path, form)
		}
		first := connect(url.Values{})
		Expect(first.Status).To(Equal(http.StatusOK))
		Eventually(func() string { return p.Get(t.In("sites")).Text("tbody") }).Should(ContainSubstring("shop.example.com"))
		refused := connect(url.Values{})
		Expect(refused.Status).To(Equal(http.StatusUnprocessableEntity))
		Expect(refused.Text("#domain-problem")).To(Equal("Another site has the domain shop.example.com: if you mean another part of it, give this one a name of its own."))
		Expect(p.Submit(refused, wordpressForm, nil).Status).To(Equal(http.StatusUnprocessableEntity))
		var all v1alpha1.SiteList
		Expect(facades.API.List(GinkgoT().Context(), &all, client.InNamespace(t.Workspace))).To(Succeed())
		Expect(all.Items).To(HaveLen(2))

		named := p.Submit(refused, wordpressForm, url.Values{"name": {"The shop's magazine"}, "connection.signing_secret": {"typed for the other one"}})
		Expect(named.Status).To(Equal(http.StatusOK))
		Expect(named.Text("h1")).To(Equal("The shop's magazine"))
		Eventually(func() string { return p.Get(t.In("sites")).Text("tbody") }).Should(ContainSubstring("Another site has this domain."))
		edit := p.Submit(p.Get(named.URL.Path+"/edit"), "form[action$='/edit']", url.Values{"name": {"shop.example.com"}})
		Expect(edit.Status).To(Equal(http.StatusUnprocessableEntity))
		Expect(edit.Text("[id='domain-problem']")).To(HavePrefix("Another site has the domain shop.example.com"))
	})
})

var _ = Describe("A site that is new", func() {
	It("leads to the first article, with the site chosen", func() {
		t := facades.NewTenant("Acme")
		p := manager(t)
		t.NewSite(t.Workspace, "other")
		site := t.In("sites", t.SiteUID)
		first := "a:contains('Generate the first one')"
		Eventually(func() int { return p.Get(site).Find(first).Length() }).Should(Equal(1))
		form := p.Get(p.Get(site).Find(first).AttrOr("href", ""))
		Expect(form.Find("#site option[selected]").AttrOr("value", "")).To(Equal(t.SiteUID))
		p.Submit(form, generateForm, url.Values{"keywords": {"trail shoes"}})
		Eventually(func() int { return p.Get(site).Find(first).Length() }).Should(BeZero())
	})
})
