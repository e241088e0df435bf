//go:build e2e

package browser_test

import (
	"net/http"
	"time"

	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

var _ = Describe("The pages of sites", func() {
	It("show the list, a site that pulls, and one whose connection fails", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, t.In("sites"), "tbody tr")
		w.Look("sites")
		w.Click("tbody a", "#connection")
		w.Look("site-pulls")

		t.SendTo(http.StatusOK)
		t.Tested(v1alpha1.AttemptRejected, 401, v1alpha1.ReasonReceiverRejected, "the receiver answered 401 Unauthorized", `{"error":"signature mismatch"}`)
		w.until(t.In("sites", t.SiteUID), ".advice")
		w.Look("site-failed")
		w.goTo(t.In("sites"), ".badge.failed")
		w.Look("sites-failed")
	})

	It("ask for a test and say how it went, with the keyboard alone", func() {
		t := facades.NewTenant("Acme Outdoors")
		t.SendTo(http.StatusOK)
		w := signedIn(t, t.In("sites", t.SiteUID), "#connection")
		w.until(t.In("sites", t.SiteUID), "[data-key=t]")
		w.Press("t", "")
		w.Press("\r", ".notice")
		Expect(w.Text(".notice")).To(ContainSubstring("The test has been asked for"))
		w.Look("site-test-asked")
		w.Click("[data-key=t]", ".problem")
		w.Look("site-test-refused")
		t.Tested(v1alpha1.AttemptInProgress, 0, v1alpha1.ReasonTesting, "a test is in progress", "")
		w.until(t.In("sites", t.SiteUID), "#connection [role=status]")
		w.Look("site-testing")
		t.Tested(v1alpha1.AttemptAccepted, 204, v1alpha1.ReasonReceiverAccepted, "the receiver accepted the test", "")
		w.until(t.In("sites", t.SiteUID), "#connection .badge.ok")
		w.Look("site-works")
	})

	It("say that there is none, and who connects one", func() {
		t := facades.NewTenant("Acme Outdoors")
		site := &v1alpha1.Site{}
		site.Namespace, site.Name = t.Workspace, t.Site
		Expect(facades.API.Delete(GinkgoT().Context(), site)).To(Succeed())
		w := signedIn(t, t.In("sites"), "h1")
		w.until(t.In("sites"), ".empty")
		w.Look("sites-empty")
	})
})

// until loads a page again until something is there to see.
func (w *window) until(path, selector string) {
	GinkgoHelper()
	Eventually(func() bool {
		w.goTo(path, "h1")
		var found bool
		w.Evaluate(`document.querySelector("`+selector+`") !== null`, &found)
		return found
	}).Should(BeTrue(), selector)
}

var _ = Describe("The page of an article's deliveries", func() {
	It("shows every attempt and the request, and sends the article again", func() {
		t := facades.NewTenant("Acme Outdoors")
		receiver := t.SendTo(http.StatusServiceUnavailable)
		none := t.InReview("trail poles")
		uid := t.Sent("trail shoes", dashboardtest.UntilFailed...)
		log := t.In("articles", uid, "deliveries")
		w := signedIn(t, t.In("articles", none, "deliveries"), ".empty")
		w.Look("delivery-log-empty")
		w.until(log, "#delivery-state .badge.failed")
		w.Look("delivery-log-failed")
		w.Click("details summary", "")
		w.Click("form[action$='/redeliver'] button", ".notice")
		w.Look("delivery-log-redelivered")
		w.Click("form[action$='/redeliver'] button", ".problem")
		w.Look("delivery-log-refused")
		receiver.AnswersStatus(http.StatusOK)
		t.Reconcile(uid)
		w.until(log, "#delivery-2 .badge.delivered")
		w.Look("delivery-log-delivered")
	})
})

var _ = Describe("The pages of events", func() {
	It("make a subscription whose secret is shown once", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, t.In("events"), ".empty")
		w.Look("events-empty")
		w.Click(".empty a", "#url")
		w.Look("event-form")
		w.Run(chromedp.SendKeys("#url", "https://hooks.example.com/pressroom", chromedp.ByQuery))
		w.Evaluate(`document.querySelectorAll("input[name=events]").forEach(e => { e.checked = false })`, nil)
		w.Click("main form button", "#events-problem")
		w.Look("event-form-problem")
		w.Tick("blog.published", "blog.failed")
		w.Click("main form button", "#secret")
		w.See("[data-copy]")
		w.Look("event-secret")
		w.Click("main a.primary", "#subscription")
		w.Look("event-new")
		w.Back("h1")
		Expect(w.Text("main")).NotTo(ContainSubstring("whsec_"), "the secret does not come back")
	})

	It("show what was sent, and a suspended subscription", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Subscribed("https://hooks.example.com/pressroom")
		t.EventSent(uid, "<html>gone for good</html>")
		w := signedIn(t, t.In("events", uid), "article")
		w.Click("article summary", "")
		w.Look("event")
		w.Click("main details.delete summary", "")
		w.Look("event-delete")
		w.Click("article form button", ".notice")
		w.Look("event-redelivered")
		s := &v1alpha1.EventSubscription{}
		Expect(facades.API.Get(GinkgoT().Context(), client.ObjectKey{Namespace: t.Workspace, Name: uid}, s)).To(Succeed())
		s.Status.Suspension = &v1alpha1.Suspension{Time: v1alpha1.NewMicroTime(time.Now()), Generation: s.Generation}
		Expect(facades.API.Status().Update(GinkgoT().Context(), s)).To(Succeed())
		w.goTo(t.In("events", uid), "form[action$='/resume']")
		w.Look("event-suspended")
		w.goTo(t.In("events"), ".badge.failed")
		w.Look("events")
	})
})

