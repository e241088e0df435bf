package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

const settingsForm = "form[action='/app/account/settings']"

var _ = Describe("The pages of the account", func() {
	It("lead back to the workspace, or to the choice of one", func() {
		t := facades.NewTenant("Acme")
		p := t.SignIn()
		Expect(p.Get("/app/account/settings").Find("nav.nav a[href='" + t.In("articles") + "']").Length()).To(Equal(1))
		t.NewSite(t.Workspace+"-2", "main")
		Eventually(func() int {
			return p.Get("/app/account/settings").Find(".workspaces a[href='" + t.In("articles") + "']").Length()
		}).Should(Equal(1))
	})
})

var _ = Describe("Every page", func() {
	It("asks who somebody is, and leads back to itself", func() {
		t := facades.NewTenant("Acme Outdoors")
		p := facades.Visitor()
		page := p.Get("/app/account/settings?zone=Europe%2FZurich")
		Expect(page.Text("h1")).To(Equal("Sign in"))
		page = p.EnterKey(page, t.Key)
		Expect(page.URL.RequestURI()).To(Equal("/app/account/settings?zone=Europe%2FZurich"))
		Expect(page.Text("h1")).To(Equal("Settings"))
		Expect(page.Text(".account")).To(And(ContainSubstring("Mara"), ContainSubstring("Acme Outdoors")))
		Expect(page.Text("section[aria-labelledby=rights] dt")).To(Equal("readwriteapprove"))
	})

	It("lets nothing run or load but our own files", func() {
		page := facades.NewTenant("Acme").SignIn().Get("/app/account/settings")
		Expect(page.Header.Get("Content-Security-Policy")).To(Equal("default-src 'none'; script-src 'self'; style-src 'self'; " +
			"img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
			"require-trusted-types-for 'script'; trusted-types dashboard"))
		Expect(page.Header.Get("Cache-Control")).To(Equal("no-store"))
		Expect(page.Header.Get("Referrer-Policy")).To(Equal("no-referrer"))
		Expect(page.Header.Get("X-Content-Type-Options")).To(Equal("nosniff"))
		Expect(page.Find("style, [style], script:not([src])").Length()).To(BeZero())
	})

	It("has what is not of an editor's day in the menu of the account, and not below the page", func() {
		page := facades.NewTenant("Acme").SignIn().Get("/app/account/settings")
		for _, name := range []string{"docs/how-to/use-the-dashboard.md", "CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md"} {
			Expect(page.Find(".account a[href$='/"+name+"']").Length()).To(Equal(1), name)
		}
		Expect(page.Find("footer a").Length()).To(Equal(1), "but for the time zone")
	})

	It("loads a style and a script that a browser may keep for ever", func() {
		p := facades.NewTenant("Acme").SignIn()
		page := p.Get("/app/account/settings")
		for _, address := range []string{
			page.Find("link[rel=stylesheet]").AttrOr("href", ""), page.Find("script").AttrOr("src", ""),
		} {
			file := p.Get(address)
			Expect(file.Status).To(Equal(http.StatusOK), address)
			Expect(file.Header.Get("Cache-Control")).To(Equal("public, max-age=31536000, immutable"))
			Expect(file.Header.Get("Content-Type")).To(HavePrefix("text/"))
			other := strings.Replace(address, "/app/static/", "/app/static/0", 1)
			Expect(p.Get(other).Status).To(Equal(http.StatusNotFound), other)
		}
	})
})

var _ = Describe("A form", func() {
	It("does what it says once it has a token, and says so on the page that follows", func() {
		p := facades.NewTenant("Acme").SignIn()
		page := p.Submit(p.Get("/app/account/settings"), settingsForm, url.Values{"zone": {"Europe/Zurich"}})
		Expect(page.Text(".notice")).To(Equal("Saved. Times are in Europe/Zurich."))
		Expect(page.Text("footer")).To(ContainSubstring("Times are in Europe/Zurich."))
		Expect(p.Get("/app/account/settings").Find(".notice").Length()).To(BeZero(), "it is said once")
	})

	It("says at the field what must be", func() {
		p := facades.NewTenant("Acme").SignIn()
		for _, zone := range []string{"", "Local", "Europe/Nowhere", "../../etc/passwd"} {
			page := p.Submit(p.Get("/app/account/settings"), settingsForm, url.Values{"zone": {zone}})
			Expect(page.Status).To(Equal(http.StatusUnprocessableEntity), zone)
			Expect(page.Text("#zone-problem")).To(MatchRegexp("^(There is no time zone “|Choose a time zone, )"))
			Expect(page.Find("#zone").AttrOr("value", "")).To(Equal(zone))
		}
	})

	It("keeps what was typed if the session has ended, and is sent after signing in again", func() {
		t := facades.NewTenant("Acme")
		p := t.SignIn()
		path, form := p.Fill(p.Get("/app/account/settings"), settingsForm, url.Values{"zone": {"Asia/Tokyo"}})
		form.Set("note", "a long\ntext")
		p.Post("/oauth/sign-out", nil)

		kept := p.Post(path, form)
		Expect(kept.Status).To(Equal(http.StatusUnauthorized))
		Expect(kept.Text("main")).To(ContainSubstring("Nothing has been done, and nothing that you typed is lost"))
		Expect(kept.Find("input[name=zone]").AttrOr("value", "")).To(Equal("Asia/Tokyo"))
		Expect(kept.Find("textarea[name=note]").Text()).To(Equal("a long\ntext"))

		p.EnterKey(p.Get("/app/account/settings"), t.Key)
		again := p.Submit(kept, "main form", nil)
		Expect(again.Status).To(Equal(http.StatusConflict), "the token is of the session before")
		Expect(p.Get("/app/account/settings").Text("footer")).To(ContainSubstring("Times are in UTC."))
		Expect(p.Submit(again, "main form", nil).Text(".notice")).To(Equal("Saved. Times are in Asia/Tokyo."))
	})
})

var _ = Describe("A path below /app", func() {
	It("that no page has is answered with a page", func() {
		page := facades.Visitor().Get("/app/no-such-page")
		Expect(page.Status).To(Equal(http.StatusNotFound))
		Expect(page.Text("h1")).To(Equal("Not found"))
	})
})
