package dashboard_test

import (
	"net/http"
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

// colleague signs in at a replica with a key that has a name.
func colleague(t *dashboardtest.Tenant, replica int, name string) *dashboardtest.Person {
	GinkgoHelper()
	return t.SignInAt(replica, t.NewKey(name, v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove))
}

// saved waits until the text of an article is a revision, as its controller makes it.
func saved(t *dashboardtest.Tenant, uid string) {
	GinkgoHelper()
	t.Reconcile(uid)
	Eventually(func() string {
		return t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil).Text("revision_digest")
	}).ShouldNot(BeEmpty())
}

var _ = Describe("Who else has the editor open", func() {
	It("is said on the page of the article and in the editor, on every replica", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "One hut.")
		before := t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil)
		mara, petra := t.SignInAt(0, t.Key), colleague(t, 1, "Petra")
		Expect(mara.Get(t.In("articles", uid, "edit")).Text("#editors")).To(Equal("Last saved by Mara, " + mara.Get(t.In("articles", uid, "edit")).Text("#editors time")))
		Eventually(func() string { return petra.Get(t.In("articles", uid)).Text("#editors") }).Should(Equal("Mara has the editor of this article open."))
		Expect(petra.Get(t.In("articles", uid, "edit")).Text("#editors")).To(HavePrefix("Mara has the editor of this article open. Changes of different paragraphs are merged"))
		Eventually(func() string { return mara.Get(t.In("articles", uid, "edit")).Text("#editors") }).Should(HavePrefix("Petra has the editor"))
		Expect(mara.Get(t.In("articles", uid)).Find("#editors bdi").AttrOr("title", "")).To(MatchRegexp(`^Petra \(api-key:\w+\)$`))
		after := t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil)
		Expect(after.Text("updated_at")).To(Equal(before.Text("updated_at")), "nothing of the article was written")
		Expect(after.Header.Get("ETag")).To(Equal(before.Header.Get("ETag")))
	})

	It("is all that the editor fetches while it is open", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "One hut.")
		p := t.SignIn()
		q, err := http.NewRequest(http.MethodGet, p.Base+t.In("articles", uid, "edit"), nil)
		Expect(err).NotTo(HaveOccurred())
		q.Header.Set("Pressroom-Update", "")
		page := p.Do(q)
		Expect(page.Find("#editors").Length()).To(Equal(1))
		Expect(page.Text("body")).To(HavePrefix("Last saved by Mara"))
		Expect(page.Find("form").Length()).To(BeZero())
	})

	It("is not said of who reads, or may not write", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "One hut.")
		reader := t.SignInWith(t.NewKey("Ben", v1alpha1.ScopeRead))
		reader.Get(t.In("articles", uid))
		Expect(reader.Get(t.In("articles", uid, "edit")).Status).To(Equal(http.StatusForbidden))
		mara := t.SignIn()
		mara.Get(t.In("articles", uid))
		Expect(mara.Get(t.In("articles", uid)).Text("#editors")).To(BeEmpty())
	})
})

var _ = Describe("Changes of two people", func() {
	const base = "The huts are open.\n\nBring a rope.\n\nThe last bus leaves at six."

	It("are merged if they are in different paragraphs and fields, and the page says whose they are", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", base)
		mara, petra := t.SignIn(), colleague(t, 1, "Petra")
		mine := mara.Get(t.In("articles", uid, "edit"))
		theirs := petra.Get(t.In("articles", uid, "edit"))
		Expect(petra.Submit(theirs, editorForm, url.Values{
			"markdown": {"The huts are closed.\r\n\r\nBring a rope.\r\n\r\nThe last bus leaves at six."}, "category": {"Walks"},
		}).Status).To(Equal(http.StatusOK))
		saved(t, uid)
		page := mara.Submit(mine, editorForm, url.Values{
			"markdown": {"The huts are open.\r\n\r\nBring a rope.\r\n\r\nThe last bus leaves at seven."}, "title": {"Huts in winter"}, "tags": {"Alps"},
		})
		Expect(page.Status).To(Equal(http.StatusOK))
		Expect(page.Text(".notice")).To(Equal("Saved. Petra had changed the text, the category: the changes of both are kept."))
		saved(t, uid)
		got := t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil)
		Expect(got.Text("content_markdown")).To(Equal("The huts are closed.\n\nBring a rope.\n\nThe last bus leaves at seven."))
		Expect([]any{got.Text("title"), got.Text("category"), got.Body["tags"]}).To(Equal([]any{"Huts in winter", "Walks", []any{"Alps"}}))
		Expect(got.Text("made_by")).To(HavePrefix("Mara"))
	})

	It("are a conflict that names the other person if they are in the same paragraph or field", func() {
		t := facades.NewTenant("Acme")
		mara, petra := t.SignIn(), colleague(t, 0, "Petra")
		for what, fields := range map[string][2]url.Values{
			"a paragraph": {{"markdown": {"The huts are shut.\n\nBring a rope."}}, {"markdown": {"The huts are full.\n\nBring a rope."}}},
			"the title":   {{"title": {"Cabins"}}, {"title": {"Shelters"}}},
			"the slug":    {{"slug": {"cabins"}}, {"slug": {"shelters"}}},
			"the tags":    {{"tags": {"Alps"}}, {"tags": {"Tyrol"}}},
		} {
			By(what)
			uid := t.Written("Huts", "The huts are open.\n\nBring a rope.")
			mine := mara.Get(t.In("articles", uid, "edit"))
			petra.Submit(petra.Get(t.In("articles", uid, "edit")), editorForm, fields[1])
			saved(t, uid)
			before := t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil).Text("revision_digest")
			page := mara.Submit(mine, editorForm, fields[0])
			Expect(page.Status).To(Equal(http.StatusConflict))
			Expect(page.Text("h1")).To(Equal("Petra has changed this text"))
			Expect(t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil).Text("revision_digest")).To(Equal(before), "nothing is saved")
		}
	})
})
