//go:build e2e

package browser_test

import (
	"fmt"
	"net/http"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

const bulkButton = "main form[action$='/bulk'] .buttons button"

// decide approves or rejects an article over REST.
func decide(t *dashboardtest.Tenant, uid, operation string, body any) {
	GinkgoHelper()
	got := t.Ask(http.MethodPost, "/v1/api/blogs/"+uid+"/"+operation, body)
	Expect(got.Status).To(Equal(http.StatusOK), got.Raw)
}

// do does something with an element at once: a row may be replaced between finding it and pressing it.
func (w *window) do(selector, what string) {
	GinkgoHelper()
	w.Evaluate(fmt.Sprintf("document.querySelector(%q).%s; 0", selector, what), nil)
}

// doWithMany presses the button of an action on the selected articles, which may be in the menu.
func (w *window) doWithMany(action, then string) {
	GinkgoHelper()
	var listed bool
	w.Evaluate(`document.querySelector(".menu [name=do][value=`+action+`]") !== null`, &listed)
	if listed {
		w.Click(".bulk .menu summary", "")
	}
	w.Click("[name=do][value="+action+"]", then)
}

// focused reports whether an element has the focus.
func (w *window) focused(selector string) bool {
	GinkgoHelper()
	var is bool
	w.Evaluate(`document.activeElement.matches("`+selector+`")`, &is)
	return is
}

var _ = Describe("The list of articles", func() {
	It("shows every status, and says why it is empty", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, t.In("articles"), "#empty")
		w.Look("articles-none")
		t.Generating("waterproof trail running shoes for wide feet")
		w.until(t.In("articles"), "#empty a[href*='generating']")
		w.Look("articles-queue-empty")
		rejected := t.InReview("trail shoes")
		decide(t, rejected, "reject", map[string]any{"note": "The second section has no sources."})
		planned := t.InReview("trail poles")
		decide(t, planned, "publish", map[string]any{"publish_at": time.Now().AddDate(0, 1, 0).UTC().Format(time.RFC3339)})
		decide(t, planned, "approve", nil)
		archived := t.InReview("old shoes")
		decide(t, archived, "archive", nil)
		published := t.InReview("socks")
		decide(t, published, "approve", nil)
		decide(t, published, "publish", nil)
		t.Reconcile(published)
		t.InReview("a keyword that is so long that it takes more than one line on a phone, and perhaps on a screen too")
		t.NewSite(t.Workspace, "shop")
		w.until(t.In("articles")+"?status=all", ".badge.published")
		w.Look("articles")
		w.goTo(t.In("articles"), "tbody tr")
		w.Look("articles-review")
		w.Run(chromedp.SendKeys("[name=q]", "mountain boots", chromedp.ByQuery))
		w.Click(".filter button", "#empty")
		Expect(w.Address()).To(ContainSubstring("q=mountain+boots"))
		w.Look("articles-not-found")
		w.Click("#empty a", "tbody tr")

		t.NewSite(t.Workspace+"-2", "main")
		w.until("/app", ".workspace-list")
		w.Look("home")
	})

	It("changes many without scripts, after a question", func() {
		t := facades.NewTenant("Acme Outdoors")
		first, second := t.InReview("trail shoes"), t.InReview("trail poles")
		w := signedIn(t, t.In("articles"), "#a-"+first)
		w.WithoutScripts()
		w.goTo(t.In("articles"), "#a-"+first)
		for _, uid := range []string{first, second} {
			w.Click("#a-"+uid+" input", "")
		}
		w.doWithMany("approve", bulkButton)
		w.Click(bulkButton, "#done")
		Expect(w.Text("h1")).To(Equal("Approved: 2 articles"))
		w.until(t.In("articles")+"?status=approved", "#a-"+second)
		w.Click("#a-"+second+" input", "")
		w.doWithMany("publish", "#at")
		w.Click(bulkButton, "#done")
		Expect(w.Text("main")).To(ContainSubstring("Publication asked for: 1 article"))
	})

	It("selects a range with Shift, says how many, and spreads their publication over days", func() {
		t := facades.NewTenant("Acme Outdoors")
		var newest string
		for _, keyword := range []string{"trail shoes", "trail poles", "trail hats", "trail socks"} {
			newest = t.InReview(keyword)
		}
		w := signedIn(t, t.In("articles"), "#a-"+newest)
		w.untilLoaded()
		w.Press("j", "")
		w.Press("x", "")
		w.Until(`document.getElementById("ticked").textContent === "1 selected:"`)
		w.Press("j", "")
		w.Press("j", "")
		w.Press("X", "")
		w.Until(`document.getElementById("ticked").textContent === "3 selected:"`)
		w.Look("articles-range")
		w.Click("[name=do][value=approve-and-publish]", bulkButton)
		Expect(w.Text("h1")).To(Equal("Approve and publish 3 articles?"))
		w.Tick("spread")
		w.Run(chromedp.SetValue("#at", "2040-12-01T09:00", chromedp.ByQuery), chromedp.SetValue("[name=hours]", "48", chromedp.ByQuery))
		w.Look("bulk-spread")
		w.Click(bulkButton, "#done")
		Expect(w.Text("main")).To(And(ContainSubstring("1 Dec 2040, 09:00"), ContainSubstring("3 Dec 2040, 09:00"), ContainSubstring("5 Dec 2040, 09:00")))
		w.Look("bulk-spread-done")
	})

	It("says what will be done with many, and what has become of each", func() {
		t := facades.NewTenant("Acme Outdoors")
		first, second := t.InReview("trail shoes"), t.InReview("trail poles")
		w := signedIn(t, t.In("articles"), "#a-"+first)
		w.doWithMany("archive", ".problem")
		w.Look("bulk-nothing-selected")
		for _, uid := range []string{first, second} {
			w.do("#a-"+uid+" input", "click()")
		}
		w.Look("articles-selected")
		w.doWithMany("approve", bulkButton)
		w.Look("bulk-approve")
		Expect(t.Ask(http.MethodPatch, "/v1/api/blogs/"+second, map[string]any{"title": "Another title"}).Status).To(Equal(http.StatusOK))
		t.Reconcile(second)
		w.Click(bulkButton, "#failed")
		Expect(w.Text("h1")).To(Equal("1 article could not be changed"))
		w.Look("bulk-partly-done")
		w.Click("main a.primary", "tbody tr")
		w.until(t.In("articles")+"?status=approved", "#a-"+first)
		w.do("#a-"+first+" input", "click()")
		w.doWithMany("publish", "#at")
		w.Look("bulk-publish")
		w.Click("[name=when][value=at]", "")
		w.Click(bulkButton, "main [role=alert]")
		w.Look("bulk-publish-problem")
		w.Click("[name=when][value=now]", "")
		w.Click(bulkButton, "#done")
		w.Look("bulk-done")
		w.until(t.In("articles")+"?status=all", "#a-"+second+" .badge.review")
		w.do("#a-"+second+" input", "click()")
		w.doWithMany("reject", "#reason")
		w.Look("bulk-reject")
		w.goTo(t.In("articles")+"?status=all", "#a-"+second)
		w.do("#a-"+second+" input", "click()")
		w.Click(".bulk .menu summary", "")
		w.Look("articles-bulk-menu")
		w.Click("[name=do][value=delete]", ".danger")
		w.Look("bulk-delete")
	})

	It("is gone through with the keyboard", func() {
		t := facades.NewTenant("Acme Outdoors")
		older, newer := t.InReview("trail shoes"), t.InReview("trail poles")
		w := signedIn(t, t.In("articles"), "#a-"+older)
		w.untilLoaded()
		w.Press("j", "")
		Expect(w.focused("#a-" + newer + " a")).To(BeTrue())
		w.Press("j", "")
		w.Press("x", "")
		var ticked bool
		w.Evaluate(`document.querySelector("#a-`+older+` input").checked`, &ticked)
		Expect(ticked).To(BeTrue())
		w.Press("/", "")
		Expect(w.focused("[name=q]")).To(BeTrue())
		w.Press("j", "")
		Expect(w.focused("[name=q]")).To(BeTrue(), "in a field, a letter is a letter")
		w.TabTo("[name=do]")
	})
})

