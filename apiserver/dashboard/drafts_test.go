package dashboard_test

import (
	"net/url"
	"path"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

const (
	writeForm  = "form[action$='/new/write']"
	submitForm = "form[action$='/submit']"
)

// drafted stores a draft by the form, and returns its uid once the controller has made its revision.
func drafted(t *dashboardtest.Tenant, p *dashboardtest.Person, title string) string {
	GinkgoHelper()
	fields := url.Values{"title": {title}, "markdown": {"The huts are open."}, "draft": {"1"}}
	page := p.Submit(p.Get(t.In("articles", "new")+"?kind=write"), writeForm, fields)
	Expect(page.Text(".notice")).To(Equal("Saved as a draft. Reviewers see it once you submit it."))
	uid := path.Base(page.URL.Path)
	t.Reconcile(uid)
	Eventually(func() int { return p.Get(t.In("articles", uid)).Find(publishForm).Length() }).Should(Equal(1))
	return uid
}

var _ = Describe("A draft", func() {
	It("is kept out of review until it is submitted, however often it is edited", func() {
		t := facades.NewTenant("Acme")
		p := t.SignIn()
		uid := drafted(t, p, "Huts")
		Expect(rows(p.Get(t.In("articles") + "?status=draft"))).To(Equal([]string{"Huts"}))
		page := p.Submit(p.Get(t.In("articles", uid, "edit")), editorForm, url.Values{"markdown": {"The huts are closed."}})
		Expect(page.Text(".notice")).To(Equal("Saved. It is a draft until it is submitted."))
		t.Reconcile(uid)
		Expect(rows(p.Get(t.In("articles") + "?status=review"))).To(BeEmpty())
		Eventually(func() string {
			page = p.Get(t.In("articles", uid))
			return page.Text(publishForm + " button")
		}).Should(Equal("Publish once it is approved"))
		Expect(page.Find(approveForm).Length()).To(BeZero())

		page = p.Submit(page, submitForm, nil)
		Expect(page.Text(".notice")).To(Equal("Submitted for review."))
		Expect(page.Find(submitForm).Length()).To(BeZero())
		Expect(rows(p.Get(t.In("articles") + "?status=review"))).To(Equal([]string{"Huts"}))
	})

	It("is submitted with others in the list", func() {
		t := facades.NewTenant("Acme")
		p := t.SignIn()
		uids := []string{drafted(t, p, "Huts"), drafted(t, p, "Paths")}
		list := p.Get(t.In("articles") + "?status=draft")
		Expect(list.Find("[name=do][value=submit]").Length()).To(Equal(1))
		asked := choose(p, list, "submit", uids...)
		Expect(asked.Text("h1")).To(Equal("Submit 2 articles?"))
		done := p.Submit(asked, bulkForm, nil)
		Expect(done.Text("h1")).To(Equal("Submitted for review: 2 articles"))
		Eventually(func() []string { return rows(p.Get(t.In("articles") + "?status=review")) }).Should(ConsistOf("Huts", "Paths"))
	})
})
