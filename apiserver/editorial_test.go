package apiserver_test

import (
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

var _ = Describe("Writing an article", func() {
	It("creates, shows and edits it before and after it has become a revision", func() {
		t := newTenant(shared)
		body := t.written("Trail shoes")
		body["slug"], body["meta_title"], body["target_keyword"] = "trail-shoes", "Meta", "trail shoes"
		body["faq"] = []any{map[string]any{"question": "Why?", "answer": "Because."}}
		made := shared.ask(t, "POST", "/v1/api/blogs", body)
		Expect(made).To(havingStatus(201, "review"), made.Raw)
		Expect(made.Text("content_markdown")).To(Equal("Some *text*."))
		Expect(made.Text("content_html")).To(ContainSubstring("<em>text</em>"))
		Expect(made.Text("slug")).To(Equal("trail-shoes"))
		Expect(made.Body["faq"]).To(HaveLen(1))
		Expect(made.Text("revision_digest")).To(BeEmpty())
		uid := made.Text("uid")
		Expect(t.usage().CreditsUsed).To(BeZero(), "a written article takes no credit")
		Expect(shared.ask(t, "GET", "/v1/api/blogs/"+uid, nil).Text("content_markdown")).To(Equal("Some *text*."))

		By("editing")
		edited := shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, map[string]any{"title": " Better shoes ", "meta_title": nil})
		Expect(edited).To(havingStatus(200, "review"))
		Expect(edited.Text("title")).To(Equal("Better shoes"))
		content := t.article(uid).Spec.Content
		Expect(content.Title).To(Equal("Better shoes"))
		Expect(content.MetaTitle).To(BeEmpty(), "null clears")
		Expect(content.Markdown).To(Equal("Some *text*."))

		By("editing again, which keeps the first edit")
		edited = shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, map[string]any{"content_markdown": "  indented\n", "faq": []any{}})
		Expect(edited.Body["faq"]).To(BeEmpty())
		content = t.article(uid).Spec.Content
		Expect(content.Title).To(Equal("Better shoes"))
		Expect(content.Markdown).To(Equal("  indented\n"))
		Expect(content.FAQPolicy).To(Equal(v1alpha1.FAQNone))
		edited = shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, `{"faq":[{"question":"Why?","answer":"Because."}]}`)
		Expect(edited.Body["faq"]).To(HaveLen(1))
		edited = shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, map[string]any{"faq": []any{}})
		Expect(edited.Body["faq"]).To(BeEmpty())

		By("being reviewed, edited and so in review again")
		t.reconcile(uid)
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/approve", nil)).To(havingStatus(200, "approved"))
		edited = shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, map[string]any{"slug": "other", "content_markdown": "New *text*."})
		Expect(edited).To(havingStatus(200, "review"))
		Expect(edited.Text("slug")).To(Equal("other"))
		Expect(edited.Text("content_html")).To(ContainSubstring("New <em>text</em>"))
		Expect(edited.Text("title")).To(Equal("Better shoes"))
		Expect(edited.Text("revision_digest")).To(BeEmpty(), "there is nothing yet that could be approved")
		Expect(edited.Body["seo_score"]).To(BeNil())
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/approve", nil)).To(failing(409, "CONFLICT"), "the edit is no revision yet")
		t.reconcile(uid)
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/approve", nil)).To(havingStatus(200, "approved"))

		By("deleting")
		gone := shared.ask(t, "DELETE", "/v1/api/blogs/"+uid, nil)
		Expect(gone.Status).To(Equal(204))
		Expect(gone.Raw).To(BeEmpty())
		Expect(gone.Header.Get("x-request-id")).NotTo(BeEmpty())
		Eventually(func() testkit.Answer { return shared.ask(t, "GET", "/v1/api/blogs/"+uid, nil) }).Should(failing(404, "NOT_FOUND"))
		Expect(shared.ask(t, "DELETE", "/v1/api/blogs/"+uid, nil)).To(failing(404, "NOT_FOUND"))
	})

	It("names every field that fails", func() {
		t := newTenant(shared)
		got := shared.ask(t, "POST", "/v1/api/blogs", map[string]any{
			"site_uid": "0198f0a1-0000-7000-8000-00000000ffff", "title": " ", "content_markdown": strings.Repeat("é", 131_073), "slug": "No Slug",
			"meta_title": strings.Repeat("x", 301), "faq": []any{map[string]any{"question": ""}}, "secondary_keywords": []string{"a"}, "status": "published",
		})
		Expect(got).To(failing(400, "VALIDATION_ERROR"))
		Expect(got.Fields()).To(Equal([]string{
			"content_markdown", "faq[0].answer", "faq[0].question", "meta_title", "secondary_keywords", "site_uid", "slug", "status", "title",
		}))
		Expect(t.articles()).To(BeEmpty())
	})

	It("names every field of an edit that fails, and changes nothing", func() {
		t := newTenant(shared)
		uid := t.inReview(shared)
		before := t.article(uid).ResourceVersion
		got := shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, map[string]any{"title": "", "slug": "-", "content_markdown": 7, "success": true})
		Expect(got.Fields()).To(Equal([]string{"content_markdown", "slug", "success", "title"}))
		Expect(shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, "{}").Status).To(Equal(200))
		Expect(t.article(uid).ResourceVersion).To(Equal(before))
	})

	It("overlays a generated text, and asks for another one by another keyword", func() {
		t := newTenant(shared)
		uid := t.inReview(shared)
		Expect(shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, map[string]any{"meta_title": "Mine"})).To(havingStatus(200, "review"))
		Expect(t.article(uid).Spec.Content.MetaTitle).To(Equal("Mine"))
		Expect(shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, map[string]any{"target_keyword": "road shoes", "tone": "dry"})).To(havingStatus(200, "generating"))
		a := t.article(uid)
		Expect(a.Spec.Generate.Keyword).To(Equal("road shoes"))
		Expect(a.Spec.Content.MetaTitle).To(Equal("Mine"))
	})

	It("refuses keywords without a keyword", func() {
		t := newTenant(shared)
		uid := shared.ask(t, "POST", "/v1/api/blogs", t.written("Shoes")).Text("uid")
		Expect(shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, map[string]any{"tone": "dry"}).Fields()).To(Equal([]string{"tone"}))
		Expect(shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, map[string]any{"secondary_keywords": []string{"a"}}).Fields()).
			To(Equal([]string{"secondary_keywords"}))
		Expect(shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, map[string]any{"target_keyword": "shoes", "secondary_keywords": []string{"a"}}).Status).To(Equal(200))
	})

	It("cannot change a text that its manifest approves whatever it is", func() {
		t := newTenant(shared)
		a := &v1alpha1.Article{}
		a.Namespace, a.Name = t.Workspace, "by-hand"
		a.Spec = v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: t.Site}, Content: &v1alpha1.ArticleContent{Title: "T", Markdown: "M"},
			Review: &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, By: "mara@acme.example"},
		}
		Expect(api.Create(ctx, a)).To(Succeed())
		uid := t.uidOf("by-hand")
		Eventually(func() int { return shared.ask(t, "GET", "/v1/api/blogs/"+uid, nil).Status }).Should(Equal(200))
		Expect(shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, map[string]any{"content_markdown": "other"})).To(failing(409, "CONFLICT"))
		Expect(t.article("by-hand").Spec.Content.Markdown).To(Equal("M"))
	})
})

