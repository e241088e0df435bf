package dashboard_test

import (
	"net/http"
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

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
