//go:build e2e

package browser_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// sentences are what people type into a page that they believe to be a field.
var sentences = strings.Split(strings.TrimSpace(`
A paragraph about grip is missing. Please add one.
add a table of the prices, and a link to the shop
The title promises ten huts, but the text has a list of seven.
approved by Petra on Tuesday
please check the numbers in part 3
r u sure about this price?
Publish it after the trade fair, not before.
p.s. the pictures are too dark
Reads well apart from the last paragraph.
next week is too late for this
a
an apple a day
1. Fewer adverbs 2. Shorter sentences
Wer hat das geschrieben?
the archive has an article about the same pass
e.g. the route from Arosa to Lenzerheide
Nobody says "utilise".
to do: alt texts
x-ray vision is not a feature of a headlamp
go back to the first draft / ask Jo
`), "\n")

// typedKeys are what a hand, a sleeve or a cat presses: all that writes, with blanks and Enter.
const typedKeys = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789      \r\r\r.,-'/?!"

// randomly returns keys at random.
func randomly(random *rand.Rand, count int) string {
	keys := make([]byte, count)
	for i := range keys {
		keys[i] = typedKeys[random.IntN(len(typedKeys))]
	}
	return string(keys)
}

// afresh opens a page again, whatever a key is about to open: that page may come first, and then asks for this one.
func (w *window) afresh(path, selector string) {
	GinkgoHelper()
	w.opened++
	separator := "?"
	if strings.Contains(path, separator) {
		separator = "&"
	}
	query := separator + "opened=" + strconv.Itoa(w.opened)
	w.Until(fmt.Sprintf(`location.search.endsWith(%q) ? document.readyState === "complete" : (window.assigned ??= (location.assign(%q), true), false)`,
		query, path+query))
	w.See(selector)
}

var _ = Describe("What is typed by accident", func() {
	It("writes nothing, whatever shortcut it follows on any page", func() {
		t := facades.NewTenant("Acme Outdoors")
		t.SendTo(http.StatusOK)
		other, uid, approved := t.InReview("trail poles"), t.InReview("trail shoes"), t.InReview("trail hats")
		Expect(t.Ask(http.MethodPost, "/v1/api/blogs/"+approved+"/approve", map[string]any{}).Status).To(Equal(http.StatusOK))
		w := signedIn(t, t.In("articles"), "#a-"+uid)
		writes := w.Writes()
		w.Agree()
		random := rand.New(rand.NewPCG(28, 1))
		for _, page := range []struct{ path, shown, shortcuts string }{
			{t.In("articles", uid), approveForm, "arpen"},
			{t.In("articles", approved), publishForm, "p"},
			{t.In("articles"), "#a-" + uid, "jx/?"},
			{t.In("sites", t.SiteUID), "[data-key=t]", "t"},
			{t.In("calendar"), "#tray a", "j"},
			{t.In("calendar", approved) + "?zone=UTC&day=2099-12-01", "#at", "p"},
			{t.In("deliveries"), "h1", "j"},
			{t.In("events"), "h1", "j"},
			{t.In("briefs"), "h1", "j"},
			{t.In("articles", uid, "edit"), "#markdown", "a"},
		} {
			for _, shortcut := range page.shortcuts {
				for _, text := range append(sentences, randomly(random, 2000/len(page.shortcuts))) {
					w.afresh(page.path, page.shown)
					w.Press(string(shortcut), "")
					w.Type(text + "\r")
				}
				sent := slices.DeleteFunc(writes(), func(address string) bool { return strings.HasSuffix(address, "/preview") })
				Expect(sent).To(BeEmpty(), "after %c at %s", shortcut, page.path)
			}
		}
		w.afresh(t.In("articles"), "h1")
		for _, article := range []string{other, uid} {
			Expect(status(t, article, "status")).To(Equal("review"))
		}
	})

	It("is the reason of a rejection after r, which is not left without a question", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.InReview("trail shoes")
		t.InReview("trail poles")
		w := signedIn(t, t.In("articles", uid), "[data-key=n]")
		w.Press("r", "")
		w.See("#reason")
		w.Type("A paragraph about grip is missing.")
		w.Until(`document.getElementById("reason").value === "A paragraph about grip is missing."`)
		w.Look("article-reject")
		w.Asks(chromedp.Click("[data-key=n]", chromedp.ByQuery), approveForm)
		w.goTo(t.In("articles", uid), "[data-key=r]")
		w.Press("r", "")
		w.Type("A paragraph")
		w.Asks(chromedp.Reload(), "[data-key=r]")
		w.Press("r", "")
		w.Type("A paragraph about grip is missing.")
		w.Click(rejectForm+" .danger", ".notice")
		Expect(status(t, uid, "status")).To(Equal("rejected"))
	})

	It("is not left without a question in the form of a site", func() {
		t := facades.NewTenant("Acme Outdoors")
		key := t.NewKey("Mara", v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeManage)
		w := signedInWith(key, t.In("sites", t.SiteUID, "edit"), `[name="voice.audience"]`)
		w.Run(chromedp.SendKeys(`[name="voice.audience"]`, "Families", chromedp.ByQuery))
		w.Asks(chromedp.Click("[data-go=l]", chromedp.ByQuery), "h1")
	})
})
