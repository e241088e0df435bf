//go:build e2e

package browser_test

import (
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/test/browsertest"
	"github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

// becomePublished runs the controller for articles that were approved and published.
func becomePublished(t *dashboardtest.Tenant, uids ...string) {
	GinkgoHelper()
	for _, uid := range uids {
		t.Reconcile(uid)
		Eventually(func() string { return status(t, uid, "status") }).Should(Equal("published"))
		Expect(t.Ask("GET", "/v1/api/blogs/"+uid, nil).Raw).To(ContainSubstring(`"decision":"approved"`))
	}
}

var _ = Describe("The way from the sign-in page to published", func() {
	It("takes three clicks, one more for each further article, and three keys from the list", func() {
		t := facades.NewTenant("Acme Outdoors")
		oldest, middle, newest := t.InReview("trail shoes"), t.InReview("road shoes"), t.InReview("rain jackets")
		w := &window{Window: browsertest.Open()}
		w.Watch("preview")
		w.CountSteps()
		w.Visit(facades.URLs[0]+"/app", "#key")
		w.Until(`document.activeElement.id === "key"`)
		w.Run(chromedp.KeyEvent(t.Key))
		w.Click("form[action='/oauth/sign-in'] button", "#a-"+newest)
		w.Click("#a-"+newest+" a", approveForm)
		w.Click(approveForm+" .primary", ".notice")
		Expect(w.Steps()).To(Equal("3 clicks, 1 text"))
		Expect(w.Address()).To(ContainSubstring(middle), "the next one of the list is open")
		w.Click(approveForm+" .primary", ".notice")
		Expect(w.Steps()).To(Equal("1 click"))
		becomePublished(t, newest, middle)

		w.until(t.In("articles"), "#a-"+oldest)
		w.Press(kb.Enter, approveForm)
		w.Press("a", "")
		w.Press(kb.Enter, ".notice")
		Expect(w.Steps()).To(Equal("3 keys"))
		Expect(w.Text(".notice")).To(ContainSubstring("Nothing else waits for review"))
		becomePublished(t, oldest)
	})

	It("opens what the keyboard is at, and nothing while a field has the focus", func() {
		t := facades.NewTenant("Acme Outdoors")
		older, newer := t.InReview("trail shoes"), t.InReview("road shoes")
		w := signedIn(t, t.In("articles"), "#a-"+newer)
		marked := func(uid string) string {
			return `getComputedStyle(document.querySelector("#a-` + uid + ` > :first-child")).boxShadow !== "none"`
		}
		w.Until(marked(newer) + " && !(" + marked(older) + ")")
		w.Press("j", "")
		w.Until("!(" + marked(newer) + ")")
		w.Press("j", "")
		w.Press(kb.Enter, approveForm)
		Expect(w.Address()).To(ContainSubstring(older))
		w.goTo(t.In("articles"), "#a-"+newer)
		w.do("[name=q]", "focus()")
		w.Press(kb.Enter, "#a-"+newer)
		Expect(w.Address()).To(ContainSubstring("/articles?"), "the search is sent")
	})
})

var _ = Describe("Without scripts", func() {
	It("an article is rejected, generated again, scheduled, approved, unscheduled, published and archived", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.InReview("trail shoes")
		w := signedIn(t, t.In("articles", uid), "h1")
		w.WithoutScripts()
		open := func() { w.goTo(t.In("articles", uid), "h1") }
		fromMenu := func(entry, then string) {
			open()
			w.Click(".head details.menu summary", "")
			w.Click(entry, then)
		}
		open()
		w.Click(".reject summary", "")
		w.Run(chromedp.SendKeys("#reason", "The second section has no sources.", chromedp.ByQuery))
		w.Click(rejectForm+" button", ".notice")
		w.becomes(t, uid, "rejected")

		fromMenu("a[href$='do=regenerate']", "form[action$='/regenerate']")
		w.Click("form[action$='/regenerate'] button", ".notice")
		t.Run(uid, controllertest.Run{Now: time.Now(), Text: guideText("trail running shoes", "Another text", poles)})
		w.becomes(t, uid, "review")

		open()
		w.Click(moreWays, "")
		w.Run(chromedp.SetValue("#at", "2040-12-01T09:00", chromedp.ByQuery))
		w.Click(scheduleForm+" .buttons button", ".notice")
		t.Reconcile(uid)
		w.becomes(t, uid, "scheduled")
		fromMenu("form[action$='/unschedule'] button", ".notice")
		w.becomes(t, uid, "approved")

		open()
		w.Click(publishForm+" .primary", ".notice")
		t.Reconcile(uid)
		w.becomes(t, uid, "published")
		fromMenu("a[href$='do=archive']", "form[action$='/archive']")
		w.Click("form[action$='/archive'] button", ".notice")
		w.becomes(t, uid, "archived")
	})

	It("an article whose delivery failed is sent again", func() {
		t := facades.NewTenant("Acme Outdoors")
		receiver := t.SendTo(503)
		uid := t.Sent("trail shoes", dashboardtest.UntilFailed...)
		w := signedIn(t, t.In("articles", uid), "h1")
		w.WithoutScripts()
		w.until(t.In("articles", uid), "form[action$='/redeliver']")
		receiver.AnswersStatus(200)
		w.Click("form[action$='/redeliver'] button", ".notice")
		Expect(w.Text(".notice")).To(Equal("It is sent again."))
		t.Reconcile(uid)
		w.becomes(t, uid, "published")
	})
})

// becomes waits until an article has a status at the replica of the window.
func (*window) becomes(t *dashboardtest.Tenant, uid, want string) {
	GinkgoHelper()
	Eventually(func() string { return status(t, uid, "status") }).Should(Equal(want))
}
