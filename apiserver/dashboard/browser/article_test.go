//go:build e2e

package browser_test

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

const (
	approveForm = "form[action$='/approve']"
	rejectForm  = "form[action$='/reject']"
	publishForm = "form[action$='/publish']"
	// The form of a time, and what opens the panel that has it.
	scheduleForm = "form[action$='/schedule']"
	moreWays     = ".ways summary"
)

// status is a member of an article over REST.
func status(t *dashboardtest.Tenant, uid, member string) string {
	GinkgoHelper()
	return t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil).Text(member)
}

var _ = Describe("The page of an article", func() {
	It("takes one click from the article to approved and published, and one more for each further one", func() {
		t := facades.NewTenant("Acme Outdoors")
		first, second := t.InReview("trail shoes"), t.InReview("road shoes")
		w := signedIn(t, t.In("articles", first), "iframe")
		w.Look("article-review")
		w.Click("[form=approve-form][name=next]", "")
		w.Click(approveForm+" .primary", ".notice")
		Expect(w.Address()).To(ContainSubstring(second))
		w.Look("article-next")
		w.Click(approveForm+" .primary", ".notice")
		Expect(w.Text(".notice")).To(ContainSubstring("Nothing else waits for review"))
		for _, uid := range []string{first, second} {
			t.Reconcile(uid)
			Eventually(func() string { return status(t, uid, "status") }).Should(Equal("published"))
		}
		w.goTo(t.In("articles", first), "h1")
		w.Look("article-published")
	})

	It("is decided on with letters that move the focus, and Enter", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.InReview("trail shoes")
		w := signedIn(t, t.In("articles", uid), "iframe")
		w.untilLoaded()
		w.Press("a", "")
		w.Until(`document.activeElement.textContent === "Approve and publish"`)
		Expect(status(t, uid, "status")).To(Equal("review"), "a letter never writes")
		w.Press(kb.Enter, ".notice")
		Expect(w.Text(".notice")).To(Equal("Approved, and on its way."))
		w.Look("article-approved")
	})

	It("shows each of its states", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Generating("trail shoes")
		w := signedIn(t, t.In("articles", uid), "h1")
		w.Look("article-generating")
		t.Reconcile(uid)
		Eventually(func() string { return status(t, uid, "status") }).Should(Equal("review"))

		w.goTo(t.In("articles", uid), "iframe")
		w.Click(".reject summary", "")
		w.Until(`document.activeElement.id === "reason"`)
		w.Run(chromedp.RemoveAttribute("#reason", "required", chromedp.ByQuery))
		w.Click(rejectForm+" button", "#reason-problem")
		w.Look("article-reject-problem")
		w.Run(chromedp.SendKeys("#reason", "The second section has no sources.", chromedp.ByQuery))
		w.Click(rejectForm+" button", ".notice")
		w.Look("article-rejected")

		t.Rewrite(uid, "## Grip\n\nHard rubber.\n\n## Fit\n\nLeave room for the toes.")
		w.goTo(t.In("articles", uid, "changes"), ".diff-body")
		w.Look("article-changes")
		w.goTo(t.In("articles", uid, "confirm")+"?do=delete", "h1")
		w.Look("article-delete")

		w.goTo(t.In("articles", uid), approveForm)
		w.Click(moreWays, "")
		w.Look("article-more-ways")
		at := time.Now().UTC().AddDate(0, 1, 0).Format("2006-01-02T15:04")
		w.Run(chromedp.SetValue("#at", at, chromedp.ByQuery))
		w.Click(scheduleForm+" .buttons button", ".notice")
		t.Reconcile(uid)
		w.goTo(t.In("articles", uid), "h1")
		w.Look("article-scheduled")
	})

	It("shows a draft, and how it is submitted", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, t.In("articles", "new")+"?kind=write", "#markdown")
		w.Run(chromedp.SetValue("#title", "Huts", chromedp.ByQuery), chromedp.SetValue("#markdown", "The huts are open.", chromedp.ByQuery))
		w.Click("button[name=draft]", ".notice")
		path := strings.Split(w.Address(), "/")
		uid := path[len(path)-1]
		t.Reconcile(uid)
		Eventually(func() string { return status(t, uid, "revision_digest") }).ShouldNot(BeEmpty())
		w.goTo(t.In("articles", uid), "form[action$='/submit']")
		w.Look("article-draft")
		w.Click("form[action$='/submit'] .primary", ".notice")
		Expect(w.Text(".notice")).To(Equal("Submitted for review."))
		w.See(approveForm)
	})

	It("shows a delivery that failed", func() {
		t := facades.NewTenant("Acme Outdoors")
		receiver := t.SendTo(http.StatusGone)
		DeferCleanup(receiver.Close)
		uid := t.InReview("trail shoes")
		w := signedIn(t, t.In("articles", uid), "iframe")
		w.Click(approveForm+" .primary", ".notice")
		t.Reconcile(uid)
		w.goTo(t.In("articles", uid), "#article-delivery")
		w.Look("article-delivery")
	})

	It("is read by who may do nothing", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.InReview("trail shoes")
		w := signedInWith(t.NewKey("Reader", v1alpha1.ScopeRead), t.In("articles", uid), "iframe")
		w.Look("article-reader")
	})
})

var _ = Describe("Two people at one article", func() {
	It("A reads, B edits, A approves: nothing is approved, 3 of 3", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Huts", "The huts are open.")
		w := signedIn(t, t.In("articles", uid), "iframe")
		const rounds = 3
		for n := range rounds {
			w.goTo(t.In("articles", uid), approveForm)
			t.Rewrite(uid, "The huts are open, version "+strconv.Itoa(n)+".")
			w.Click(approveForm+" .primary", ".diff-body")
			Expect(w.Text(".problem")).To(ContainSubstring("Nothing has been approved"))
			Expect(status(t, uid, "status")).To(Equal("review"))
		}
		w.Look("article-changed-meanwhile")
	})

	It("A is told that B has changed the text, and nothing moves under the pointer", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Huts", "The huts are open.")
		w := signedIn(t, t.In("articles", uid), "iframe")
		const top = `document.querySelector("form[action$='/approve'] .primary").getBoundingClientRect().top`
		var before, after float64
		w.untilLoaded()
		w.Evaluate(top, &before)
		t.Rewrite(uid, "The huts are closed.")
		w.See("#newer")
		w.Evaluate(top, &after)
		Expect(after).To(Equal(before))
		w.Look("article-newer")
	})

	It("the second of two editors keeps the text", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Huts", "The huts are open.")
		w := signedIn(t, t.In("articles", uid, "edit"), "#markdown")
		t.Rewrite(uid, "The huts are closed.")
		w.Run(chromedp.SetValue("#markdown", "The huts open in May.", chromedp.ByQuery))
		w.Click(".editor .primary", "#my-text")
		var mine string
		w.Run(chromedp.Value("#my-text", &mine, chromedp.ByQuery))
		Expect(mine).To(Equal("The huts open in May."))
		w.Look("edit-conflict")
	})
})
