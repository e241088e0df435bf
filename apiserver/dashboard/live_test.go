package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/dashboardtest"
)

// until receives updates until one has a part that says something.
func until(updates <-chan dashboardtest.Update, id, says string) dashboardtest.Update {
	GinkgoHelper()
	var found dashboardtest.Update
	Eventually(func() string {
		select {
		case u, open := <-updates:
			Expect(open).To(BeTrue(), "the stream has ended")
			found = u
			return u.Part(id)
		default:
			return ""
		}
	}).Should(ContainSubstring(says))
	return found
}

var _ = Describe("Live updates", func() {
	It("bring what changes of the list, on every replica", func() {
		t := facades.NewTenant("Acme")
		waits, other := t.Written("Waits", "A text."), t.Written("Other", "A text.")
		for _, p := range []*dashboardtest.Person{t.SignIn(), t.SignInAt(1, t.Key)} {
			var page *dashboardtest.Page
			Eventually(func() []string { page = p.Get(t.In("articles") + "?status=all"); return rows(page) }).Should(ContainElements("Waits", "Other"))
			updates := p.Live(page)
			first := until(updates, "a-"+waits, "Waits")
			Expect(first.Part("a-"+other)).To(ContainSubstring("Other"), "the first message has all parts: the page may be older")
			Expect(first.Added).To(BeZero())

			body := map[string]any{"reason": "no sources of " + p.Base}
			Expect(t.Ask(http.MethodPost, "/v1/api/blogs/"+waits+"/reject", body).Status).To(Equal(http.StatusOK))
			changed := until(updates, "a-"+waits, "no sources of "+p.Base)
			Expect(changed.Part("a-"+other)).To(BeEmpty(), "it has not changed")

			t.Written("New", "A text.")
			Eventually(updates).Should(Receive(HaveField("Added", 1)))
		}
	})

	It("keep a row that is in the list no more, with what has become of it", func() {
		t := facades.NewTenant("Acme")
		approved, deleted := t.Written("Waits", "A text."), t.Written("Goes", "A text.")
		p := t.SignIn()
		page := p.Get(t.In("articles"))
		updates := p.Live(page)
		until(updates, "a-"+approved, "In review")
		Expect(t.Ask(http.MethodPost, "/v1/api/blogs/"+approved+"/approve", nil).Status).To(Equal(http.StatusOK))
		Expect(until(updates, "a-"+approved, "Approved").Part("a-" + approved)).To(And(
			ContainSubstring(`class="gone"`), ContainSubstring("not in this list any more")))
		Expect(t.Ask(http.MethodDelete, "/v1/api/blogs/"+deleted, nil).Status).To(Equal(http.StatusNoContent))
		until(updates, "a-"+deleted, "deleted")
	})

	It("are refused where the page is, and to whoever is signed out", func() {
		t, rival := facades.NewTenant("Acme"), facades.NewTenant("Rival")
		p := t.SignIn()
		status := func(p *dashboardtest.Person, path string) int { return p.Get(path).Status }
		of := func(page string) string { return t.In("live") + "?" + url.Values{"page": {page}}.Encode() }
		for _, page := range []string{
			"", "/", "/app", rival.In("articles"), "https://evil.example" + t.In("articles"), t.In("live"), t.In("articles", "bulk"), "%", t.In("articles") + "?site=nonsense",
		} {
			Expect(status(p, of(page))).To(Equal(http.StatusNotFound), page)
		}
		Expect(status(p, rival.In("live")+"?page="+url.QueryEscape(rival.In("articles")))).To(Equal(http.StatusNotFound))
		Expect(status(p, of(t.In("articles"))+strings.Repeat("&row=a-x", 101))).To(Equal(http.StatusNotFound))
		Expect(status(facades.Visitor(), of(t.In("articles")))).To(Equal(http.StatusUnauthorized))
		approver := t.SignInWith(t.NewKey("Ada", v1alpha1.ScopeApprove))
		Expect(status(approver, of(t.In("articles")))).To(Equal(http.StatusNotFound), "the page needs another scope")
	})

	It("are there for a page that cannot be made at that moment, and come with the next change", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "The huts are open.")
		p := t.SignIn()
		editor := p.Get(t.In("articles", uid, "edit"))
		Expect(editor.Status).To(Equal(http.StatusOK))
		// The text that somebody else saves is no revision yet, so there is nothing to edit.
		Expect(t.Ask(http.MethodPatch, "/v1/api/blogs/"+uid, map[string]any{"content_markdown": "Closed."}).Status).To(Equal(http.StatusOK))
		Eventually(func() int { return p.Get(t.In("articles", uid, "edit")).Status }).Should(Equal(http.StatusConflict))
		updates := p.Live(editor)
		t.Reconcile(uid)
		until(updates, "nav-l", "1")
	})

	It("end when the replica drains, which waits for no page that is open", func() {
		t := facades.NewTenant("Acme")
		replica := facades.StartReplica()
		p := facades.VisitorAt(replica.URL)
		var page *dashboardtest.Page
		Eventually(func() int { page = p.Get(t.In("articles")); return page.Find("#key").Length() }).Should(Equal(1))
		p.EnterKey(page, t.Key)
		Eventually(func() int { page = p.Get(t.In("articles")); return page.Status }).Should(Equal(http.StatusOK))
		updates := p.Live(page)
		Eventually(updates).Should(Receive())
		replica.Stop()
		Eventually(updates).Should(BeClosed())
	})

	It("are at most ten for one session", func() {
		t := facades.NewTenant("Acme")
		p := t.SignIn()
		page := p.Get(t.In("articles"))
		for range 10 {
			p.Live(page)
		}
		refused := p.Do(p.LiveRequest(page))
		Expect(refused.Status).To(Equal(http.StatusServiceUnavailable))
		Expect(refused.Header.Get("Retry-After")).To(Equal("30"))
		Expect(t.SignIn().Live(page)).NotTo(BeNil(), "another session has its own")
	})
})
