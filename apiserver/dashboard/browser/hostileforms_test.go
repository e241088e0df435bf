//go:build e2e

package browser_test

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// harmlessAnswer sends a form to a path, whose answer is as harmless.
func (w *window) harmlessAnswer(path, wantTitle string, form url.Values) {
	GinkgoHelper()
	w.goTo(settings, "h1")
	w.Leave(chromedp.Evaluate(fmt.Sprintf(sendForm, path, form.Encode()), nil), "main#main h1")
	w.hasOnlyText(path)
	Expect(w.Text("h1")).To(HavePrefix(wantTitle), path)
}

// sendForm is a script that sends fields with the token of the page.
const sendForm = `{
  const form = Object.assign(document.createElement("form"), {method: "post", action: %q});
  const fields = [...new URLSearchParams(%q), ["ticket", document.querySelector("[name=ticket]").value]];
  for (const [name, value] of fields) {
    const field = Object.assign(document.createElement("textarea"), {name, hidden: true});
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  form.submit();
  0
}`

var _ = Describe("What others can fill in, on a page that answers a form", func() {
	It("is text on the page of two editors, and on that which asks about many and says what became of them", func() {
		t, b := facades.NewTenant("Acme Outdoors"), newBeacon()
		all := grouped(vectorsFor(b.URL))
		uids := make([]string, len(all))
		hostileSite(t, "main-2", all[0])
		for i, group := range all {
			uids[i] = hostileArticle(t, "main-2", fmt.Sprintf("hostile-%02d", i), group)
		}
		w := watchedWindow(t)
		w.until(t.In("articles", uids[len(uids)-1]), "#article-state")
		for i, theirs := range all {
			mine := all[(i+1)%len(all)]
			w.harmlessAnswer(t.In("articles", uids[i], "edit"), "Somebody has changed this text in Kubernetes with ", url.Values{
				// The text that was read is another one: both are shown, and their difference.
				"digest": {"sha256:" + strings.Repeat("1", 64)}, "title": {mine}, "markdown": {mine + "\n\n" + theirs}, "slug": {mine},
				"meta_title": {mine}, "meta_description": {mine}, "question": {mine}, "answer": {theirs}, "keyword": {mine}, "tone": {mine},
			})
		}
		ask := url.Values{"do": {"delete"}, "item": uids}
		w.harmlessAnswer(t.In("articles", "bulk"), "Delete ", ask)
		ask.Set("do", "reject")
		ask.Set("sure", "yes")
		ask["title"], ask["reason"] = all, all[:1]
		w.harmlessAnswer(t.In("articles", "bulk"), fmt.Sprintf("%d articles could not be changed", len(uids)), ask)
		Expect(withVectors(b.called())).To(BeEmpty())
	})
})
