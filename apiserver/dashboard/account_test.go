package dashboard_test

import (
	"net/http"
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

var _ = Describe("The usage of an account", func() {
	It("shows credits, the last minute, and each site's day", func() {
		t := facades.NewTenant("Acme Outdoors")
		account := &v1alpha1.Account{}
		Expect(facades.API.Get(GinkgoT().Context(), client.ObjectKey{Name: t.Account}, account)).To(Succeed())
		account.Spec.Credits = new(int64(20))
		Expect(facades.API.Update(GinkgoT().Context(), account)).To(Succeed())
		t.Generating("trail shoes")
		page := t.SignIn().Get("/app/account/usage")
		Expect(page.Text("#credits")).To(And(ContainSubstring("1 of 20"), ContainSubstring("19 left.")))
		Expect(page.Find("#credits progress").AttrOr("value", "")).To(Equal("1"))
		Expect(page.Text("#minute")).To(And(ContainSubstring("1 of 60"), ContainSubstring("no longer counts from")))
		Expect(page.Text("tbody tr")).To(Equal("blog.example.com" + t.Workspace + "1 of 5049"))
	})

	It("says that there is no limit", func() {
		page := facades.NewTenant("Acme Outdoors").SignIn().Get("/app/account/usage")
		Expect(page.Text("#credits")).To(ContainSubstring("There is no limit."))
		Expect(page.Text("#minute")).To(ContainSubstring("None of them counts."))
	})
})

var _ = Describe("The apps of an account", func() {
	const apps = "/app/account/apps"

	It("are registered on a page that shows their secret once, and deleted", func() {
		t := facades.NewTenant("Acme Outdoors")
		p := t.SignIn()
		Expect(p.Get(apps).Text("main")).To(ContainSubstring("The account has registered none"))
		path, form := p.Fill(p.Get(apps+"/new"), "main form", url.Values{
			"name": {"Newsroom"}, "redirect_uris": {"https://app.example.com/callback\r\nhttp://127.0.0.1/cb"},
		})
		first, second := p.Post(path, form), p.Post(path, form)
		secret := first.Find("#secret").AttrOr("value", "")
		Expect(secret).To(HavePrefix("pr_cs_"))
		Expect(second.Text("h1")).To(Equal("Shown once"))
		Expect(second.Text("main")).NotTo(ContainSubstring(secret))
		Expect(first.Header.Get("Cache-Control")).To(Equal("no-store"))
		Expect(p.Get(apps).Find("section:first-of-type tbody tr").Length()).To(Equal(1))

		app := p.Get(first.Find("main a.primary").AttrOr("href", ""))
		Expect(app.Text("main")).To(And(ContainSubstring("Newsroom"), ContainSubstring("http://127.0.0.1/cb"), ContainSubstring("read, write"),
			Not(ContainSubstring(secret))))
		rotated := p.Submit(app, "form[action$='/rotate']", nil)
		Expect(rotated.Find("#secret").AttrOr("value", "")).To(And(HavePrefix("pr_cs_"), Not(Equal(secret))))
		Expect(p.Submit(app, "form[action$='/delete']", nil).Text(".notice")).To(Equal("Deleted. Its tokens have ended."))
		Expect(p.Get(app.URL.Path).Status).To(Equal(http.StatusNotFound))
	})

	It("say at the field what must be", func() {
		p := facades.NewTenant("Acme Outdoors").SignIn()
		page := p.Submit(p.Get(apps+"/new"), "main form", url.Values{"name": {"Newsroom"}, "redirect_uris": {"http://app.example.com/"}, "home_url": {"javascript:alert(1)"}})
		Expect(page.Status).To(Equal(http.StatusUnprocessableEntity))
		Expect(page.Text("#redirects-problem")).To(ContainSubstring("Must be https"))
		Expect(page.Text("#home-problem")).To(ContainSubstring("https address"))
		Expect(page.Find("#name").AttrOr("value", "")).To(Equal("Newsroom"))
		page = p.Submit(p.Get(apps+"/new"), "main form", url.Values{"name": {"Newsroom"}, "redirect_uris": {"https://app.example.com/"}, "scopes": {}})
		Expect(page.Text("#scopes-problem")).To(Equal("Choose at least one."))
		Expect(p.Get(apps).Text("main")).To(ContainSubstring("The account has registered none"))
	})

	It("without a secret say so", func() {
		p := facades.NewTenant("Acme Outdoors").SignIn()
		page := p.Submit(p.Get(apps+"/new"), "main form", url.Values{
			"name": {"Tool"}, "redirect_uris": {"http://127.0.0.1/cb"}, "client_type": {"public"}, "loopback_port": {"any"},
		})
		Expect(page.Find("#secret").Length()).To(BeZero())
		Expect(page.Text("main")).To(ContainSubstring("A public app has no secret"))
	})

	It("belong to those who may act for the whole account", func() {
		t := facades.NewTenant("Acme Outdoors")
		t.NewKey("Limited", v1alpha1.ScopeRead)
		limited := t.SignInWith(t.NewLimitedKey("Limited", t.Workspace))
		Expect(limited.Get("/app/account/settings").Find("a[href='" + apps + "']").Length()).To(BeZero())
		Expect(limited.Get(apps).Status).To(Equal(http.StatusForbidden))
		Expect(limited.Get(apps + "/new").Status).To(Equal(http.StatusForbidden))
		reader := t.SignInWith(t.NewKey("Reader", v1alpha1.ScopeRead))
		Expect(reader.Get(apps).Find("main a[href$='/new'], main form").Length()).To(BeZero())
	})

	It("lose the access that people gave them", func() {
		t := facades.NewTenant("Acme Outdoors")
		grant := t.Granted("mara@acme.example", "Newsroom")
		p := t.SignIn()
		Eventually(func() string { return p.Get(apps).Text("main") }).Should(ContainSubstring("mara@acme.example"))
		path, form := p.Fill(p.Get(apps), "form[action$='/revoke']", nil)
		Expect(form.Get("id")).To(Equal(grant))
		Expect(p.Post(path, form).Text(".notice")).To(Equal("The access has ended."))
		Expect(p.Get(apps).Text("main")).NotTo(ContainSubstring("mara@acme.example"))
		Expect(p.Post(path, form).Text(".notice")).To(Equal("The access has ended."), "what has ended needs no ending")
	})
})
