package apiserver_test

import (
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

var _ = Describe("The contract's way from a keyword to a published article", func() {
	It("goes over generate, get, approve, publish and list", func() {
		t := newTenant(shared)

		sites := shared.ask(t, "GET", "/v1/api/sites", nil)
		Expect(sites.Status).To(Equal(200))
		site := sites.Body["data"].([]any)[0].(map[string]any)
		Expect(site).To(And(
			HaveKeyWithValue("uid", t.SiteUID), HaveKeyWithValue("domain", "blog.example.com"), HaveKeyWithValue("name", "blog.example.com"),
			HaveKeyWithValue("cms_type", "none"), HaveKeyWithValue("gsc_connected", false), HaveKeyWithValue("status", "active"),
			HaveKeyWithValue("workspace_id", t.Workspace), HaveKey("_id"),
		))

		By("generating")
		made := shared.ask(t, "POST", "/v1/api/generate", map[string]any{
			"site_uid": t.SiteUID, "keyword": "trail shoes", "secondary_keywords": []string{"grip"}, "tone": "dry",
		})
		Expect(made.Status).To(Equal(202), made.Raw)
		Expect(made.Body).To(HaveLen(3))
		Expect(made.Body).To(HaveKeyWithValue("success", true))
		uid := made.Text("blog_uid")
		Expect(made.Text("run_id")).To(Equal(identity.RevisionName(uid, uid, 1)))
		a := t.article(uid)
		Expect(a.Spec.SiteRef.Name).To(Equal(t.Site))
		Expect(*a.Spec.Generate).To(Equal(v1alpha1.GenerateRequest{Keyword: "trail shoes", SecondaryKeywords: []string{"grip"}, Tone: "dry"}))
		Expect(a.Spec.Stage).To(Equal(v1alpha1.StageReview))
		Expect(t.usage().CreditsUsed).To(BeEquivalentTo(1))
		Expect(t.usage().Pending).To(HaveLen(1))

		By("polling")
		Expect(shared.ask(t, "GET", "/v1/api/blogs/"+uid, nil)).To(havingStatus(200, "generating"))
		t.reconcile(uid)
		var got testkit.Answer
		Eventually(func() string {
			got = shared.ask(t, "GET", "/v1/api/blogs/"+uid, nil)
			return got.Text("status")
		}).Should(Equal("review"))
		Expect(got.Text("content_markdown")).To(Equal(someText.Markdown))
		Expect(got.Text("content_html")).To(ContainSubstring("<em>text</em>"))
		Expect(got.Text("title")).To(Equal("Trail shoes"))
		Expect(got.Text("meta_title")).To(Equal("Meta title"))
		Expect(got.Body["faq"]).To(HaveLen(1))
		Expect(got.Body["published_at"]).To(BeNil())
		Expect(got.Text("revision_digest")).To(Equal(someText.Digest()))

		By("approving and publishing")
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/approve", map[string]any{"digest": someText.Digest(), "note": "good"})).
			To(havingStatus(200, "approved"))
		review := t.article(uid).Spec.Review
		Expect(*review).To(Equal(v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, Digest: someText.Digest(), By: t.reviewer(), Note: "good"}))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/publish", "{}")).To(havingStatus(200, "approved"))
		Expect(t.article(uid).Spec.Stage).To(Equal(v1alpha1.StagePublished))
		t.deliver(uid, http.StatusOK)

		By("pulling")
		Eventually(func(g Gomega) {
			page := shared.ask(t, "GET", "/v1/api/blogs?status=published&site_uid="+t.SiteUID, nil)
			data := page.Body["data"].([]any)
			g.Expect(data).To(HaveLen(1))
			g.Expect(data[0]).To(And(
				HaveKeyWithValue("uid", uid), HaveKeyWithValue("status", "published"), HaveKeyWithValue("slug", "trail-shoes"),
				HaveKeyWithValue("published_at", "2026-11-20T09:00:00.007Z"), HaveKeyWithValue("published_url", "https://blog.example.com/trail-shoes"),
				HaveKeyWithValue("target_keyword", "trail shoes"),
			))
			g.Expect(page.Body).To(And(HaveKeyWithValue("hasMore", false), HaveKeyWithValue("nextCursor", BeNil())))
		}).Should(Succeed())
	})
})

var _ = Describe("Tenants", func() {
	It("lose a workspace that is going away", func() {
		t := newTenant(shared)
		namespace := &corev1.Namespace{}
		namespace.Name = t.Workspace
		Expect(api.Delete(ctx, namespace)).To(Succeed())
		Eventually(func() testkit.Answer { return shared.ask(t, "GET", "/v1/api/blogs", nil) }).Should(failing(404, "NOT_FOUND"))
		Expect(shared.ask(t, "GET", "/v1/api/sites", nil).Raw).To(ContainSubstring(`"data":[]`))
		Expect(shared.ask(t, "GET", "/v1/api/workspaces", nil).Raw).To(ContainSubstring(`"data":[]`))
	})
})
