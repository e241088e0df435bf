//go:build e2e

package browser_test

import (
	"fmt"
	"strings"

	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/browsertest"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

// atReplica opens a window in which a colleague has signed in at a replica.
func atReplica(t *dashboardtest.Tenant, replica int, name, path, selector string) *window {
	GinkgoHelper()
	w := &window{Window: browsertest.Open()}
	w.Watch("preview")
	w.arrive(facades.URLs[replica]+path, t.NewKey(name, v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove), selector)
	w.untilLoaded()
	return w
}

// rewrite types other words in place of some in the text.
func (w *window) rewrite(words, others string) {
	GinkgoHelper()
	w.chooses(words)
	w.Type(others)
	w.Until(fmt.Sprintf(`document.getElementById("markdown").value.includes(%q)`, others))
}

// save saves the text, and has its controller make the revision.
func (w *window) save(t *dashboardtest.Tenant, uid, said string) {
	GinkgoHelper()
	w.Click(".editor .primary", "")
	Eventually(func() string {
		t.Reconcile(uid)
		var text string
		w.Evaluate(`[...document.querySelectorAll(".notice, #saved")].map(e => e.textContent).join(" ")`, &text)
		return text
	}).Should(ContainSubstring(said))
}

var _ = Describe("Two people in the editor of an article", func() {
	const text = "The huts are open.\n\nBring a rope.\n\nThe last bus leaves at six."

	It("see each other on both pages, and keep the changes of both", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Huts", text)
		edit := t.In("articles", uid, "edit")
		reader := signedIn(t, t.In("articles", uid), "h1")
		petra, ben := atReplica(t, 1, "Petra", edit, "#markdown"), atReplica(t, 0, "Ben", edit, "#markdown")
		By("presence, without opening a page again")
		reader.Until(`document.querySelector("#editors").textContent.startsWith("Ben, Petra have the editor of this article open.")`)
		petra.Until(`document.querySelector("#editors").textContent.startsWith("Ben has the editor")`)
		ben.Until(`document.querySelector("#editors").textContent.startsWith("Petra has the editor")`)
		reader.Look("article-editors")
		ben.Look("edit-editors")
		By("different paragraphs")
		petra.rewrite("open", "closed")
		ben.rewrite("six", "seven")
		petra.save(t, uid, "Saved.")
		ben.Until(`document.querySelector("#editors").textContent.includes("Last saved by Petra")`)
		ben.save(t, uid, "Saved. Petra had changed the text: the changes of both are kept.")
		const both = "The huts are closed.\n\nBring a rope.\n\nThe last bus leaves at seven."
		Eventually(func() string { return status(t, uid, "content_markdown") }).Should(Equal(both))
		ben.Until(fmt.Sprintf(`document.getElementById("markdown")?.value === %q`, both))
		ben.Look("edit-merged")
		By("the text that was merged is edited on")
		ben.untilLoaded()
		ben.rewrite("Bring a rope", "Bring two ropes")
		ben.save(t, uid, "Saved. The text is in review again.")
		Eventually(func() string { return status(t, uid, "content_markdown") }).Should(Equal(strings.Replace(both, "a rope", "two ropes", 1)))
		// The page asks again until the text has a digest. What Petra saves before would be merged.
		Eventually(func() bool {
			t.Reconcile(uid)
			var digest string
			ben.Evaluate(`document.querySelector("form.editor").elements.digest.value`, &digest)
			return digest == status(t, uid, "revision_digest")
		}).Should(BeTrue())
		By("the same paragraph")
		petra.rewrite("closed", "shut")
		petra.Click(".editor .primary", "")
		Eventually(func() string {
			t.Reconcile(uid)
			return status(t, uid, "content_markdown")
		}).Should(HavePrefix("The huts are shut."))
		ben.rewrite("closed", "full")
		ben.Click(".editor .primary", "#my-text")
		Expect(ben.Text("h1")).To(Equal("Petra has changed this text"))
		ben.Look("edit-conflict-named")
	})

	It("keep what each tab has typed", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Huts", text)
		w := signedIn(t, t.In("articles", uid, "edit"), "#markdown")
		w.untilLoaded()
		tab := &window{Window: w.OpenAgain()}
		tab.See("#markdown")
		tab.untilLoaded()
		w.rewrite("open", "closed")
		tab.Front()
		tab.rewrite("six", "seven")
		w.Until(`Object.keys(localStorage).length === 2`)
		w.Until(`Object.values(localStorage).some(copy => copy.includes("closed")) && Object.values(localStorage).some(copy => copy.includes("seven"))`)
		By("a copy that is restored is a change of the text that it was typed into")
		petra := atReplica(t, 1, "Petra", t.In("articles", uid, "edit"), "#markdown")
		petra.rewrite("Bring a rope", "Bring two ropes")
		petra.save(t, uid, "Saved.")
		w.Front()
		w.Run(chromedp.Evaluate(`document.querySelector("form.editor").reset(); 0`, nil))
		w.goTo(t.In("articles", uid, "edit"), ".warning button")
		w.Click(".warning button", "")
		w.Until(`!document.getElementById("markdown").value.includes("two ropes")`)
		w.save(t, uid, "Saved. Petra had changed the text")
		Eventually(func() string { return status(t, uid, "content_markdown") }).Should(ContainSubstring("two ropes"))
		Expect(status(t, uid, "content_markdown")).To(Or(ContainSubstring("closed"), ContainSubstring("seven")))
	})
})
