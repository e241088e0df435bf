package apiserver_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

func (t *tenant) uidOf(name string) string {
	return identity.UID(identity.KindArticle, t.Workspace, name)
}

// applyAs applies a manifest as a GitOps tool does.
func (t *tenant) applyAs(manager, name string, spec map[string]any) {
	GinkgoHelper()
	spec["siteRef"] = map[string]any{"name": t.Site}
	u := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	u.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Article"))
	u.SetNamespace(t.Workspace)
	u.SetName(name)
	Expect(api.Apply(ctx, client.ApplyConfigurationFromUnstructured(u), client.FieldOwner(manager))).To(Succeed())
	Eventually(func() int { return shared.ask(t, "GET", "/v1/api/blogs/"+t.uidOf(name), nil).Status }).Should(Equal(200))
}

var _ = Describe("A field that a manifest in Git keeps", func() {
	It("is not changed, and the answer names who keeps it", func() {
		t := newTenant(shared)
		t.applyAs("kustomize-controller", "in-git", map[string]any{
			"stage": "Review", "content": map[string]any{"title": "From Git", "markdown": "M"},
		})
		uid := t.uidOf("in-git")
		for path, body := range map[string]string{"/publish": "{}", "/archive": "{}"} {
			got := shared.ask(t, "POST", "/v1/api/blogs/"+uid+path, body)
			Expect(got).To(failing(409, "CONFLICT"))
			Expect(got.Raw).To(ContainSubstring("kustomize-controller"))
		}
		got := shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, `{"title":"Mine","slug":"mine"}`)
		Expect(got).To(failing(409, "CONFLICT"))
		Expect(got.Raw).To(ContainSubstring(
			`"details":[{"field":"title","code":"managed_by_manifest","message":"\"kustomize-controller\" applies this from a manifest: change it there"}]`))
		a := t.article("in-git")
		Expect(a.Spec.Stage).To(Equal(v1alpha1.StageReview))
		Expect(a.Spec.Content.Title).To(Equal("From Git"))
	})

	It("may stand beside fields that the API sets, which Git leaves alone", func() {
		t := newTenant(shared)
		manifest := map[string]any{"content": map[string]any{"title": "From Git", "markdown": "M"}}
		t.applyAs("kustomize-controller", "in-git", manifest)
		uid := t.uidOf("in-git")
		Expect(shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, `{"meta_title":"Mine"}`).Status).To(Equal(200))
		t.reconcile("in-git")
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/approve", nil)).To(havingStatus(200, "approved"))
		t.applyAs("kustomize-controller", "in-git", manifest)
		a := t.article("in-git")
		Expect(a.Spec.Content.MetaTitle).To(Equal("Mine"))
		Expect(a.Spec.Review.By).To(Equal(t.reviewer()))
	})
})

var _ = Describe("A field that somebody set by hand", func() {
	It("is taken over", func() {
		t := newTenant(shared)
		uid := t.inReview(shared)
		a := t.article(uid)
		a.Spec.Stage = v1alpha1.StageDraft
		a.Spec.Content = &v1alpha1.ArticleContent{Title: "By hand"}
		a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionRejected, By: "mara@acme.example", Note: "by hand"}
		Expect(api.Update(ctx, a, client.FieldOwner("kubectl-edit"))).To(Succeed())
		t.reconcile(uid)
		Expect(shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, `{"title":"By API"}`).Text("title")).To(Equal("By API"))
		t.reconcile(uid)
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/approve", nil).Status).To(Equal(200))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/publish", nil)).To(havingStatus(200, "approved"))
		a = t.article(uid)
		Expect(a.Spec.Stage).To(Equal(v1alpha1.StagePublished))
		Expect(a.Spec.Content.Title).To(Equal("By API"))
		Expect(a.Spec.Review.Note).To(BeEmpty(), "nothing of the earlier word stays")
		Expect(a.Spec.Review.By).To(Equal(t.reviewer()))
	})

	It("does not cost the fields of the API's other concerns", func() {
		t := newTenant(shared)
		uid := t.inReview(shared)
		shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, `{"meta_title":"Mine"}`)
		t.reconcile(uid)
		shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/approve", nil)
		shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/publish", `{"publish_at":"2099-01-01T00:00:00Z"}`)
		shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/archive", nil)
		a := t.article(uid)
		Expect(a.Spec.Generate.Keyword).To(Equal("trail shoes"))
		Expect(a.Spec.Content.MetaTitle).To(Equal("Mine"))
		Expect(a.Spec.Review.Decision).To(Equal(v1alpha1.DecisionApproved))
		Expect(a.Spec.PublishAfter).NotTo(BeNil())
		Expect(a.Spec.Stage).To(Equal(v1alpha1.StageArchived))
	})
})

var _ = Describe("Edits that come together", func() {
	It("all take place", func() {
		t := newTenant(shared)
		uid := t.inReview(shared)
		bodies := []string{`{"title":"A"}`, `{"slug":"b"}`, `{"meta_title":"C"}`, `{"meta_description":"D"}`, `{"content_markdown":"E"}`}
		done := make(chan testkit.Answer, len(bodies))
		for _, body := range bodies {
			go func() {
				defer GinkgoRecover()
				done <- shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, body)
			}()
		}
		for range bodies {
			Expect((<-done).Status).To(Equal(200))
		}
		c := t.article(uid).Spec.Content
		Expect([]string{c.Title, c.Slug, c.MetaTitle, c.MetaDescription, c.Markdown}).To(Equal([]string{"A", "b", "C", "D", "E"}))
	})
})
