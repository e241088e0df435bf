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

// asked reports whether a redelivery of an article is asked for.
func asked(t *dashboardtest.Tenant, uid string) bool {
	GinkgoHelper()
	a := &v1alpha1.Article{}
	Expect(facades.API.Get(GinkgoT().Context(), client.ObjectKey{Namespace: t.Workspace, Name: uid}, a)).To(Succeed())
	return a.Annotations[v1alpha1.RedeliverAnnotation] != ""
}

var _ = Describe("The list of deliveries", func() {
	It("has what failed, what is tried again, and what arrived, each under its tab", func() {
		t := facades.NewTenant("Acme Outdoors")
		receiver := t.SendTo(http.StatusServiceUnavailable)
		failed := t.Sent("trail shoes", dashboardtest.UntilFailed...)
		retrying := t.Sent("trail poles", 0)
		receiver.AnswersStatus(http.StatusOK)
		delivered := t.Sent("trail socks", 0)
		p, list := t.SignIn(), t.In("deliveries")
		Eventually(func() string { return p.Get(list).Text(".tabs") }).Should(Equal("Failed 1Retrying 1In progress 0Delivered 1"))

		page := p.Get(list)
		Expect(page.Text("nav [data-go=d] .count")).To(Equal("1 failed"))
		Expect(page.Find("tbody tr").Length()).To(Equal(1))
		Expect(page.Text("#delivery-of-" + failed)).To(And(ContainSubstring("Trail running shoes"), ContainSubstring("blog.example.com"),
			ContainSubstring("All attempts failed"), ContainSubstring("5034 of 4")))
		Expect(page.Find("#delivery-of-"+failed+" a").AttrOr("href", "")).To(Equal(t.In("articles", failed, "deliveries")))
		page = p.Get(list + "?state=retry_scheduled&site=" + t.SiteUID)
		Expect(page.Text("#delivery-of-" + retrying)).To(And(ContainSubstring("Waits for its next attempt"), ContainSubstring("1 of 4"), MatchRegexp(`\d\d:\d\d`)))
		page = p.Get(list + "?state=delivered")
		Expect(page.Text("#delivery-of-" + delivered)).To(ContainSubstring("2001 of 4"))
		Expect(p.Get(list + "?state=delivering").Text("main")).To(ContainSubstring("Nothing is being sent"))
		Expect(p.Get(list + "?state=made-up&site=made-up&before=").Text(".tabs [aria-current]")).To(Equal("Failed 1"))
	})

	It("sends one article again, and says what refuses it", func() {
		t := facades.NewTenant("Acme Outdoors")
		t.SendTo(http.StatusServiceUnavailable)
		uid := t.Sent("trail shoes", dashboardtest.UntilFailed...)
		p, row := t.SignIn(), "#delivery-of-"+uid+" form"
		Eventually(func() int { return p.Get(t.In("deliveries")).Find(row).Length() }).Should(Equal(1))
		path, form := p.Fill(p.Get(t.In("deliveries")), row, nil)
		page := p.Post(path, form)
		Expect(page.URL.RequestURI()).To(Equal(t.In("deliveries") + "?state=failed"))
		Expect(page.Text(".notice")).To(Equal("The article is sent again within a few seconds."))
		Expect(asked(t, uid)).To(BeTrue())
		Expect(p.Post(path, form).Text(".problem")).To(Equal("The article is being delivered already."))

		reader := t.SignInWith(t.NewKey("Reader", v1alpha1.ScopeRead))
		Expect(reader.Get(t.In("deliveries")).Find("main form").Length()).To(BeZero())
		Expect(reader.Post(t.In("deliveries", "redeliver-failed"), url.Values{"site": {t.SiteUID}}).Status).To(Equal(http.StatusForbidden))
	})

	It("sends all that failed of a site again, with a result for each", func() {
		t := facades.NewTenant("Acme Outdoors")
		t.SendTo(http.StatusServiceUnavailable)
		first, second := t.Sent("trail shoes", dashboardtest.UntilFailed...), t.Sent("trail poles", dashboardtest.UntilFailed...)
		p, all := t.SignIn(), "form[action$='/redeliver-failed']"
		Eventually(func() string { return p.Get(t.In("deliveries")).Text(all + " button") }).Should(Equal("Send the 2 articles that failed again"))
		list := p.Get(t.In("deliveries"))
		p.Submit(list, "#delivery-of-"+first+" form", nil)
		page := p.Submit(list, all, nil)
		Expect(page.Text("h1")).To(Equal("1 article could not be changed"))
		Expect(page.Text("#done + ul")).To(ContainSubstring("Trail running shoes"))
		Expect(page.Text("#failed + ul")).To(ContainSubstring("The article is being delivered already."))
		Expect(asked(t, second)).To(BeTrue())
		Expect(p.Post(t.In("deliveries", "redeliver-failed"), url.Values{"site": {"x"}, "ticket": {list.Find("input[name=ticket]").AttrOr("value", "")}}).Status).
			To(Equal(http.StatusNotFound))
	})
})