var _ = Describe("Reviewing", func() {
	It("needs a text", func() {
		t := newTenant(shared)
		uid := shared.ask(t, "POST", "/v1/api/blogs", t.written("Shoes")).Text("uid")
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/approve", nil)).To(failing(409, "CONFLICT"))
		generating := shared.ask(t, "POST", "/v1/api/generate", t.generate("shoes")).Text("blog_uid")
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+generating+"/approve", nil)).To(failing(409, "CONFLICT"))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+generating+"/reject", `{"note":"no"}`)).To(failing(409, "CONFLICT"))
	})

	It("is about the text that the reviewer saw", func() {
		t := newTenant(shared)
		uid := t.inReview(shared)
		other := "sha256:" + strings.Repeat("0", 64)
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/approve", map[string]any{"digest": other})).To(failing(409, "CONFLICT"))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/reject", map[string]any{"digest": other, "note": "no"})).To(failing(409, "CONFLICT"))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/approve", map[string]any{"digest": "junk"}).Fields()).To(Equal([]string{"digest"}))
		Expect(t.article(uid).Spec.Review).To(BeNil())
	})

	It("takes the last word, whole", func() {
		t := newTenant(shared)
		uid := t.inReview(shared)
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/reject", nil).Fields()).To(Equal([]string{"body"}))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/reject", `{"note":" "}`).Fields()).To(Equal([]string{"note"}))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/reject", `{"note":"no sources"}`)).To(havingStatus(200, "rejected"))
		Expect(t.article(uid).Spec.Review.Note).To(Equal("no sources"))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/publish", nil)).To(failing(409, "CONFLICT"))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/approve", nil)).To(havingStatus(200, "approved"))
		Expect(*t.article(uid).Spec.Review).To(Equal(v1alpha1.ArticleReview{
			Decision: v1alpha1.DecisionApproved, Digest: someText.Digest(), By: t.reviewer(),
		}))
	})
})

