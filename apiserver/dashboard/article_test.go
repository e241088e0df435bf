package dashboard_test

import (
	"net/http"
	"net/url"

	"github.com/PuerkitoBio/goquery"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

// The forms of an article's page, by how their action ends.
const (
	approveForm = "form[action$='/approve']"
	rejectForm  = "form[action$='/reject']"
	publishForm = "form[action$='/publish']"
	// The form of a time, which approves the text too if that is to be decided on.
	scheduleForm = "form[action$='/schedule']"
	editorForm   = "form.editor"
)

// ownStage has a tool apply the stage of an article, as GitOps does: publishing it here is refused, approving it is not.
func ownStage(t *dashboardtest.Tenant, uid string) {
	GinkgoHelper()
	applied := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": v1alpha1.GroupVersion.String(), "kind": "Article", "metadata": map[string]any{"namespace": t.Workspace, "name": uid},
		"spec": map[string]any{"stage": "Review", "siteRef": map[string]any{"name": t.Site}},
	}}
	Expect(t.API.Apply(GinkgoT().Context(), client.ApplyConfigurationFromUnstructured(applied), client.FieldOwner("argocd"),
		client.ForceOwnership)).To(Succeed())
}

var _ = Describe("The page of an article", func() {
	It("shows what is decided on, and what follows", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("trail shoes")
		page := t.SignIn().Get(t.In("articles", uid))
		Expect(page.Status).To(Equal(http.StatusOK))
		Expect(page.Text("h1")).To(Equal(dashboardtest.Text.Title))
		Expect(page.Text("#article-state")).To(And(HavePrefix("In review"), ContainSubstring("revision 1, generated")))
		Expect(page.Find(approveForm+" input[name=digest]").AttrOr("value", "")).To(HavePrefix("sha256:"))
		Expect(page.Text(approveForm + " .primary")).To(Equal("Approve and publish"))
		Expect(page.Find("iframe").AttrOr("src", "")).To(HaveSuffix("/preview?revision=1"))
		sandbox, has := page.Find("iframe").Attr("sandbox")
		Expect(has).To(BeTrue())
		Expect(sandbox).To(Equal("allow-same-origin"), "nothing runs in it, and the page can measure it")
		Expect(page.Text(".side")).To(And(ContainSubstring("SEO score: 13 of 100"), ContainSubstring("Which shoes grip on wet rock?"),
			ContainSubstring(dashboardtest.Text.MetaDescription), Not(ContainSubstring("Older ones are not kept."))))
	})

	It("says in the person's time zone when the article goes out", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("trail shoes")
		at := map[string]any{"publish_at": "2040-12-01T09:00:00Z"}
		Expect(t.Ask(http.MethodPost, "/v1/api/blogs/"+uid+"/publish", at).Status).To(Equal(http.StatusOK))
		Expect(t.Ask(http.MethodPost, "/v1/api/blogs/"+uid+"/approve", nil).Status).To(Equal(http.StatusOK))
		t.Reconcile(uid)
		p := t.SignIn()
		p.Submit(p.Get("/app/account/settings"), settingsForm, url.Values{"zone": {"Asia/Tokyo"}})
		Eventually(func() string { return p.Get(t.In("articles", uid)).Text(".message") }).Should(Equal("Waits for 1 Dec 2040, 18:00."))
	})

	It("says in words why a delivery failed", func() {
		t := facades.NewTenant("Acme")
		receiver := t.SendTo(http.StatusGone)
		DeferCleanup(receiver.Close)
		uid := t.Sent("trail shoes", 0)
		p := t.SignIn()
		var page *dashboardtest.Page
		Eventually(func() string { page = p.Get(t.In("articles", uid)); return page.Text("#article-state .badge") }).Should(Equal("Failed"))
		const why = "Refused by the receiver: the receiver answered 410 Gone"
		Expect(page.Text(".message")).To(And(HavePrefix(why), ContainSubstring("Attempt 1 of 4.")))
		Expect(page.Text("#article-story li:first-child")).To(ContainSubstring("the receiver answered 410 Gone"))
		Expect(p.Get(t.In("articles") + "?status=failed").Text("#a-" + uid)).To(ContainSubstring(why))
	})

	It("has the decision before the text, for those who hear the page", func() {
		t := facades.NewTenant("Acme")
		page := t.SignIn().Get(t.In("articles", t.InReview("trail shoes")))
		var order []string
		page.Find("main h1, main h2").Each(func(_ int, s *goquery.Selection) { order = append(order, s.Text()) })
		Expect(order[:3]).To(Equal([]string{dashboardtest.Text.Title, "Review", "Text"}))
	})

	It("says so while a text is being generated", func() {
		t := facades.NewTenant("Acme")
		page := t.SignIn().Get(t.In("articles", t.Generating("trail shoes")))
		Expect(page.Text("h1")).To(Equal("trail shoes"))
		Expect(page.Text("#article-state")).To(ContainSubstring("Generating"))
		Expect(page.Find(approveForm).Length()).To(BeZero())
		Expect(page.Find("#review-[data-live]").Length()).To(Equal(1))
	})

	It("has another part to decide on for another text, so that none takes the place of the one that is read", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("trail shoes")
		p := t.SignIn()
		id := func() string { return p.Get(t.In("articles", uid)).Find(".decide[data-live]").AttrOr("id", "") }
		before := id()
		Expect(before).To(MatchRegexp("^review-[0-9a-f]{12}$"))
		p.Submit(p.Get(t.In("articles", uid)), rejectForm, url.Values{"reason": {"no"}})
		Expect(id()).To(Equal(before), "the same text")
		t.Rewrite(uid, "Another text.")
		Eventually(id).Should(And(HavePrefix("review-"), Not(Equal(before))))
	})

	It("is not found under another workspace, nor is a site", func() {
		t, other := facades.NewTenant("Acme"), facades.NewTenant("Rival")
		uid, p := other.InReview("trail shoes"), t.SignIn()
		for _, path := range []string{t.In("articles", uid), t.In("sites", other.SiteUID), t.In("sites", "x")} {
			Expect(p.Get(path).Status).To(Equal(http.StatusNotFound), path)
		}
	})

	It("offers nothing that a person may not do", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("trail shoes")
		reader := t.SignInWith(t.NewKey("Reader", v1alpha1.ScopeRead)).Get(t.In("articles", uid))
		Expect(reader.Find("main form").Length()).To(BeZero())
		Expect(reader.Text(".decide")).To(ContainSubstring("You may not approve. Ask for the scope approve."))
		writer := t.SignInWith(t.NewKey("Writer", v1alpha1.ScopeRead, v1alpha1.ScopeWrite)).Get(t.In("articles", uid))
		Expect(writer.Find(approveForm).Length()).To(BeZero())
		Expect(writer.Find(publishForm).Length()).To(Equal(1))
		approver := t.SignInWith(t.NewKey("Approver", v1alpha1.ScopeRead, v1alpha1.ScopeApprove)).Get(t.In("articles", uid))
		Expect(approver.Text(approveForm + " .buttons")).To(Equal("Approve"))
		Expect(approver.Find(publishForm + ", " + scheduleForm).Length()).To(BeZero())
	})
})
