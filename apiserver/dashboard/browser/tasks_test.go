//go:build e2e

package browser_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
	"github.com/pressroom-dev/pressroom/test/project"
)

// documentedSteps returns what the list of tasks in docs/how-to/use-the-dashboard.md says that each takes.
func documentedSteps() map[string]string {
	GinkgoHelper()
	guide, err := os.ReadFile(filepath.Join(project.Root(), "docs", "how-to", "use-the-dashboard.md"))
	Expect(err).NotTo(HaveOccurred())
	steps := map[string]string{}
	for _, row := range regexp.MustCompile(`(?m)^- (.+): (\d.+)$`).FindAllStringSubmatch(string(guide), -1) {
		steps[row[1]] = row[2]
	}
	return steps
}

// control presses a key with Ctrl.
func (w *window) control(key string) {
	GinkgoHelper()
	w.Run(chromedp.KeyEvent(key, chromedp.KeyModifiers(input.ModifierCtrl)))
}

// counted signs in at a path, and has the browser count from then on.
func counted(key, path, selector string) *window {
	GinkgoHelper()
	w := signedInWith(key, path, selector)
	w.untilLoaded()
	w.CountSteps()
	return w
}

// edited waits until what the editor has saved is a revision.
func (w *window) edited(t *dashboardtest.Tenant, uid string) {
	GinkgoHelper()
	Eventually(func() string {
		t.Reconcile(uid)
		return w.Text("#saved")
	}).Should(HavePrefix("Saved."))
}

// failing makes articles of a site of several or of one that refuses them, and returns a window on the list.
func failing(sites ...string) (*dashboardtest.Tenant, *window) {
	GinkgoHelper()
	t := facades.NewTenant("Acme Outdoors")
	t.SendTo(http.StatusServiceUnavailable)
	for _, name := range sites {
		t.NewSite(t.Workspace, name)
	}
	uid := t.Sent("trail shoes", dashboardtest.UntilFailed...)
	w := signedIn(t, t.In("articles"), "h1")
	w.until(t.In("deliveries"), "#delivery-of-"+uid)
	w.goTo(t.In("articles"), "h1")
	w.CountSteps()
	return t, w
}

// aTask is what somebody does, and returns the window in which it was counted.
type aTask func() *window

