package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

var _ = Describe("Deciding on an article", func() {
	It("approves and publishes by one button", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("trail shoes")
		p := t.SignIn()
		page := p.Submit(p.Get(t.In("articles", uid)), approveForm, url.Values{"then": {"publish"}})
		Expect(page.Text(".notice")).To(Equal("Approved, and on its way."))
		t.Reconcile(uid)
		Eventually(func() string { return status(t, uid) }).Should(Equal("published"))
		Expect(p.Get(t.In("articles", uid)).Text(".facts")).To(ContainSubstring("live text: generated, approved by a person"))
	})

	It("says which half was done if the second one fails", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("trail shoes")
		p := t.SignIn()
		path, form := p.Fill(p.Get(t.In("articles", uid)), approveForm, url.Values{"then": {"publish"}})
		ownStage(t, uid)
		page := p.Post(path, form)
		Expect(page.Text(".problem")).To(HavePrefix("Approved, but not published: "))
		Eventually(func() string { return p.Get(t.In("articles", uid)).Text(publishForm + " .primary") }).Should(Equal("Publish now"))
	})

	It("asks once more before a text is approved that fails a check which must pass", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "One hut. [insert the name here]")
		p := t.SignIn()
		asked := p.Submit(p.Get(t.In("articles", uid)), approveForm, url.Values{"then": {"publish"}})
		Expect(asked.Text("h1")).To(Equal("Approve it anyway?"))
		Expect(asked.Text("#required")).To(ContainSubstring("Placeholders"))
		Expect(status(t, uid)).To(Equal("review"))
		bulk := p.Submit(p.Get(t.In("articles")), "form[action$='/bulk']", url.Values{"do": {"approve"}, "item": {uid + " " + asked.Find("[name=digest]").AttrOr("value", "")}})
		Expect(bulk.Text("tbody")).To(ContainSubstring("fails what must pass: Placeholders"))
		Expect(p.Submit(asked, approveForm, nil).Text(".notice")).To(Equal("Approved, and on its way."))
	})

	It("asks that of another text of a published article too", func() {
		t := facades.NewTenant("Acme")
		site := t.SiteObject()
		site.Spec.Publishing.Updates = v1alpha1.UpdatesReviewed
		Expect(t.API.Update(GinkgoT().Context(), site)).To(Succeed())
		uid := t.InReview("trail shoes")
		p := t.SignIn()
		p.Submit(p.Get(t.In("articles", uid)), approveForm, url.Values{"then": {"publish"}})
		t.Reconcile(uid)
		Eventually(func() string { return status(t, uid) }).Should(Equal("published"))
		t.Rewrite(uid, "One hut. [insert the name here]")
		var page *dashboardtest.Page
		Eventually(func() int {
			page = p.Get(t.In("articles", uid))
			return page.Find(approveForm).Length()
		}).Should(Equal(1))
		asked := p.Submit(page, approveForm, nil)
		Expect(asked.Text("h1")).To(Equal("Approve it anyway?"))
		Expect(asked.Text("#required")).To(ContainSubstring("Placeholders"))
		Expect(p.Submit(asked, approveForm, nil).Text(".notice")).To(HavePrefix("Approved"))
	})

	It("never rejects without a reason", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("trail shoes")
		p := t.SignIn()
		page := p.Submit(p.Get(t.In("articles", uid)), rejectForm, url.Values{"reason": {" \n"}})
		Expect(page.Status).To(Equal(http.StatusUnprocessableEntity))
		Expect(page.Text("#reason-problem")).To(ContainSubstring("Say why"))
		Expect(status(t, uid)).To(Equal("review"))
		page = p.Submit(page, rejectForm, url.Values{"reason": {"The second section has no sources."}})
		Expect(page.Text(".notice")).To(Equal("Rejected."))
		Eventually(func() string { return status(t, uid) }).Should(Equal("rejected"))
		page = p.Get(t.In("articles", uid))
		Expect(page.Text(".decide")).To(ContainSubstring("The second section has no sources."))
		Expect(page.Text(approveForm+" [name=then][value=publish]")).To(Equal("Approve and publish"), "nobody has asked for publication, whatever the controller knows of")
	})

	It("says once who rejected the text and why, and leads its author to the editor", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("trail shoes")
		p := t.SignIn()
		p.Submit(p.Get(t.In("articles", uid)), rejectForm, url.Values{"reason": {"No sources."}})
		t.Reconcile(uid)
		var page *dashboardtest.Page
		Eventually(func() string {
			page = p.Get(t.In("articles", uid))
			return page.Text("#article-state .badge")
		}).Should(Equal("Rejected"))
		said := page.Text(".decide")
		Expect(strings.Count(said, "No sources.")).To(Equal(1), said)
		Expect(strings.Count(said, "Mara")).To(Equal(1), said)
		Expect(page.Find(".decide bdi[title]").AttrOr("title", "")).To(MatchRegexp(`^Mara \(api-key:\w+\)$`))
		Expect(page.Text(".decide .primary")).To(Equal("Edit the text"))
		Expect(p.Get(page.Find(".decide .primary").AttrOr("href", "")).Find("#markdown").Length()).To(Equal(1))
	})

	It("says once who approved the text", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("trail shoes")
		p := t.SignIn()
		p.Submit(p.Get(t.In("articles", uid)), approveForm, url.Values{"then": {"only"}})
		t.Reconcile(uid)
		Eventually(func() string {
			said := p.Get(t.In("articles", uid)).Text(".decide")
			return said[:strings.Index(said, "Publish now")+len("Publish now")]
		}).Should(And(ContainSubstring("Approved by Mara"), Not(ContainSubstring("(Mara"))))
	})

	It("does nothing if the text has changed since it was read, and shows what has", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("trail shoes")
		p := t.SignIn()
		read := p.Get(t.In("articles", uid))
		t.Rewrite(uid, "## Grip\n\nHard rubber holds on wet rock.")
		for decision, fields := range map[string]url.Values{
			approveForm: {"then": {"publish"}}, rejectForm: {"reason": {"no"}}, scheduleForm: {"at": {"2099-12-01T09:00"}},
		} {
			page := p.Submit(read, decision, fields)
			Expect(page.Status).To(Equal(http.StatusConflict), decision)
			Expect(page.Text(".problem")).To(ContainSubstring("has changed since you opened it"))
			Expect(page.Text(".diff-body del")).To(ContainSubstring("Soft"))
			Expect(page.Text(".diff-body ins")).To(ContainSubstring("Hard"))
			Expect(status(t, uid)).To(Equal("review"))
		}
	})

	It("does nothing without the digest of a text", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("trail shoes")
		p := t.SignIn()
		read := p.Get(t.In("articles", uid))
		for _, decision := range []string{approveForm, rejectForm, scheduleForm} {
			Expect(p.Forge(read, decision, url.Values{"digest": {""}, "reason": {"no"}}).Status).To(Equal(http.StatusUnprocessableEntity))
		}
		writer := t.SignInWith(t.NewKey("Writer", v1alpha1.ScopeRead, v1alpha1.ScopeWrite))
		Expect(writer.Forge(writer.Get(t.In("articles", uid)), publishForm, url.Values{"digest": {""}}).Status).To(Equal(http.StatusUnprocessableEntity))
		Expect(status(t, uid)).To(Equal("review"))
	})

	It("says when an approval goes out", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("trail shoes")
		writer := t.SignInWith(t.NewKey("Writer", v1alpha1.ScopeRead, v1alpha1.ScopeWrite))
		at := time.Now().UTC().AddDate(0, 0, 40).Truncate(time.Hour)
		page := writer.Submit(writer.Get(t.In("articles", uid)), scheduleForm, url.Values{"at": {at.Format("2006-01-02T15:04")}})
		Expect(page.Text(".notice")).To(HavePrefix("Goes out " + at.Format("Mon 2 Jan 2006, 15:04 ")))
		Expect(page.Text(".notice")).To(HaveSuffix("if it is approved by then, else once it is."))
		Expect(status(t, uid)).To(Equal("review"), "who may not approve approves nothing")
		p := t.SignIn()
		Eventually(func() string {
			page = p.Get(t.In("articles", uid))
			return page.Text(approveForm + " .primary")
		}).Should(Equal("Approve: goes out " + at.Format("Mon 2 Jan 2006, 15:04 ") + "UTC"))
		p.Submit(page, approveForm, nil)
		t.Reconcile(uid)
		Eventually(func() string { return status(t, uid) }).Should(Equal("scheduled"))
		page = p.Submit(p.Get(t.In("articles", uid)), "form[action$='/unschedule']", nil)
		Expect(page.Text(".notice")).To(HavePrefix("Taken back"))
		Eventually(func() string { return status(t, uid) }).Should(Equal("approved"))
	})

	It("approves and does no more, if that is chosen", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("trail shoes")
		p := t.SignIn()
		page := p.Submit(p.Get(t.In("articles", uid)), approveForm, url.Values{"then": {"only"}})
		Expect(page.Text(".notice")).To(Equal("Approved."))
		t.Reconcile(uid)
		Eventually(func() string { return status(t, uid) }).Should(Equal("approved"))
		Eventually(func() string { return p.Get(t.In("articles", uid)).Find(".bar button").First().Text() }).Should(Equal("Publish now"),
			"what is next comes first")
	})

	It("asks about a text that fails what must pass before it is approved for a time, and keeps the time", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "One hut. [insert the name here]")
		p := t.SignIn()
		asked := p.Submit(p.Get(t.In("articles", uid)), scheduleForm, url.Values{"at": {"2099-12-01T09:00"}, "zone": {"Asia/Tokyo"}})
		Expect(asked.Text("h1")).To(Equal("Approve it anyway?"))
		Expect(status(t, uid)).To(Equal("review"))
		Expect(t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil).Text("publish_at")).To(BeEmpty(), "nothing is planned yet")
		Expect(asked.Text(scheduleForm + " .danger")).To(Equal("Approve and schedule anyway"))
		Expect(p.Submit(asked, scheduleForm, nil).Text(".notice")).To(HavePrefix("Approved. Goes out Tue 1 Dec 2099, 09:00 Asia/Tokyo (00:00 UTC)"))
		t.Reconcile(uid)
		Eventually(func() string { return status(t, uid) }).Should(Equal("scheduled"))
	})
})