// hide has the page think that its tab is hidden, or that it is not.
func (w *window) hide(hidden bool) {
	GinkgoHelper()
	w.Evaluate(fmt.Sprintf(`Object.defineProperty(document, "hidden", {value: %t, configurable: true}); document.dispatchEvent(new Event("visibilitychange"))`, hidden), nil)
}

var _ = Describe("A page that is open", func() {
	It("follows changes, and leaves alone what somebody is busy with", func() {
		t := facades.NewTenant("Acme Outdoors")
		held, ticked, free := t.Written("Held by the focus", "A text."), t.Written("Ticked", "A text."), t.Written("Free", "A text.")
		w := signedIn(t, t.In("articles"), "#a-"+free)
		w.do("#a-"+held+" a", "focus()")
		w.do("#a-"+ticked+" input", "checked = true")
		for _, uid := range []string{held, ticked, free} {
			decide(t, uid, "approve", nil)
		}
		w.Until(`document.querySelector("#a-` + free + `.gone .badge.approved") !== null`)
		var heldStatus, tickedStatus string
		w.Evaluate(`document.querySelector("#a-`+held+` .badge").textContent`, &heldStatus)
		w.Evaluate(`document.querySelector("#a-`+ticked+` .badge").textContent`, &tickedStatus)
		Expect([]string{heldStatus, tickedStatus}).To(Equal([]string{"In review", "In review"}))
		Expect(w.focused("#a-" + held + " a")).To(BeTrue())
		w.do("#a-"+held+" a", "blur()")
		w.Until(`document.querySelector("#a-` + held + ` .badge.approved") !== null`)
		w.Until(`document.querySelector("#announce").textContent !== ""`)

		t.Written("New", "A text.")
		w.See("#new-rows a")
		Expect(w.Text("#new-rows")).To(Equal("1 new article. Show"))
		w.Look("articles-changed")
		w.Click("#new-rows a", "tbody tr")
		Expect(w.Text("tbody")).To(And(ContainSubstring("New"), Not(ContainSubstring("Free"))))
	})

	It("asks for nothing while it is hidden, and is up to date when it comes back", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Waits", "A text.")
		w := signedIn(t, t.In("articles"), "#a-"+uid)
		w.hide(true)
		decide(t, uid, "approve", nil)
		var there bool
		w.Evaluate(`document.querySelector("#a-`+uid+` .badge.approved") !== null`, &there)
		Expect(there).To(BeFalse())
		w.hide(false)
		w.Until(`document.querySelector("#a-` + uid + ` .badge.approved") !== null`)
	})

	It("shows nothing while it is hidden that it asked for before", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Waits", "A text.")
		w := signedIn(t, t.In("articles"), "#a-"+uid)
		w.untilLoaded()
		// The answer comes when the test lets it, and the page has read it once shown is set.
		w.Evaluate(`{
			const ask = window.fetch;
			window.fetch = (...args) => new Promise(done => {
				window.answer = async () => {
					const text = await (await ask(...args)).text();
					done({ok: true, text: async () => text});
					setTimeout(() => { window.shown = true; });
				};
			});
		} 0`, nil)
		decide(t, uid, "approve", nil)
		w.Until(`window.answer !== undefined`)
		w.hide(true)
		w.Evaluate(`window.answer(); 0`, nil)
		w.Until(`window.shown === true`)
		var there bool
		w.Evaluate(`document.querySelector("#a-`+uid+` .badge.approved") !== null`, &there)
		Expect(there).To(BeFalse())
	})

	It("loads in seven tabs at a time over HTTP/1.1", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Waits", "A text.")
		first := signedIn(t, t.In("articles"), "#a-"+uid)
		first.Evaluate(`document.querySelector(".brand").target = "_blank"`, nil)
		for range 6 {
			tab := first.Opens(func() { first.Click(".brand", "") })
			tab.See("#a-" + uid)
		}
	})

	It("says when it is not up to date any more", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Waits", "A text.")
		w := signedIn(t, t.In("articles"), "#a-"+uid)
		w.untilLoaded()
		w.hide(true)
		w.Run(network.Enable(), network.EmulateNetworkConditions(true, 0, -1, -1))
		w.hide(false)
		w.See("#live-state")
		var covers bool
		w.Evaluate(`(e => { const at = e.getBoundingClientRect(); `+
			`return e.contains(document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2)) })`+
			`(document.querySelector("#live-state"))`, &covers)
		Expect(covers).To(BeFalse(), "what is said must leave the buttons below it alone")
		w.Look("articles-not-live")
		w.hide(true)
		w.Run(network.EmulateNetworkConditions(false, 0, -1, -1))
		w.hide(false)
		w.Until(`document.querySelector("#live-state").hidden`)
	})
})

