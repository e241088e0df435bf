package dashboard_test

import (
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

var _ = Describe("What happened to an article", func() {
	It("is on its page, and reasons of rejections are offered again", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "The huts are open.")
		p := t.SignIn()
		open := func() *dashboardtest.Page { return p.Get(t.In("articles", uid)) }
		for _, reason := range []string{"No sources.", "Too short."} {
			p.Submit(open(), rejectForm, url.Values{"reason": {reason}})
			t.Reconcile(uid)
			t.Rewrite(uid, "Another text after: "+reason)
		}
		var page *dashboardtest.Page
		Eventually(func() string {
			page = open()
			return page.Text("#article-story li:nth-child(1)")
		}).Should(And(HavePrefix("Edited by Mara revision 3"), HaveSuffix("ready for review")))
		Expect(page.Text("#article-story li:nth-child(2)")).To(And(HavePrefix("Rejected by Mara revision 2"), HaveSuffix("Too short.")))
		Expect(page.Text("#article-story li:last-child")).To(HavePrefix("Written by Mara revision 1"))
		Expect(page.Find(rejectForm + " [data-fill=reason]").Map(func(_ int, b *goquery.Selection) string { return b.Text() })).
			To(Equal([]string{"Too short.", "No sources."}))
	})

	It("names who wrote, asked for, edited and restored each text, in the head, in the history and in what happened", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("trail shoes")
		mara, petra := t.SignIn(), t.SignInWith(t.NewKey("Petra", v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove))
		head := func(want string) {
			GinkgoHelper()
			t.Reconcile(uid)
			Eventually(func() string { return mara.Get(t.In("articles", uid)).Text("#article-state") }).Should(ContainSubstring(want))
		}
		head("revision 1, generated, asked for by Mara")
		petra.Submit(petra.Get(t.In("articles", uid, "edit")), editorForm, url.Values{"title": {"Shoes that grip"}})
		head("revision 2, edited by Petra")
		mara.Submit(mara.Get(t.In("articles", uid, "edit")), editorForm, url.Values{"markdown": {"My own words."}})
		head("revision 3, edited by Mara")
		petra.Submit(petra.Get(t.In("articles", uid)), "form[action$='/restore']:has([name=number][value='2'])", nil)
		head("revision 4, restored by Petra from revision 2")

		page := mara.Get(t.In("articles", uid))
		Expect(page.Find("#article-story strong + bdi").Map(func(_ int, name *goquery.Selection) string { return name.Text() })).
			To(Equal([]string{"Petra", "Mara", "Petra", "Mara"}))
		Expect(page.Find("#article-story strong").Map(func(_ int, word *goquery.Selection) string { return word.Text() })).
			To(Equal([]string{"Restored", "Edited", "Edited", "Generated"}))
		Expect(page.Find(".history bdi[title]").First().AttrOr("title", "")).To(MatchRegexp(`^Petra \(api-key:\w+\)$`))
		history := page.Text("section[aria-labelledby=history]")
		Expect(history).To(And(ContainSubstring("restored by Petra from revision 2"), ContainSubstring("edited by Mara"), ContainSubstring("edited by Petra"),
			ContainSubstring("generated, asked for by Mara"), Not(ContainSubstring("Older ones"))))
		Expect(mara.Get(t.In("articles", uid, "changes")).Text("main")).To(ContainSubstring("Revision 4, restored by Petra"))
		for _, text := range []string{"Fifth.", "Sixth.", "Seventh."} {
			t.Rewrite(uid, text)
		}
		Eventually(func() string { return mara.Get(t.In("articles", uid)).Text("section[aria-labelledby=history]") }).
			Should(ContainSubstring("Older ones are not kept."))
	})

	It("names the client of a text that kubectl wrote, and no person", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "One hut.")
		stored := &v1alpha1.Article{}
		ctx := GinkgoT().Context()
		Expect(t.API.Get(ctx, client.ObjectKey{Namespace: t.Workspace, Name: uid}, stored)).To(Succeed())
		changed := stored.DeepCopy()
		changed.Spec.Content.Markdown = "Two huts."
		Expect(t.API.Patch(ctx, changed, client.MergeFrom(stored), client.FieldOwner("kubectl-edit"))).To(Succeed())
		t.Reconcile(uid)
		p := t.SignIn()
		Eventually(func() string { return p.Get(t.In("articles", uid)).Text("#article-state") }).
			Should(ContainSubstring("revision 2, edited in Kubernetes with kubectl-edit"))
	})

	It("has no approval at the moment at which a text is discarded", func() {
		t := facades.NewTenant("Acme")
		site := t.SiteObject()
		site.Spec.Publishing.Updates = v1alpha1.UpdatesReviewed
		Expect(t.API.Update(GinkgoT().Context(), site)).To(Succeed())
		uid := t.Written("Huts", "One hut.")
		p := t.SignIn()
		p.Submit(p.Get(t.In("articles", uid)), approveForm, url.Values{"then": {"publish"}})
		t.Reconcile(uid)
		Eventually(func() string { return status(t, uid) }).Should(Equal("published"))
		t.Rewrite(uid, "Two huts.")
		var page *dashboardtest.Page
		Eventually(func() int {
			page = p.Get(t.In("articles", uid))
			return page.Find("a[href$='do=discard']").Length()
		}).Should(Equal(1))
		Expect(p.Submit(p.Get(page.Find("a[href$='do=discard']").AttrOr("href", "")), "form[action$='/discard']", nil).Text(".notice")).To(Equal("The article has the text of its site again."))
		t.Reconcile(uid)
		Eventually(func() string {
			page = p.Get(t.In("articles", uid))
			return page.Text("#article-story li:first-child")
		}).Should(HavePrefix("Other text discarded by Mara from revision 1"))
		story := page.Text("#article-story")
		Expect(strings.Count(story, "Approved")).To(Equal(1), story)
	})
})
