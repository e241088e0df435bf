package dashboard_test

import (
	"net/http"
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

var _ = Describe("The deliveries of an article", func() {
	It("show each attempt, the last answer, and the request with the bytes that the receiver got", func() {
		t := facades.NewTenant("Acme Outdoors")
		receiver := t.SendTo(http.StatusServiceUnavailable)
		uid := t.Sent("trail shoes", dashboardtest.UntilFailed...)
		p := t.SignIn()
		page := p.Get(t.In("articles", uid, "deliveries"))
		Expect(page.Text("h1")).To(Equal("Deliveries of Trail running shoes: what to look for"))
		Expect(page.Text("#delivery-state")).To(And(ContainSubstring("Failed All attempts failed."),
			ContainSubstring("What to do: The receiver itself failed"), ContainSubstring("Last answer: HTTP 503")))
		Expect(page.Text("#delivery-1 h2")).To(Equal("Delivery 1 Failed"))
		Expect(page.Find("#delivery-1 tbody tr").Length()).To(Equal(4))
		Expect(page.Text("#delivery-1 tbody tr:last-child")).To(And(HavePrefix("4 of 4"), ContainSubstring("Refused5030The receiver answered 503 Service Unavailable")))

		got := receiver.Received()
		Expect(got).To(HaveLen(4))
		Expect(page.Find("#sent-body").Text()).To(Equal(got[3].Body))
		for name := range map[string]bool{"Content-Type": true, "User-Agent": true, "X-Service-Event": true} {
			Expect(page.Text("main")).To(ContainSubstring(": " + got[3].Header.Get(name)))
		}
		Expect(page.Text("main")).To(And(ContainSubstring("It is not shown: the REST API cannot read the secret"),
			Not(ContainSubstring(got[3].Header.Get("X-Service-Signature")))))
	})

	It("are begun again by those who may write", func() {
		t := facades.NewTenant("Acme Outdoors")
		t.SendTo(http.StatusServiceUnavailable)
		uid := t.Sent("trail shoes", dashboardtest.UntilFailed...)
		log, redeliver := t.In("articles", uid, "deliveries"), "form[action$='/redeliver']"
		p := t.SignIn()
		Eventually(func() int { return p.Get(log).Find(redeliver).Length() }).Should(Equal(1))
		page := p.Submit(p.Get(log), redeliver, nil)
		Expect(page.URL.Path).To(Equal(log))
		Expect(page.Text(".notice")).To(Equal("The article is sent again within a few seconds."))
		Expect(t.Reconcile(uid).Status.Publication.Cycle.Number).To(BeEquivalentTo(2))
		Expect(p.Get(log).Text("#delivery-2 h2")).To(Equal("Delivery 2 Retrying"))
		Expect(p.Get(log).Find(redeliver).Length()).To(BeZero(), "it is being delivered")

		reader := t.SignInWith(t.NewKey("Reader", v1alpha1.ScopeRead))
		Expect(reader.Get(log).Find(redeliver).Length()).To(BeZero())
		Expect(reader.Post(t.In("deliveries", "redeliver"), url.Values{"uid": {uid}}).Status).To(Equal(http.StatusForbidden))
	})
})