// tasks are those of the list, each with the ways to do it that are there.
var tasks = map[string][]aTask{
	"Review and publish, from the list": {
		func() *window {
			t := facades.NewTenant("Acme Outdoors")
			uid := t.InReview("trail shoes")
			w := counted(t.Key, t.In("articles"), "#a-"+uid)
			w.Click("#a-"+uid+" a", approveForm)
			w.Click(approveForm+" .primary", ".notice")
			becomePublished(t, uid)
			return w
		}, func() *window {
			t := facades.NewTenant("Acme Outdoors")
			uid := t.InReview("trail shoes")
			w := counted(t.Key, t.In("articles"), "#a-"+uid)
			w.Press(kb.Enter, approveForm)
			w.Press("a", "")
			w.Press(kb.Enter, ".notice")
			becomePublished(t, uid)
			return w
		},
	},
	"The next one": {
		func() *window {
			t, w, next := afterTheFirst()
			w.Click(approveForm+" .primary", ".notice")
			becomePublished(t, next)
			return w
		}, func() *window {
			t, w, next := afterTheFirst()
			w.Press("a", "")
			w.Press(kb.Enter, ".notice")
			becomePublished(t, next)
			return w
		},
	},
	"The same on a phone, from the list": {func() *window {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Huts", strings.Repeat("One more sentence that stands here.\n\n", 120))
		w := counted(t.Key, t.In("articles"), "#a-"+uid)
		w.Run(emulation.SetDeviceMetricsOverride(360, 800, 1, true))
		w.Click("#a-"+uid+" a", approveForm)
		w.Until(`(r => r.top >= 0 && r.bottom <= innerHeight)(document.querySelector("` + approveForm + ` .primary").getBoundingClientRect())`)
		w.Click(approveForm+" .primary", ".notice")
		becomePublished(t, uid)
		return w
	}},
	"Publish 30 articles of one site over two weeks, from the list": {func() *window {
		t := facades.NewTenant("Acme Outdoors")
		t.NewSite(t.Workspace, "other")
		var uid string
		for n := range 30 {
			uid = t.Written(fmt.Sprintf("Hut %d", n), "Open.")
		}
		w := counted(t.Key, t.In("articles"), "#a-"+uid)
		w.Choose("[name=site]", t.SiteUID)
		w.Click(".filter button", "#all-rows")
		w.untilLoaded()
		w.Click("#all-rows", "")
		w.Click("[name=do][value=approve-and-publish]", bulkButton)
		w.Tick("spread")
		w.Press(kb.Tab, "")
		w.Type("11")
		w.Press(kb.Tab, "")
		w.Type("12012040" + "0900A")
		w.Click(bulkButton, "#done")
		Expect(w.Text("main")).To(And(ContainSubstring("30 articles"), ContainSubstring("1 Dec 2040, 09:00"), ContainSubstring("14 Dec 2040, 16:00")))
		return w
	}},
	"Reject and get another text": {func() *window {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.InReview("trail shoes")
		w := counted(t.Key, t.In("articles", uid), approveForm)
		w.Click(".reject summary", "")
		w.Until(`document.activeElement.id === "reason"`)
		w.Type("A paragraph about grip is missing.")
		w.Click(rejectForm+" .danger", ".notice")
		w.Click(".head details.menu summary", "")
		w.Click("a[href$='do=regenerate']", "form[action$='/regenerate']")
		w.Click("form[action$='/regenerate'] button", ".notice")
		t.Run(uid, controllertest.Run{Now: time.Now(), Text: guideText("trail running shoes", "Another text", poles)})
		w.becomes(t, uid, "review")
		return w
	}},
	"Mend a sentence": {func() *window {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Huts", "The huts are open.")
		w := counted(t.Key, t.In("articles", uid), "[data-key=e]")
		w.Click("[data-key=e]", "#markdown")
		w.untilLoaded()
		w.Click("#markdown", "")
		w.Type(" Bring a blanket.")
		w.control("s")
		w.edited(t, uid)
		Expect(status(t, uid, "content_markdown")).To(ContainSubstring("Bring a blanket."))
		return w
	}},
	"Find an article by two words": {func() *window {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("The winter rooms of alpine huts", "Open.")
		decide(t, uid, "approve", nil)
		w := counted(t.Key, t.In("articles"), "[data-key='/']")
		w.Press("/", "")
		w.Type("huts winter")
		w.Press(kb.Enter, "#a-"+uid)
		return w
	}},
	"Paste 1,500 words with a table": {func() *window {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Huts", "Open.")
		w := counted(t.Key, t.In("articles", uid), "[data-key=e]")
		w.Click("[data-key=e]", "#markdown")
		w.untilLoaded()
		w.Click("#markdown", "")
		w.control("a")
		w.control("v")
		document := "<h2>Huts</h2>" + strings.Repeat("<p>A sentence of ten words about a hut in winter.</p>", 150) +
			"<table><tr><th>Hut</th><th>Beds</th></tr><tr><td>Alpine</td><td>40</td></tr></table>"
		// What the browser would have on its clipboard.
		w.pastes(document, "")
		w.Until(`document.getElementById("markdown").value.endsWith("|")`)
		w.control("s")
		w.edited(t, uid)
		Expect(status(t, uid, "content_html")).To(And(ContainSubstring("<table>"), Not(ContainSubstring("Open."))))
		return w
	}},
	"Restore yesterday's revision": {func() *window {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Huts", "Yesterday.")
		t.Rewrite(uid, "Today.")
		w := counted(t.Key, t.In("articles", uid), "form[action$='/restore']")
		w.Click("form[action$='/restore'] button", ".notice")
		t.Reconcile(uid)
		Eventually(func() string { return status(t, uid, "content_markdown") }).Should(Equal("Yesterday."))
		return w
	}},
	"See why the site fails, and send everything again": {func() *window {
		_, w := failing()
		w.Click("[data-go=d]", "tbody tr")
		Expect(w.Text("tbody")).To(ContainSubstring("The receiver itself failed"))
		w.Click("form[action$='/redeliver-failed'] button", "#done")
		return w
	}},
	"The same with several sites": {func() *window {
		t, w := failing("second")
		w.Click("[data-go=d]", "tbody tr")
		w.Choose("#site", t.SiteUID)
		w.Click("form.inline button", "form[action$='/redeliver-failed']")
		Expect(w.Text("tbody")).To(ContainSubstring("The receiver itself failed"))
		w.Click("form[action$='/redeliver-failed'] button", "#done")
		return w
	}},
	"Connect a site": {func() *window {
		t := facades.NewTenant("Acme Outdoors")
		w := counted(t.NewKey("Mia", auth.Scopes()...), t.In("articles"), "[data-go=s]")
		w.Click("[data-go=s]", ".head .primary")
		w.Click(".head .primary", ".choices")
		w.Click(".choices a[href$='type=headless']", "#domain")
		w.Click("#domain", "")
		w.Type("shop.example.com")
		w.Click("[name='connection.url']", "")
		w.Type("https://shop.example.com/hook")
		w.Click(connectForm+" .primary", "#secret")
		w.Click("main a.primary", "#connection")
		return w
	}},
	"Schedule in another time zone": {func() *window {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.InReview("trail shoes")
		decide(t, uid, "approve", nil)
		w := counted(t.Key, t.In("articles", uid), publishForm)
		w.Click(moreWays, "")
		w.Press(kb.Tab, "")
		w.Type("12012040" + "0900A")
		w.Click("#schedule-zone", "")
		w.Until(`(e => e.id === "schedule-zone" && e.selectionEnd - e.selectionStart === e.value.length)(document.activeElement)`)
		w.Type("zurich")
		w.Click(scheduleForm+" .buttons button", ".notice")
		Expect(status(t, uid, "publish_at")).To(Equal("2040-12-01T08:00:00.000Z"))
		return w
	}},
}

// afterTheFirst returns a window in which the first article of a list was approved, and the second one that is open now.
func afterTheFirst() (t *dashboardtest.Tenant, w *window, next string) {
	GinkgoHelper()
	t = facades.NewTenant("Acme Outdoors")
	next = t.InReview("road shoes")
	first := t.InReview("trail shoes")
	w = counted(t.Key, t.In("articles"), "#a-"+first)
	w.Click("#a-"+first+" a", approveForm)
	w.Click(approveForm+" .primary", ".notice")
	Expect(w.Address()).To(ContainSubstring(next))
	w.Steps()
	return t, w, next
}

var _ = Describe("The tasks of the guide", func() {
	for name, ways := range tasks {
		It("take the steps that it says: "+name, func() {
			steps := make([]string, 0, len(ways))
			for _, way := range ways {
				steps = append(steps, way().Steps())
			}
			Expect(documentedSteps()).To(HaveKeyWithValue(name, strings.Join(steps, ", or ")))
		})
	}

	It("are all done here", func() {
		Expect(documentedSteps()).To(HaveLen(len(tasks)))
	})
})