var _ = Describe("The pages of the account", func() {
	It("show its usage and its apps", func() {
		t := facades.NewTenant("Acme Outdoors")
		account := &v1alpha1.Account{}
		Expect(facades.API.Get(GinkgoT().Context(), client.ObjectKey{Name: t.Account}, account)).To(Succeed())
		account.Spec.Credits = new(int64(20))
		Expect(facades.API.Update(GinkgoT().Context(), account)).To(Succeed())
		t.Generating("trail shoes")
		w := signedIn(t, "/app/account/usage", "#credits")
		w.Look("usage")

		w.goTo("/app/account/apps", "h1")
		w.Look("apps-empty")
		w.Click(".head a", "#name")
		w.Look("app-form")
		w.Run(chromedp.SendKeys("#name", "Newsroom", chromedp.ByQuery), chromedp.SendKeys("#redirect_uris", "http://app.example.com/", chromedp.ByQuery))
		w.Click("main form button", "#redirects-problem")
		w.Look("app-form-problem")
		w.Run(chromedp.SetValue("#redirect_uris", "https://app.example.com/callback", chromedp.ByQuery))
		w.Click("main form button", "#secret")
		w.Look("app-secret")
		w.Click("main a.primary", "details.delete")
		w.Click("details.delete summary", "")
		w.Look("app")
		t.Granted("mara@acme.example", "Newsletter")
		w.until("/app/account/apps", "form[action$='/revoke']")
		w.Look("apps")
		w.Click("form[action$='/revoke'] button", ".notice")
		w.Look("apps-revoked")
	})

	It("are refused to a key of some workspaces", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedInWith(t.NewLimitedKey("Limited", t.Workspace), "/app/account/apps", "h1")
		Expect(w.Text("h1")).To(Equal("You may not do this"))
		w.Look("apps-refused")
	})
})

var _ = Describe("The page of deliveries", func() {
	It("shows what failed, what is tried again and what arrived, and sends all that failed of a site again", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, t.In("deliveries"), ".empty")
		w.Look("deliveries-empty")
		receiver := t.SendTo(http.StatusServiceUnavailable)
		t.Sent("trail shoes", dashboardtest.UntilFailed...)
		second := t.Sent("trail poles", dashboardtest.UntilFailed...)
		t.Sent("trail hats", 0)
		receiver.AnswersStatus(http.StatusOK)
		t.Sent("trail socks", 0)
		w.until(t.In("deliveries"), "#delivery-of-"+second)
		w.Look("deliveries-failed")
		w.Click(".tabs li:nth-child(2) a", "tbody tr")
		w.Look("deliveries-retrying")
		w.Click(".tabs li:nth-child(4) a", "tbody tr")
		w.Look("deliveries-delivered")
		w.Click(".tabs li:nth-child(3) a", ".empty")
		w.Look("deliveries-none-in-progress")
		w.Click(".tabs li:nth-child(1) a", "tbody tr")
		w.Click("#delivery-of-"+second+" button", ".notice")
		w.Look("deliveries-one-redelivered")
		w.Click("form[action$='/redeliver-failed'] button", "#failed")
		Expect(w.Text("main")).To(ContainSubstring("The article is being delivered already."))
		w.Look("deliveries-redelivered")
	})

	It("takes three clicks from the articles to all of them sent again", func() {
		t := facades.NewTenant("Acme Outdoors")
		t.SendTo(http.StatusServiceUnavailable)
		t.NewSite(t.Workspace, "second")
		uid := t.Sent("trail shoes", dashboardtest.UntilFailed...)
		w := signedIn(t, t.In("sites"), "tbody tr")
		w.until(t.In("deliveries"), "#delivery-of-"+uid)
		w.goTo(t.In("sites"), "tbody tr")
		w.Click("[data-go=d]", "select")
		w.Look("deliveries-choose-site")
		w.Run(chromedp.SetValue("#site", t.SiteUID, chromedp.ByQuery))
		w.Click("form.inline button", "form[action$='/redeliver-failed']")
		w.Look("deliveries-of-site")
		w.Click("form[action$='/redeliver-failed'] button", "#done")
	})
})
