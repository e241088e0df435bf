package dashboard_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

func compressedSize(r io.Reader) int {
	GinkgoHelper()
	var out strings.Builder
	w := gzip.NewWriter(&out)
	_, err := io.Copy(w, r)
	Expect(err).NotTo(HaveOccurred())
	Expect(w.Close()).To(Succeed())
	return out.Len()
}

const bulkForm = "main form[action$='/articles/bulk']"

// choose selects articles in the list, and presses a button below it.
func choose(p *dashboardtest.Person, page *dashboardtest.Page, do string, uids ...string) *dashboardtest.Page {
	GinkgoHelper()
	Expect(page.Find("button[name=do][value="+do+"]").Length()).To(Equal(1), "%s is not offered", do)
	fields := url.Values{"do": {do}}
	for _, uid := range uids {
		box := page.Find("#a-" + uid + " input[name=item]")
		Expect(box.Length()).To(Equal(1), uid)
		fields.Add("item", box.AttrOr("value", ""))
	}
	return p.Submit(page, bulkForm, fields)
}

// status of an article as kube-apiserver has it: the lists of a replica may lag.
func status(t *dashboardtest.Tenant, uid string) string {
	GinkgoHelper()
	a := &v1alpha1.Article{}
	Expect(facades.API.Get(GinkgoT().Context(), client.ObjectKey{Namespace: t.Workspace, Name: uid}, a)).To(Succeed())
	return strings.ToLower(string(lifecycle.Phase(a, nil, time.Now())))
}