var _ = Describe("Publishing", func() {
	It("may be asked for at a time, and then at once", func() {
		t := newTenant(shared)
		uid := t.inReview(shared)
		shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/approve", nil)
		at := time.Now().Add(time.Hour).UTC().Truncate(time.Second)
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/publish", map[string]any{"publish_at": "tomorrow"}).Fields()).To(Equal([]string{"publish_at"}))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/publish", map[string]any{"publish_at": at.Format(time.RFC3339)})).To(havingStatus(200, "scheduled"))
		Expect(t.article(uid).Spec.PublishAfter.UTC()).To(Equal(at))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/publish", nil)).To(havingStatus(200, "approved"))
		Expect(t.article(uid).Spec.PublishAfter.Time).NotTo(BeTemporally(">", time.Now()))
	})

	It("comes at once if it was scheduled by others", func() {
		t := newTenant(shared)
		uid := t.inReview(shared)
		shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/approve", nil)
		a := t.article(uid)
		patch := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"stage":"Published","publishAfter":"2099-01-01T00:00:00Z"}}`))
		Expect(api.Patch(ctx, a, patch, client.FieldOwner("kubectl-edit"))).To(Succeed())
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/publish", nil)).To(havingStatus(200, "approved"))
	})

	It("is a request that stands until the approval", func() {
		t := newTenant(shared)
		uid := t.inReview(shared)
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/publish", nil)).To(havingStatus(200, "review"))
		Expect(t.article(uid).Spec.Stage).To(Equal(v1alpha1.StagePublished))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/approve", nil)).To(havingStatus(200, "approved"))
	})

	It("freezes the text", func() {
		t := newTenant(shared)
		uid := t.published(shared)
		before := t.article(uid).ResourceVersion
		Expect(shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, `{"title":"other"}`)).To(failing(409, "CONFLICT"))
		Expect(shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, `{"target_keyword":"other"}`)).To(failing(409, "CONFLICT"))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/regenerate", nil)).To(failing(409, "CONFLICT"))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/reject", `{"note":"no"}`)).To(failing(409, "CONFLICT"))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/publish", nil)).To(havingStatus(200, "published"))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/publish", `{"publish_at":"2099-01-01T00:00:00Z"}`)).To(havingStatus(200, "published"))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/approve", nil)).To(havingStatus(200, "published"))
		Expect(t.article(uid).ResourceVersion).To(Equal(before), "what changes nothing writes nothing")
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/archive", nil)).To(havingStatus(200, "archived"))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/approve", nil)).To(failing(409, "CONFLICT"))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/archive", nil)).To(havingStatus(200, "archived"))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/publish", nil)).To(havingStatus(200, "published"))
	})

	It("is not undone by a change of the manifest: the text that the site has stays the answer", func() {
		t := newTenant(shared)
		uid := t.pulled(shared)
		before := shared.ask(t, "GET", "/v1/api/blogs/"+uid, nil)
		a := t.article(uid)
		a.Spec.Generate.Keyword, a.Spec.Content = "other", &v1alpha1.ArticleContent{Title: "Another title"}
		Expect(api.Update(ctx, a)).To(Succeed())
		t.reconcile(uid)
		Eventually(func() string { return shared.ask(t, "GET", "/v1/api/blogs/"+uid, nil).Text("status_message") }).Should(
			ContainSubstring("the site keeps what it has"))
		after := shared.ask(t, "GET", "/v1/api/blogs/"+uid, nil)
		Expect(after).To(havingStatus(200, "published"))
		for _, member := range []string{"title", "content_markdown", "revision_digest"} {
			Expect(after.Text(member)).To(Equal(before.Text(member)), member)
		}
		Expect(shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, `{"title":"Mine"}`)).To(failing(409, "CONFLICT"))
	})

	It("names the operation that helps after a failure", func() {
		t := newTenant(shared)
		failed := shared.ask(t, "POST", "/v1/api/generate", t.generate("shoes")).Text("blog_uid")
		t.failRun(failed)
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+failed+"/publish", nil).Raw).To(ContainSubstring("regenerate it"))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+failed+"/regenerate", nil)).To(havingStatus(200, "generating"))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+failed+"/regenerate", nil)).To(failing(409, "CONFLICT"), "it is on its way")

		undelivered := t.inReview(shared)
		shared.ask(t, "POST", "/v1/api/blogs/"+undelivered+"/approve", nil)
		shared.ask(t, "POST", "/v1/api/blogs/"+undelivered+"/publish", nil)
		t.deliver(undelivered, http.StatusGone)
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+undelivered+"/publish", nil).Raw).To(ContainSubstring("redeliver it"))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+undelivered+"/cancel-publication", nil).Status).To(Equal(200))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+undelivered+"/redeliver", nil).Raw).To(ContainSubstring("publish the article"), "nothing would be sent")
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+undelivered+"/publish", nil).Status).To(Equal(200))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+undelivered+"/redeliver", nil).Status).To(Equal(200))
		Expect(t.article(undelivered).Annotations).To(HaveKey(v1alpha1.RedeliverAnnotation))
	})
})

var _ = Describe("Commands", func() {
	It("give a new nonce each time and keep the other's", func() {
		t := newTenant(shared)
		uid := t.inReview(shared)
		shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/regenerate", nil)
		first := t.article(uid).Annotations[v1alpha1.RegenerateAnnotation]
		Expect(first).NotTo(BeEmpty())
		t.reconcile(uid)
		shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/approve", nil)
		shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/publish", nil)
		t.deliver(uid, http.StatusOK)
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/redeliver", nil)).To(havingStatus(200, "published"))
		annotations := t.article(uid).Annotations
		Expect(annotations).To(And(HaveKeyWithValue(v1alpha1.RegenerateAnnotation, first), HaveKey(v1alpha1.RedeliverAnnotation)))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/redeliver", nil)).To(failing(409, "CONFLICT"), "it is on its way")
		t.deliver(uid, http.StatusOK)
		overwrite := map[string]any{"overwrite": true}
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/redeliver", overwrite)).To(havingStatus(200, "published"))
		Expect(t.article(uid).Annotations).To(HaveKey(v1alpha1.OverwriteAnnotation))
	})

	It("are refused if there is nothing to do", func() {
		t := newTenant(shared)
		written := shared.ask(t, "POST", "/v1/api/blogs", t.written("Shoes")).Text("uid")
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+written+"/regenerate", nil)).To(failing(409, "CONFLICT"))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+written+"/redeliver", nil)).To(failing(409, "CONFLICT"))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+written+"/redeliver", `{"force":true}`).Fields()).To(Equal([]string{"force"}))
		pulled := t.pulled(shared)
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+pulled+"/redeliver", nil)).To(failing(409, "CONFLICT"), "its site pulls")
	})
})
