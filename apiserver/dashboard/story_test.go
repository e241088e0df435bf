package dashboard_test

import (
	"net/url"

	"github.com/PuerkitoBio/goquery"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

var _ = Describe("What happened to an article", func() {
	It("is on its page, and reasons of rejections are offered again", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "The huts are open.")
		p := t.SignIn()
		open := func() *dashboardtest.Page { return p.Get(t.In("articles", uid)) }
		for _, reason := range []string{"No sources.", "Too short."} {
			p.Submit(open(), rejectForm, url.Values{"reason": {reason}})
			t.Reconcile(uid)
			t.Rewrite(uid, "Another text after: "+reason)
		}
		var page *dashboardtest.Page
		Eventually(func() string {
			page = open()
			return page.Text("#article-story li:nth-child(1)")
		}).Should(HavePrefix("Ready for review revision 3"))
		Expect(page.Text("#article-story li:nth-child(2)")).To(And(MatchRegexp(`^Rejected by Mara, key \w{4} revision 2`), HaveSuffix("Too short.")))
		Expect(page.Find(rejectForm + " [data-fill=reason]").Map(func(_ int, b *goquery.Selection) string { return b.Text() })).
			To(Equal([]string{"Too short.", "No sources."}))
	})
})
