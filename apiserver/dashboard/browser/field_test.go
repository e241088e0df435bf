//go:build e2e

package browser_test

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// writes replaces the text of the editor, and moves the focus into it.
func (w *window) writes(text string) {
	GinkgoHelper()
	w.See(".cm-content")
	w.Evaluate(fmt.Sprintf(`(area => {
		area.value = %q;
		area.dispatchEvent(new Event("input", {bubbles: true}));
		area.focus();
	})(document.getElementById("markdown"))`, text), nil)
	w.Until(`document.activeElement.matches(".cm-content")`)
}

// chooses selects words in the text of the editor. In the tab that has the focus, it tells the editor at once: the event of the browser
// comes later, and can be late on a busy machine.
func (w *window) chooses(words string) {
	GinkgoHelper()
	w.Until(fmt.Sprintf(`(words => {
		const field = document.querySelector(".cm-content");
		field?.focus();
		for (const walker = document.createTreeWalker(field ?? document.body, NodeFilter.SHOW_TEXT); walker.nextNode();) {
			const text = walker.currentNode, at = text.data.indexOf(words);
			if (at < 0) continue;
			getSelection().setBaseAndExtent(text, at, text, at + words.length);
			if (document.hasFocus()) document.dispatchEvent(new Event("selectionchange"));
			return String(getSelection()) === words;
		}
		return false;
	})(%q)`, words))
}

// pastes has the browser paste into the text of the editor: a text, as HTML too, and files with a name and a type.
func (w *window) pastes(html, plain string, files ...string) {
	GinkgoHelper()
	w.See(".cm-content")
	w.Evaluate(fmt.Sprintf(`(() => {
		const clipboardData = new DataTransfer();
		if (%[1]q) clipboardData.setData("text/html", %[1]q);
		if (%[2]q) clipboardData.setData("text/plain", %[2]q);
		for (const name of %[3]q.split(" ").filter(Boolean)) clipboardData.items.add(new File(["x"], name, {type: "image/png"}));
		document.querySelector(".cm-content").dispatchEvent(new ClipboardEvent("paste", {clipboardData, bubbles: true, cancelable: true}));
	})()`, html, plain, strings.Join(files, " ")), nil)
}

// has waits until the form would send a text.
func (w *window) has(text string) {
	GinkgoHelper()
	w.Until(fmt.Sprintf(`document.getElementById("markdown").value === %q`, text))
}

// capital presses Ctrl with a letter while Caps Lock is on.
func (w *window) capital(letter string) {
	GinkgoHelper()
	code := int64(letter[0])
	for _, kind := range []input.KeyType{input.KeyRawDown, input.KeyUp} {
		w.Run(input.DispatchKeyEvent(kind).WithModifiers(input.ModifierCtrl).WithKey(letter).WithCode("Key" + letter).WithWindowsVirtualKeyCode(code))
	}
}