var _ = Describe("The calendar", func() {
	It("shows a month, moves an article and asks about a time that does not exist", func() {
		t := facades.NewTenant("Acme Outdoors")
		t.NewSite(t.Workspace, "shop")
		w := signedIn(t, t.In("calendar"), ".empty")
		w.Look("calendar-empty")
		day := time.Now().UTC()
		var last string
		for i, hour := range []int{9, 11} {
			uid := t.InReview([]string{"trail shoes", "trail poles"}[i])
			at := time.Date(day.Year(), day.Month()+1, 12, hour, 0, 0, 0, time.UTC)
			decide(t, uid, "publish", map[string]any{"publish_at": at.Format(time.RFC3339)})
			if i == 0 {
				decide(t, uid, "approve", nil)
			}
			last = uid
		}
		month := time.Date(day.Year(), day.Month()+1, 1, 0, 0, 0, 0, time.UTC).Format("2006-01")
		w.until(t.In("calendar")+"?month="+month, "a[href*='"+last+"'].move")
		w.Look("calendar")
		w.Click("a[href*='"+last+"'].move", "#at")
		w.Look("calendar-move")
		w.Run(chromedp.SetValue("#at", "2040-03-25T02:30", chromedp.ByQuery), chromedp.SetValue("#schedule-zone", "Europe/Zurich", chromedp.ByQuery))
		w.Click("main button.primary", "[name=instant]")
		w.Look("calendar-move-missing")
		w.Click("[name=instant]", "")
		w.Click("main button.primary", ".notice")
		Expect(w.Text(".notice")).To(ContainSubstring("25 Mar 2040, 01:30 Europe/Zurich (00:30 UTC)"))
		w.Look("calendar-moved")
	})

	It("shows a reader nothing to change", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedInWith(t.NewKey("Rea", v1alpha1.ScopeRead), t.In("articles"), "#empty")
		w.Look("articles-none-reader")
	})
})
