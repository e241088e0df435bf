package dashboard_test

import (
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

// until fetches a page at each change that is signalled, until an element says something.
func until(p *dashboardtest.Person, page *dashboardtest.Page, changed <-chan struct{}, id, says string) *dashboardtest.Page {
	GinkgoHelper()
	var now *dashboardtest.Page
	Eventually(func() string {
		select {
		case _, open := <-changed:
			Expect(open).To(BeTrue(), "the stream has ended")
			now = p.Updated(page)
			return now.Text("#" + id + "[data-live]")
		default:
			return ""
		}
	}).Should(ContainSubstring(says))
	return now
}

var _ = Describe("Live updates", func() {
	It("signal what changes of the list, on every replica", func() {
		t := facades.NewTenant("Acme")
		waits, _ := t.Written("Waits", "A text."), t.Written("Other", "A text.")
		for _, p := range []*dashboardtest.Person{t.SignIn(), t.SignInAt(1, t.Key)} {
			var page *dashboardtest.Page
			Eventually(func() []string { page = p.Get(t.In("articles") + "?status=all"); return rows(page) }).Should(ContainElements("Waits", "Other"))
			changed := p.Live(page)
			until(p, page, changed, "a-"+waits, "Waits")

			body := map[string]any{"note": "no sources of " + p.Base}
			Expect(t.Ask(http.MethodPost, "/v1/api/blogs/"+waits+"/reject", body).Status).To(Equal(http.StatusOK))
			until(p, page, changed, "a-"+waits, "no sources of "+p.Base)

			added := t.Written("New of "+p.Base, "A text.")
			until(p, page, changed, "a-"+added, "New of "+p.Base)
		}
	})

	It("keep a row that is in the list no more, with what has become of it", func() {
		t := facades.NewTenant("Acme")
		approved, deleted := t.Written("Waits", "A text."), t.Written("Goes", "A text.")
		p := t.SignIn()
		page := p.Get(t.In("articles"))
		changed := p.Live(page)
		until(p, page, changed, "a-"+approved, "In review")
		Expect(t.Ask(http.MethodPost, "/v1/api/blogs/"+approved+"/approve", nil).Status).To(Equal(http.StatusOK))
		now := until(p, page, changed, "a-"+approved, "Approved")
		Expect(now.Text("tr.gone")).To(ContainSubstring("not in this list any more"))
		Expect(p.Get(t.In("articles")).Find("#a-"+approved).Length()).To(BeZero(), "the page is loaded without it")
		Expect(t.Ask(http.MethodDelete, "/v1/api/blogs/"+deleted, nil).Status).To(Equal(http.StatusNoContent))
		until(p, page, changed, "a-"+deleted, "deleted")
	})

	It("are refused outside of the person's workspaces, and to anyone who is signed out", func() {
		t, rival := facades.NewTenant("Acme"), facades.NewTenant("Rival")
		p := t.SignIn()
		Expect(p.Get(rival.In("live")).Status).To(Equal(http.StatusNotFound))
		Expect(facades.Visitor().Get(t.In("live")).Status).To(Equal(http.StatusUnauthorized))
		page := p.Get(t.In("articles"))
		answer := facades.Visitor().Updated(page)
		Expect(answer.Status).To(Equal(http.StatusUnauthorized))
		Expect(answer.Text("body")).To(BeEmpty(), "a page that fetches itself shows no sign-in page")
	})

	It("leave what is shown once to the people who look at the page", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "The huts are open.")
		p := t.SignIn()
		page := p.Get(t.In("articles", uid))
		ask := p.Get(t.In("articles", uid, "confirm") + "?do=archive")
		q := p.PostRequest(p.Fill(ask, "form[action$='/archive']", nil))
		// What the form leads to is not followed.
		answer := p.DoOnce(q)
		Expect(answer.Status).To(Equal(http.StatusSeeOther))
		Expect(p.Updated(page).Find(".notice").Length()).To(BeZero())
		Expect(p.Get(t.In("articles", uid)).Text(".notice")).To(ContainSubstring("Archived"))
	})

	It("end when the replica drains, which waits for no page that is open", func() {
		t := facades.NewTenant("Acme")
		replica := facades.StartReplica()
		p := facades.VisitorAt(replica.URL)
		var page *dashboardtest.Page
		Eventually(func() int { page = p.Get(t.In("articles")); return page.Find("#key").Length() }).Should(Equal(1))
		p.EnterKey(page, t.Key)
		Eventually(func() int { page = p.Get(t.In("articles")); return page.Status }).Should(Equal(http.StatusOK))
		changed := p.Live(page)
		Eventually(changed).Should(Receive())
		replica.Stop()
		Eventually(changed).Should(BeClosed())
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
