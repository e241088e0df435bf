package dashboard_test

import (
	"net/http"
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

var _ = Describe("Sharing a draft", func() {
	const makeForm, endForm = "form[action$='/share']", "form[action$='/share/end']"
	pathOf := func(page *dashboardtest.Page) string {
		GinkgoHelper()
		link, err := url.Parse(page.Find("#link").AttrOr("value", ""))
		Expect(err).NotTo(HaveOccurred())
		Expect(link.Path).To(HavePrefix("/share/"))
		return link.Path
	}

	It("makes a link that somebody without an account opens on any replica, until all links are ended", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts of the Alps", "One hut is near, and two are far.")
		p := t.SignIn()
		page := p.Get(t.In("articles", uid))
		Expect(page.Find("a[href$='/share']").Text()).To(Equal("Share a draft…"))
		made := p.Submit(p.Get(t.In("articles", uid, "share")), makeForm, url.Values{"days": {"3"}})
		path := pathOf(made)
		for _, replica := range facades.URLs {
			opened := facades.VisitorAt(replica).Get(path)
			Expect(opened.Status).To(Equal(http.StatusOK))
			Expect(opened.Text("h1")).To(Equal("Huts of the Alps"))
			Expect(opened.Text("article")).To(ContainSubstring("two are far"))
		}
		ended := p.Submit(p.Get(t.In("articles", uid, "share")), endForm, nil)
		Expect(ended.Text(".notice")).To(Equal("All links to this article have ended."))
		for _, replica := range facades.URLs {
			Expect(facades.VisitorAt(replica).Get(path).Status).To(Equal(http.StatusNotFound))
		}
	})

	It("says why there is none in an account that forbids it", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "One hut.")
		p := t.SignIn()
		form := p.Get(t.In("articles", uid, "share"))
		account := &v1alpha1.Account{}
		Expect(t.API.Get(GinkgoT().Context(), client.ObjectKey{Name: t.Account}, account)).To(Succeed())
		account.Spec.Sharing = v1alpha1.SharingForbidden
		Expect(t.API.Update(GinkgoT().Context(), account)).To(Succeed())
		Eventually(func() string { return p.Submit(form, makeForm, nil).Text(".problem") }).
			Should(Equal("The account does not allow share links."))
	})
})
