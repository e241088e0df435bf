package dashboard_test

import (
	"net/http"
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("The results of a bulk action", func() {
	It("show what has become of each since, as long as the page is open", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("trail shoes")
		p := t.SignIn()
		list := p.Get(t.In("articles"))
		asked := p.Submit(list, "form[action$='/bulk']", url.Values{"do": {"publish"}, "item": {list.Find("[name=item]").AttrOr("value", "")}})
		results := p.Submit(asked, "form[action$='/bulk']", url.Values{"when": {"now"}})
		row := "#r-" + uid + "[data-live]"
		Expect(results.Text(row)).To(HavePrefix("In review"))
		Expect(t.Ask(http.MethodPost, "/v1/api/blogs/"+uid+"/approve", map[string]any{}).Status).To(Equal(http.StatusOK))
		t.Reconcile(uid)
		Eventually(func() string { return p.Get(results.URL.RequestURI()).Text(row) }).Should(HavePrefix("Published"))
		Expect(t.Ask(http.MethodDelete, "/v1/api/blogs/"+uid, nil).Status).To(BeNumerically("<", 300))
		Eventually(func() string { return p.Get(results.URL.RequestURI()).Text(row) }).Should(Equal("Deleted Trail running shoes: what to look for"))
	})
})
