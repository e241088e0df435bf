package dashboard_test

import (
	"net/http"
	"net/url"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

var _ = Describe("One action on many articles", func() {
	It("approves and publishes in one step, spread over days in the order of the list", func() {
		t := facades.NewTenant("Acme")
		newest, oldest := "", t.InReview("one")
		changed := t.InReview("two")
		newest = t.InReview("three")
		// Its publication was asked for, so that an approval alone would publish it at once.
		Expect(t.Ask(http.MethodPost, "/v1/api/blogs/"+newest+"/publish", nil).Status).To(Equal(http.StatusOK))
		p := t.SignIn()
		list := p.Get(t.In("articles") + "?status=review&order=oldest")
		ask := choose(p, list, "approve-and-publish", oldest, changed, newest)
		Expect(ask.Text("h1")).To(Equal("Approve and publish 3 articles?"))
		day := time.Now().AddDate(1, 0, 0)
		spread := url.Values{"when": {"spread"}, "at": {day.Format("2006-01-02T") + "09:00"}, "zone": {"Asia/Kathmandu"}, "hours": {"0"}}
		again := p.Submit(ask, bulkForm, spread)
		Expect(again.Status).To(Equal(http.StatusUnprocessableEntity))
		Expect(again.Text("main [role=alert]")).To(ContainSubstring("Choose from 1 to 672 hours"))
		Expect(status(t, oldest)).To(Equal("review"))
		Expect(t.Ask(http.MethodPatch, "/v1/api/blogs/"+changed, map[string]any{"title": "Quite another title"}).Status).To(Equal(http.StatusOK))
		t.Reconcile(changed)

		spread.Set("hours", "36")
		path, form := p.Fill(again, bulkForm, spread)
		done := p.Post(path, form)
		Expect(done.Text("h1")).To(Equal("1 article could not be changed"))
		Expect(done.Text("main")).To(ContainSubstring("Its text has changed since you saw the list"))
		Expect(done.Text("#r-" + newest)).To(ContainSubstring("to be published " + day.AddDate(0, 0, 3).Format("Mon 2 Jan 2006") + ", 09:00 Asia/Kathmandu (03:15 UTC)"))
		at := func(uid string) string { return t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil).Text("publish_at") }
		Expect(at(oldest)).To(Equal(day.Format("2006-01-02") + "T03:15:00.000Z"))
		Expect(at(newest)).To(Equal(day.AddDate(0, 0, 3).Format("2006-01-02") + "T03:15:00.000Z"))
		Expect([]string{status(t, oldest), status(t, changed), status(t, newest)}).To(Equal([]string{"scheduled", "review", "scheduled"}))

		Expect(t.Ask(http.MethodPost, "/v1/api/blogs/"+oldest+"/cancel-publication", nil).Status).To(Equal(http.StatusOK))
		Expect(p.Post(path, form).Text("h1")).To(Equal("1 article could not be changed"))
		Expect(status(t, oldest)).To(Equal("approved"), "the form is done once")
	})

	It("takes articles back from their site", func() {
		t := facades.NewTenant("Acme")
		t.ChangeSite(func(s *v1alpha1.Site) { s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone} })
		live := []string{t.InReview("one"), t.InReview("two")}
		for _, uid := range live {
			for _, operation := range []string{"approve", "publish"} {
				Expect(t.Ask(http.MethodPost, "/v1/api/blogs/"+uid+"/"+operation, nil).Status).To(Equal(http.StatusOK))
			}
			Expect(lifecycle.Published(t.Reconcile(uid))).To(BeTrue())
		}
		p := t.SignIn()
		var list *dashboardtest.Page
		Eventually(func() int {
			list = p.Get(t.In("articles") + "?status=published")
			return list.Find("tr input[name=item]").Length()
		}).Should(Equal(2))
		ask := choose(p, list, "unpublish", live...)
		Expect(ask.Text("h1")).To(Equal("Unpublish 2 articles?"))
		Expect(p.Submit(ask, bulkForm, nil).Text("h1")).To(Equal("Is unpublished: 2 articles"))
		for _, uid := range live {
			Expect(lifecycle.Unpublished(t.Reconcile(uid))).To(BeTrue())
		}
	})

	It("takes all that the filter finds, and not those of the page alone", func() {
		t := facades.NewTenant("Acme")
		for range 53 {
			t.Ask(http.MethodPost, "/v1/api/blogs", map[string]any{"site_uid": t.SiteUID, "title": "Shoes", "content_markdown": "A text."})
		}
		kept := t.Written("Huts", "Open.")
		p := t.SignIn()
		list := func() *dashboardtest.Page { return p.Get(t.In("articles") + "?status=all") }
		Eventually(func() string { return list().Text(".bulk label") }).Should(Equal("all 54 that match"))
		found := p.Get(t.In("articles") + "?status=all&q=shoes")
		Expect(found.Text(".bulk label")).To(Equal("the first 100 that match"))
		ask := p.Submit(found, bulkForm, url.Values{"do": {"archive"}, "all": {"1"}})
		Expect(ask.Text("h1")).To(Equal("Archive 53 articles?"))
		Expect(p.Submit(ask, bulkForm, nil).Text("h1")).To(Equal("Archived: 53 articles"))
		Expect(status(t, kept)).To(Equal("review"))
		Expect(p.Get(t.In("articles")+"?status=archived&q=huts").Find(".bulk label").Length()).To(BeZero(), "the page has all")
	})
})
