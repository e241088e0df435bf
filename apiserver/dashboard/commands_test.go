package dashboard_test

import (
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

var _ = Describe("The menu of an article", func() {
	It("generates another text, archives and deletes", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("trail shoes")
		p := t.SignIn()

		ask := p.Get(t.In("articles", uid, "confirm") + "?do=regenerate")
		Expect(ask.Text("main")).To(ContainSubstring("It takes a credit"))
		Expect(status(t, uid)).To(Equal("review"), "nothing is done yet")
		Expect(p.Submit(ask, "form[action$='/regenerate']", nil).Text(".notice")).To(Equal("Another text is being generated."))
		t.Reconcile(uid)
		Expect(t.Ask(http.MethodGet, "/v1/api/usage", nil).Raw).To(ContainSubstring(`"used":2`))

		ask = p.Get(p.Get(t.In("articles", uid)).Find("a[href$='do=archive']").AttrOr("href", ""))
		Expect(ask.Text("main")).To(ContainSubstring("Publishing brings it back."))
		Expect(status(t, uid)).To(Equal("review"), "nothing is done yet")
		Expect(p.Submit(ask, "form[action$='/archive']", nil).Text(".notice")).To(HavePrefix("Archived."))
		Expect(status(t, uid)).To(Equal("archived"))

		ask = p.Get(t.In("articles", uid, "confirm") + "?do=delete")
		Expect(p.Submit(ask, "form[action$='/delete']", nil).Text(".notice")).To(HavePrefix("Deleted:"))
		Eventually(func() int { return t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil).Status }).Should(Equal(http.StatusNotFound))
	})

	It("sends a published article again", func() {
		t := facades.NewTenant("Acme")
		receiver := t.SendTo(http.StatusOK)
		uid := t.InReview("trail shoes")
		p := t.SignIn()
		p.Submit(p.Get(t.In("articles", uid)), approveForm, map[string][]string{"then": {"publish"}})
		t.Reconcile(uid)
		Eventually(func() *dashboardtest.Page { return p.Get(t.In("articles", uid)) }).Should(
			WithTransform(func(page *dashboardtest.Page) int { return page.Find("form[action$='/redeliver']").Length() }, Equal(1)))
		before := len(receiver.Received())
		done := p.Submit(p.Get(t.In("articles", uid)), "form[action$='/redeliver']", nil)
		Expect(done.Text(".notice")).To(Equal("It is sent again."))
		t.Reconcile(uid)
		Expect(receiver.Received()).To(HaveLen(before + 1))
	})
})
