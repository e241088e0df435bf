//go:build e2e

package browser_test

import (
	"os"
	"strings"

	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

// watched counts the previews that the page shows from now on: each has a frame of its own.
func (w *window) watched() {
	GinkgoHelper()
	w.Run(chromedp.Evaluate(`window.previews = 0; new MutationObserver(all => { for (const m of all) for (const n of m.removedNodes) `+
		`if (n.nodeName === "IFRAME") window.previews++ }).observe(document.querySelector(".editor-preview"), {childList: true}); 0`, nil))
}

// previewed waits until a new preview is there.
func (w *window) previewed() {
	GinkgoHelper()
	w.Until(`window.previews > 0 && document.querySelectorAll("iframe").length === 1`)
}

var _ = Describe("The editor", func() {
	It("previews while somebody types, and leaves nothing in the history", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.InReview("trail shoes")
		w := signedIn(t, t.In("articles", uid, "edit"), "#markdown")
		w.Until(`document.querySelector("iframe").name === "preview"`)
		w.Look("edit")
		var before, after int
		w.Evaluate("history.length", &before)
		for range 3 {
			w.watched()
			w.Run(chromedp.SendKeys("#markdown", " More.", chromedp.ByQuery))
			w.previewed()
		}
		w.Evaluate("history.length", &after)
		Expect(after).To(Equal(before))
		Expect(status(t, uid, "content_markdown")).To(Equal(dashboardtest.Text.Markdown), "nothing is stored")
	})

	It("goes on with lists at Enter, and makes a link of an address that is pasted on words", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, t.In("articles", t.Written("Huts", "Open."), "edit"), "#markdown")
		w.writes("")
		w.Type("1. one\rtwo\r\rwords")
		w.has("1. one\n2. two\nwords")
		w.chooses("words")
		w.pastes("", "https://example.com/huts ")
		w.has("1. one\n2. two\n[words](https://example.com/huts)")
		w.Agree()
	})

	It("keeps the format of what is pasted from a word processor, and says how long and how good the text is", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, t.In("articles", t.Written("Huts", "Open."), "edit"), "#markdown")
		paste := func(html, plain string) {
			w.writes("")
			w.pastes(html, plain)
		}
		for _, from := range []string{"google-docs", "word", "libreoffice"} {
			sample, err := os.ReadFile("../../../internal/clipboard/testdata/" + from + ".html")
			Expect(err).NotTo(HaveOccurred())
			paste(string(sample), "Trail running shoes")
			w.Until(`document.getElementById("markdown").value.endsWith("| Alpine | 149 |")`)
		}
		w.Until(`/^SEO score \d+ of 100, low\. .* 3[0-9] words, 1 min to read$/.test(document.getElementById("measure").textContent)`)
		w.Look("edit-pasted")
		paste(`<div><span style="color:#0000ff">## A heading</span></div>`, "## A heading")
		w.has("## A heading")
		paste("<p>"+strings.Repeat("[", 2000)+"</p>", "too large")
		w.has("too large")
		w.Agree()
	})

	It("keeps a copy of what was not saved", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Huts", "Open.")
		w := signedIn(t, t.In("articles", uid, "edit"), "#markdown")
		w.Run(chromedp.SendKeys("#markdown", " And warm.", chromedp.ByQuery))
		w.Until(`Object.keys(localStorage).length === 1`)
		// Without a change on the page, the browser does not ask before it is left.
		w.Run(chromedp.Evaluate(`document.querySelector("form.editor").reset(); 0`, nil))
		w.goTo(t.In("articles", uid, "edit"), ".warning")
		w.Look("edit-copy")
		w.Click(".warning button", "")
		w.Until(`document.getElementById("markdown").value.includes("And warm.")`)
		w.Click(".editor .primary", "")
		w.Until(`document.getElementById("saved").textContent === "Saved. The text is in review again."`)
		w.Until(`Object.keys(localStorage).length === 0`)
		w.Look("edit-saved")
	})

	It("works without scripts", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Huts", "Open.")
		w := signedIn(t, t.In("articles", uid, "edit"), "#markdown")
		w.WithoutScripts()
		w.goTo(t.In("articles", uid, "edit"), "#markdown")
		w.Click("button[value=add]", "#question-0")
		w.Run(chromedp.SendKeys("#question-0", "When?", chromedp.ByQuery), chromedp.SendKeys("#answer-0", "In May.", chromedp.ByQuery))
		w.Click(".editor .primary", ".notice")
		Eventually(func() string { return t.Ask("GET", "/v1/api/blogs/"+uid, nil).Raw }).Should(ContainSubstring(`"question":"When?"`))
		t.Reconcile(uid)
		Eventually(func() string { return status(t, uid, "revision_digest") }).ShouldNot(BeEmpty())
		w.goTo(t.In("articles", uid), approveForm)
		w.Click(approveForm+" .primary", ".notice")
	})

	It("says what must be", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, t.In("articles", t.Written("Huts", "Open."), "edit"), "#markdown")
		w.Click("button[value=add]", "#question-0")
		w.Look("edit-question")
		w.Run(chromedp.RemoveAttribute("#slug", "pattern", chromedp.ByQuery), chromedp.SetValue("#slug", "Not A Slug", chromedp.ByQuery))
		w.Click(".editor .primary", ".editor .problem")
		w.Until(`document.readyState === "complete" && document.querySelector(".warning") === null`)
		w.Look("edit-problem")
	})
})

var _ = Describe("Making articles", func() {
	It("generates one for each line, with and without scripts", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, t.In("articles", "new"), "#keywords")
		w.Look("make")
		w.Run(chromedp.SetValue("#keywords", "hiking shoes\nx", chromedp.ByQuery))
		w.Click("form[action$='/generate'] .primary", ".results")
		Expect(w.Text("h1")).To(Equal("Generating 1 article"))
		w.Look("make-results")
		w.WithoutScripts()
		w.goTo(t.In("articles", "new"), "#keywords")
		w.Run(chromedp.SetValue("#keywords", "trail shoes\nx\nroad shoes", chromedp.ByQuery))
		w.Click("form[action$='/generate'] .primary", ".results")
	})

	It("takes a text of one's own", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, t.In("articles", "new")+"?kind=write", "#markdown")
		w.Look("make-write")
		w.Run(chromedp.SetValue("#title", "Huts", chromedp.ByQuery), chromedp.SetValue("#markdown", strings.Repeat("Open. ", 20), chromedp.ByQuery))
		w.Click(".editor .primary", ".notice")
		Expect(w.Text("h1")).To(Equal("Huts"))
	})

	It("asks for keywords", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, t.In("articles", "new"), "#keywords")
		w.Run(chromedp.SetValue("#keywords", strings.Repeat("trail shoes\n", 51), chromedp.ByQuery))
		w.Click("form[action$='/generate'] .primary", "#keywords-problem")
		w.Look("make-problem")
	})
})
