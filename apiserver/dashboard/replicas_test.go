package dashboard_test

import (
	"fmt"
	"net/http"
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

// reading is what A has open at one replica: the page of an article, and its editor.
type reading struct{ page, editor *dashboardtest.Page }

// readAt opens the page of an article and its editor at the replica of a person, once that has a text in review.
func readAt(t *dashboardtest.Tenant, p *dashboardtest.Person, uid, text string) reading {
	GinkgoHelper()
	var r reading
	Eventually(func() string {
		r.editor = p.Get(t.In("articles", uid, "edit"))
		return r.editor.Find("#markdown").Text()
	}).Should(Equal(text))
	r.page = p.Get(t.In("articles", uid))
	Expect(r.page.Find(approveForm).Length()).To(Equal(1))
	return r
}

var _ = Describe("Two people at two replicas", func() {
	It("A reads, B edits, A approves and saves: nothing is approved and nothing is lost, 10 of 10", func() {
		const rounds = 10
		// A replica gives one person 50 pages at once, and a round takes four.
		t := facades.NewTenant("Acme")
		text := "The huts are open."
		uid := t.Written("Huts", text)
		a, b := t.SignInAt(0, t.Key), t.SignInAt(1, t.Key)
		for n := range rounds {
			read, other := readAt(t, a, uid, text), readAt(t, b, uid, text)
			theirs, mine := fmt.Sprintf("B: version %d.", n), fmt.Sprintf("A: version %d.", n)
			saved := b.Submit(other.editor, editorForm, url.Values{"markdown": {theirs}})
			Expect(saved.Text(".notice")).To(HavePrefix("Saved."))
			if n%2 == 0 {
				// In the other rounds, A decides before the new text is a revision.
				t.Reconcile(uid)
			}
			// A's replica may not know of the edit yet.
			decided := a.Submit(read.page, approveForm, url.Values{"then": {"publish"}})
			Expect(decided.Status).To(Equal(http.StatusConflict), decided.Text("main"))
			Expect(decided.Text("main")).To(MatchRegexp("Nothing has been (approved|done)"))
			kept := a.Submit(read.editor, editorForm, url.Values{"markdown": {mine}})
			Expect(kept.Status).To(Equal(http.StatusConflict), kept.Text("main"))
			Expect(kept.Text("main")).To(MatchRegexp("Nothing has been saved|Not saved"))
			Expect(kept.Find("textarea[name=markdown]").Text()).To(Equal(mine))
			article := t.Reconcile(uid)
			Expect(article.Spec.Review).To(BeNil())
			Expect(article.Spec.Content.Markdown).To(Equal(theirs))
			text = theirs
		}
	})

	It("one who edits while another approves: what is approved is what was read, regardless of who comes first", func() {
		t := facades.NewTenant("Acme")
		a, b := t.SignInAt(0, t.Key), t.SignInAt(1, t.Key)
		for n := range 5 {
			const text = "The huts are open."
			uid := t.Written(fmt.Sprintf("Huts %d", n), text)
			read, other := readAt(t, a, uid, text), readAt(t, b, uid, text)
			digest := read.page.Find(approveForm+" [name=digest]").AttrOr("value", "")
			done := make(chan struct{})
			go func() {
				defer GinkgoRecover()
				defer close(done)
				b.Submit(other.editor, editorForm, url.Values{"markdown": {"The huts are closed."}})
			}()
			a.Submit(read.page, approveForm, nil)
			<-done
			article := t.Reconcile(uid)
			if review := article.Spec.Review; review != nil {
				Expect(review.Digest).To(Equal(digest))
			}
			if article.Spec.Content.Markdown == "The huts are closed." {
				Expect(article.Status.Revision.Digest).NotTo(Equal(digest), "an approval of what was read is none of this text")
			}
		}
	})
})