var _ = Describe("The field of a text", func() {
	It("shows Markdown as it is meant, undoes what was pasted in one step, and lets nobody be trapped", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, t.In("articles", t.Written("Huts", "Open."), "edit"), ".cm-content")
		w.writes("## Winter\n\nA **bold** hut, ~~not~~ [open](https://a.example).\n\n- one")
		for class, words := range map[string]string{"md-h2": "Winter", "md-strong": "bold", "md-strike": "not", "md-link": "open"} {
			w.Until(fmt.Sprintf(`[...document.querySelectorAll(".%s")].some(e => e.textContent.includes(%q))`, class, words))
		}
		w.Until(`(f => f.getAttribute("role") === "textbox" && f.spellcheck && f.lang === "en" && ` +
			`document.getElementById(f.getAttribute("aria-labelledby")).textContent === "Text, in Markdown")(document.querySelector(".cm-content"))`)
		w.Look("field")
		By("a paste is one step")
		w.writes("Open. ")
		w.Run(chromedp.KeyEvent(kb.End))
		w.Type("So")
		w.pastes("<p>a</p><p><b>b</b></p>", "a\nb")
		w.has("Open. Soa\n\n**b**")
		w.control("z")
		w.has("Open. So")
		By("Tab and Shift+Tab lead out")
		w.Press(kb.Tab, "")
		w.Until(`!document.activeElement.matches(".cm-content")`)
		w.Run(chromedp.Focus("#markdown", chromedp.ByQuery))
		w.Until(`document.activeElement.matches(".cm-content")`)
		w.Run(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(input.ModifierShift)))
		w.Until(`document.activeElement.matches("#tools button")`)
		w.Agree()
	})

	It("formats by buttons with names, one of which Tab reaches and arrows the others", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, t.In("articles", t.Written("Huts", "Open."), "edit"), ".cm-content")
		w.TabTo("#tools button[value=bold]")
		w.Press(kb.ArrowRight, "")
		w.Until(`document.activeElement.value === "italic"`)
		w.Until(`[...document.querySelectorAll("#tools button")].every(b => b.ariaLabel && b.title)`)
		for _, format := range []struct{ button, want string }{
			{"bold", "**words**"}, {"italic", "_words_"}, {"strike", "~~words~~"}, {"h2", "## words"}, {"h3", "### words"}, {"link", "[words](url)"},
			{"image", "![words](https://)"}, {"list", "- words"}, {"numbers", "1. words"}, {"quote", "> words"}, {"code", "`words`"},
		} {
			w.writes("words")
			w.chooses("words")
			w.Click("#tools button[value="+format.button+"]", "")
			w.has(format.want)
		}
		By("a button pressed again takes it back, and a heading becomes a smaller one")
		w.writes("## words")
		w.Click("#tools button[value=h3]", "")
		w.has("### words")
		w.Click("#tools button[value=h3]", "")
		w.has("words")
		w.Click("#tools button[value=table]", "")
		w.Until(`document.getElementById("markdown").value.includes("| Column | Column |\n|---|---|\n")`)
		w.Agree()
	})

	It("formats and saves with Ctrl, also with Caps Lock", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Huts", "Open.")
		w := signedIn(t, t.In("articles", uid, "edit"), ".cm-content")
		for key, want := range map[string]string{"b": "**words**", "i": "_words_", "k": "[words](url)"} {
			for _, press := range []func(){func() { w.control(key) }, func() { w.capital(strings.ToUpper(key)) }} {
				w.writes("words")
				w.chooses("words")
				press()
				w.has(want)
			}
		}
		w.writes("Open in May.")
		w.capital("S")
		w.edited(t, uid)
		Expect(status(t, uid, "content_markdown")).To(Equal("Open in May."))
		w.Type("!")
		w.Until(`document.getElementById("saved").textContent === "There are changes that are not saved."`)
		w.Agree()
	})

	It("says what to do with a picture that is pasted", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, t.In("articles", t.Written("Huts", "Open."), "edit"), ".cm-content")
		const told = "The picture was not pasted: Pressroom does not store pictures. Put it on the web, and give its address with the button Image, " +
			"or below as the featured image."
		w.writes("Open.")
		w.pastes("", "", "hut.png")
		w.Until(fmt.Sprintf(`document.getElementById("pasted").textContent === %q`, told))
		w.has("Open.")
		w.Look("field-picture")
		w.pastes(`<p>One <img src="data:image/png;base64,AAAA"> two</p>`, "One two")
		w.Until(`document.getElementById("markdown").value.includes("One")`)
		w.Until(fmt.Sprintf(`document.getElementById("pasted").textContent === %q`, told))
		w.pastes("<p>three</p>", "three")
		w.Until(`document.getElementById("pasted").textContent === ""`)
		w.Agree()
	})

	It("offers articles that are published on the site behind an @", func() {
		t := facades.NewTenant("Acme Outdoors")
		t.SendTo(http.StatusOK)
		uid := published(t, "The winter rooms of [alpine] huts", "Open.")
		address := status(t, uid, "published_url")
		Expect(address).NotTo(BeEmpty())
		t.Written("The winter draft", "Open.")
		w := signedIn(t, t.In("articles", t.Written("Huts", "Open."), "edit"), ".cm-content")
		w.writes("")
		w.Type("See @wint")
		w.See(".cm-tooltip-autocomplete")
		w.Until(`[...document.querySelectorAll(".cm-tooltip-autocomplete li")].map(l => l.textContent).join() === "The winter rooms of [alpine] huts"`)
		w.Look("field-links")
		w.Press(kb.Enter, "")
		w.has(`See [The winter rooms of \[alpine\] huts](` + address + `)`)
		w.Agree()
	})

	It("underlines what failed checks are about, and the preview marks what is pointed at", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, t.In("articles", t.Written("Huts", "Open."), "edit"), ".cm-content")
		w.writes("It rains. We walk. We *run*. We rest. ![](https://a.example/a.png)")
		w.Until(`[...document.querySelectorAll(".cm-content .finding")].map(f => f.textContent).join("").includes("We *run*.")`)
		w.Until(`[...document.querySelectorAll(".cm-content .finding")].some(f => f.title.startsWith("3 sentences in a row begin with"))`)
		w.Until(`[...document.querySelectorAll(".cm-content .finding")].some(f => f.title.startsWith("This image has no text"))`)
		const frame = `document.querySelector("iframe").contentDocument`
		w.Until(frame + `.querySelector("mark[class]") !== null`)
		var plain, pointed string
		const decoration = `getComputedStyle(` + frame + `.querySelector("mark[class]")).textDecorationLine`
		w.Evaluate(decoration, &plain)
		w.Evaluate(frame+`.querySelector("details").open = true; `+frame+`.querySelector(".score li a").focus(); `+decoration, &pointed)
		Expect([]string{plain, pointed}).To(Equal([]string{"none", "underline"}))
		Expect(w.Text("#measure")).To(MatchRegexp(`^SEO score \d+ of 100, low. The site asks for no score: a reviewer decides. 8 words`))
		w.Agree()
	})

	It("says once what was wrong, and no more when it is saved", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Huts", "Open.")
		w := signedIn(t, t.In("articles", uid, "edit"), ".cm-content")
		w.Run(chromedp.RemoveAttribute("#slug", "pattern", chromedp.ByQuery), chromedp.SetValue("#slug", "Not A Slug", chromedp.ByQuery))
		w.Click(".editor .primary", ".editor .problem")
		w.Until(`document.readyState === "complete" && document.querySelector("#slug[aria-invalid]") !== null`)
		w.See(".cm-content")
		w.Run(chromedp.SetValue("#slug", "huts-again", chromedp.ByQuery))
		w.Click(".editor .primary", "")
		Eventually(func() string {
			t.Reconcile(uid)
			return w.Text("#saved")
		}).Should(Equal("Saved. The text is in review again."))
		w.Until(`document.querySelector(".problem, [aria-invalid]") === null`)
		w.Look("edit-mended")
	})
})

var _ = Describe("The menu of an article", func() {
	It("closes when somebody clicks into the text", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, t.In("articles", t.Written("Huts", "Open.")), "iframe")
		w.Click(".head details.menu summary", "")
		w.Until(`document.querySelector(".head details.menu").open`)
		w.Click(".text-frame iframe", "")
		w.Until(`!document.querySelector(".head details.menu").open`)
	})
})