var _ = Describe("One action on many articles", func() {
	It("asks first, and then says what has become of each", func() {
		t := facades.NewTenant("Acme")
		first, second, other := t.InReview("one"), t.InReview("two"), t.InReview("three")
		p := t.SignIn()
		ask := choose(p, p.Get(t.In("articles")), "approve", first, second)
		Expect(ask.Text("h1")).To(Equal("Approve 2 articles?"))
		Expect(ask.Text("main table")).To(And(ContainSubstring("Trail running shoes"), ContainSubstring("failed check"), ContainSubstring("In review")))
		Expect(status(t, first)).To(Equal("review"), "nothing is done yet")

		done := p.Submit(ask, bulkForm, nil)
		Expect(done.Text("h1")).To(Equal("Approved: 2 articles"))
		Expect(done.Text("main")).To(ContainSubstring("Approved Trail running shoes"))
		Expect([]string{status(t, first), status(t, second), status(t, other)}).To(Equal([]string{"approved", "approved", "review"}))
		Expect(done.Find("main a.primary").AttrOr("href", "")).To(Equal(t.In("articles")))
	})

	It("leads to the results, which can be loaded again and are of this session alone", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("one")
		p := t.SignIn()
		ask := choose(p, p.Get(t.In("articles")), "archive", uid)
		answer := p.DoOnce(p.PostRequest(p.Fill(ask, bulkForm, nil)))
		Expect(answer.Status).To(Equal(http.StatusSeeOther), "a reload of the results sends nothing")
		results := answer.Header.Get("Location")
		for range 2 {
			Expect(p.Get(results).Text("h1")).To(Equal("Archived: 1 article"))
		}
		Expect(p.Get(t.In("articles", "bulk")).Text(".problem")).To(ContainSubstring("These results are not kept any more"))
		Expect(t.SignIn().Get(results).Text(".problem")).To(ContainSubstring("These results are not kept any more"))
	})

	It("marks the texts that somebody has not opened since they signed in", func() {
		t := facades.NewTenant("Acme")
		read, unread := t.InReview("one"), t.Written("Huts", "Open.")
		p := t.SignIn()
		p.Get(t.In("articles", read))
		ask := choose(p, p.Get(t.In("articles")), "approve", read, unread)
		Expect(ask.Text(".warning")).To(Equal("You have not opened 1 of them since you signed in."))
		Expect(ask.Text("tr:has(input[value^='" + unread + "'])")).To(ContainSubstring("not opened by you"))
		Expect(ask.Text("tr:has(input[value^='" + read + "'])")).NotTo(ContainSubstring("not opened"))
		p.Get(t.In("articles", unread))
		Expect(choose(p, p.Get(t.In("articles")), "approve", read, unread).Find(".warning").Length()).To(BeZero())
		t.Rewrite(unread, "Closed.")
		var again *dashboardtest.Page
		Eventually(func() string {
			again = choose(p, p.Get(t.In("articles")), "approve", unread)
			return again.Text("h1")
		}).Should(Equal("Approve 1 article?"))
		Expect(again.Text(".warning")).To(Equal("You have not opened it since you signed in."), "it is another text")
		other := t.SignIn()
		Expect(choose(other, other.Get(t.In("articles")), "approve", read).Text(".warning")).To(HavePrefix("You have not opened"))
	})

	It("approves no text that has changed since the list was shown, and says so", func() {
		t := facades.NewTenant("Acme")
		seen, changed := t.InReview("one"), t.InReview("two")
		p := t.SignIn()
		list := p.Get(t.In("articles"))
		ask := choose(p, list, "approve", seen, changed)
		Expect(t.Ask(http.MethodPatch, "/v1/api/blogs/"+changed, map[string]any{"title": "Quite another title"}).Status).To(Equal(http.StatusOK))
		t.Reconcile(changed)
		done := p.Submit(ask, bulkForm, nil)
		Expect(done.Text("h1")).To(Equal("1 article could not be changed"))
		Expect(done.Text("main")).To(And(ContainSubstring("Its text has changed since you saw the list"), ContainSubstring("Approved: 1 article")))
		Expect([]string{status(t, seen), status(t, changed)}).To(Equal([]string{"approved", "review"}))

		Eventually(func() string { return choose(p, list, "approve", changed).Text("main") }).Should(And(
			ContainSubstring("None of the selected articles allows it"), ContainSubstring("its text has changed since you saw the list")))
	})

	It("rejects with a reason, and not without one", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("one")
		p := t.SignIn()
		ask := choose(p, p.Get(t.In("articles")), "reject", uid)
		again := p.Submit(ask, bulkForm, url.Values{"reason": {"  "}})
		Expect(again.Status).To(Equal(http.StatusUnprocessableEntity))
		Expect(again.Text("main [role=alert]")).To(ContainSubstring("Say why"))
		p.Submit(again, bulkForm, url.Values{"reason": {"no sources"}})
		Expect(t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil).Raw).To(ContainSubstring(`"note":"no sources"`))
	})

	It("does not say that it publishes what was rejected", func() {
		t := facades.NewTenant("Acme")
		rejected, waits := t.InReview("one"), t.InReview("two")
		Expect(t.Ask(http.MethodPost, "/v1/api/blogs/"+rejected+"/reject", map[string]any{"note": "no sources"}).Status).To(Equal(http.StatusOK))
		p := t.SignIn()
		all := t.In("articles") + "?status=all"
		Eventually(func() string { return p.Get(all).Text("#a-" + rejected) }).Should(ContainSubstring("Rejected"))
		ask := choose(p, p.Get(all), "approve-and-publish", rejected, waits)
		Expect(ask.Text("h1")).To(Equal("Approve and publish 1 article?"))
		Expect(ask.Text("main")).To(ContainSubstring("Left out: 1 article"))
	})

	It("schedules in a zone, and unschedules", func() {
		t := facades.NewTenant("Acme")
		a, b := t.InReview("one"), t.InReview("two")
		p := t.SignIn()
		p.Submit(choose(p, p.Get(t.In("articles")), "approve", a, b), bulkForm, nil)
		approved := t.In("articles") + "?status=approved"
		Eventually(func() []string { return ids(p.Get(approved)) }).Should(HaveLen(2))
		ask := choose(p, p.Get(approved), "publish", a, b)
		day := time.Now().AddDate(1, 0, 0).Format("2006-01-02")
		at := url.Values{"when": {"at"}, "at": {day + "T09:00"}, "zone": {"Asia/Kathmandu"}}
		Expect(p.Submit(ask, bulkForm, url.Values{"when": {"at"}, "at": {"2001-01-01T09:00"}, "zone": {"UTC"}}).Text("main [role=alert]")).
			To(ContainSubstring("This time has passed"))
		Expect(p.Submit(ask, bulkForm, at).Text("h1")).To(Equal("Publication asked for: 2 articles"))
		Expect(t.Ask(http.MethodGet, "/v1/api/blogs/"+a, nil).Text("publish_at")).To(Equal(day + "T03:15:00.000Z"))
		scheduled := t.In("articles") + "?status=scheduled"
		Eventually(func() []string { return ids(p.Get(scheduled)) }).Should(HaveLen(2))
		p.Submit(choose(p, p.Get(scheduled), "cancel-publication", a), bulkForm, nil)
		Expect([]string{status(t, a), status(t, b)}).To(Equal([]string{"approved", "scheduled"}))
	})

	It("offers and does only what the person may, and only what applies", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("one")
		offered := func(p *dashboardtest.Person, query string) []string {
			var out []string
			for _, s := range p.Get(t.In("articles") + query).Find("button[name=do]").EachIter() {
				out = append(out, s.AttrOr("value", ""))
			}
			return out
		}
		Expect(offered(t.SignIn(), "?status=review")).To(Equal([]string{"approve-and-publish", "approve", "publish", "reject", "regenerate", "archive", "delete"}))
		writer := t.SignInWith(t.NewKey("Wes", v1alpha1.ScopeRead, v1alpha1.ScopeWrite))
		Expect(offered(writer, "?status=review")).To(Equal([]string{"publish", "regenerate", "archive", "delete"}))
		reader := t.SignInWith(t.NewKey("Rea", v1alpha1.ScopeRead))
		Expect(offered(reader, "?status=review")).To(BeEmpty())
		Expect(reader.Get(t.In("articles") + "?status=review").Find("input[name=item]").Length()).To(BeZero())

		forged := url.Values{"do": {"approve"}, "sure": {"yes"}, "item": {uid}}
		Expect(writer.Forge(writer.Get(t.In("articles")+"?status=review"), bulkForm, forged).Status).To(Equal(http.StatusForbidden))
		Expect(status(t, uid)).To(Equal("review"))
	})

	It("says what is missing if nothing is selected", func() {
		t := facades.NewTenant("Acme")
		t.InReview("one")
		p := t.SignIn()
		page := choose(p, p.Get(t.In("articles")), "archive")
		Expect(page.Text(".problem")).To(ContainSubstring("Nothing is selected"))
		Expect(page.URL.Path).To(Equal(t.In("articles")))
		elsewhere := p.Forge(page, bulkForm, url.Values{"do": {"archive"}, "back": {"https://evil.example/"}})
		Expect(elsewhere.URL.Path).To(Equal(t.In("articles")))
	})
})
