package kube_test

import (
	"context"
	"errors"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// newArticle creates an article in the namespace default. It is deleted after the spec.
func newArticle(apply map[string]any) client.ObjectKey {
	GinkgoHelper()
	a := &v1alpha1.Article{}
	a.Namespace, a.GenerateName = "default", "article-"
	a.Spec.SiteRef.Name = "acme"
	a.Spec.Generate = &v1alpha1.GenerateRequest{Keyword: "trail shoes", SecondaryKeywords: []string{"grip"}}
	Expect(api.Create(context.Background(), a, client.FieldOwner("pressroom-apiserver"))).To(Succeed())
	DeferCleanup(func() { Expect(client.IgnoreNotFound(api.Delete(context.Background(), a))).To(Succeed()) })
	if apply != nil {
		u := &unstructured.Unstructured{Object: map[string]any{"spec": apply}}
		u.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Article"))
		u.SetNamespace(a.Namespace)
		u.SetName(a.Name)
		configuration := client.ApplyConfigurationFromUnstructured(u)
		Expect(api.Apply(context.Background(), configuration, client.FieldOwner("kustomize-controller"), client.ForceOwnership)).To(Succeed())
	}
	return client.ObjectKeyFromObject(a)
}

func change(key client.ObjectKey, f func(*v1alpha1.Article) error) (*v1alpha1.Article, error) {
	return kube.Change(context.Background(), kube.NewClient(api, 0), key, f)
}

func toStage(stage v1alpha1.ArticleStage) func(*v1alpha1.Article) error {
	return func(a *v1alpha1.Article) error { a.Spec.Stage = stage; return nil }
}

func stored(key client.ObjectKey) *v1alpha1.Article {
	GinkgoHelper()
	a := &v1alpha1.Article{}
	Expect(api.Get(context.Background(), key, a)).To(Succeed())
	return a
}

var _ = Describe("A change", func() {
	It("is written, and the object is returned as it is then", func() {
		key := newArticle(nil)
		a, err := change(key, toStage(v1alpha1.StagePublished))
		Expect(err).NotTo(HaveOccurred())
		Expect(a).To(Equal(stored(key)))
		Expect(a.Spec.Stage).To(Equal(v1alpha1.StagePublished))
	})

	It("starts again with what somebody has written meanwhile, and keeps that", func() {
		key, calls := newArticle(nil), 0
		_, err := change(key, func(a *v1alpha1.Article) error {
			if calls++; calls == 1 {
				other := stored(key)
				other.Spec.Generate.Tone = "friendly"
				Expect(api.Update(context.Background(), other)).To(Succeed())
			}
			a.Spec.Stage = v1alpha1.StageDraft
			return nil
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(calls).To(Equal(2))
		a := stored(key)
		Expect(a.Spec.Generate.Tone).To(Equal("friendly"))
		Expect(a.Spec.Stage).To(Equal(v1alpha1.StageDraft))
	})

	It("gives up if that goes on", func() {
		key := newArticle(nil)
		_, err := change(key, func(a *v1alpha1.Article) error {
			other := stored(key)
			other.Spec.Generate.Tone += "."
			Expect(api.Update(context.Background(), other)).To(Succeed())
			a.Spec.Stage = v1alpha1.StageDraft
			return nil
		})
		Expect(problem.FromKubernetes(err).Problem.Message).To(Equal("the article was changed at the same time: look at it, and try again"))
	})

	It("that changes nothing is not written", func() {
		key := newArticle(nil)
		before := stored(key)
		a, err := change(key, func(*v1alpha1.Article) error { return nil })
		Expect(err).NotTo(HaveOccurred())
		Expect(a).To(Equal(before))
		Expect(stored(key).ResourceVersion).To(Equal(before.ResourceVersion))
	})

	It("that is refused is not written", func() {
		key, refused := newArticle(nil), errors.New("no")
		_, err := change(key, func(a *v1alpha1.Article) error { a.Spec.Stage = v1alpha1.StageDraft; return refused })
		Expect(err).To(MatchError(refused))
		Expect(stored(key).Spec.Stage).NotTo(Equal(v1alpha1.StageDraft))
	})

	It("finds no object that is being deleted", func() {
		key := newArticle(nil)
		a := stored(key)
		a.Finalizers = []string{"example.com/wait"}
		Expect(api.Update(context.Background(), a)).To(Succeed())
		Expect(api.Delete(context.Background(), a)).To(Succeed())
		DeferCleanup(func() {
			a := stored(key)
			a.Finalizers = nil
			Expect(api.Update(context.Background(), a)).To(Succeed())
		})
		_, err := change(key, toStage(v1alpha1.StageDraft))
		Expect(err).To(MatchError(problem.NotFound("article")))
	})

	DescribeTable("of an object with a manifest", func(manifest map[string]any, f func(*v1alpha1.Article) error, wantField string) {
		key := newArticle(manifest)
		before := stored(key)
		_, err := change(key, f)
		if wantField == "" {
			Expect(err).NotTo(HaveOccurred())
			return
		}
		var refused *problem.APIError
		Expect(errors.As(err, &refused)).To(BeTrue(), "%v", err)
		Expect(refused.GetStatus()).To(Equal(http.StatusConflict))
		Expect(refused.Problem.Message).To(Equal(`a manifest that "kustomize-controller" applies has this: change it there`))
		Expect(refused.Problem.Details).To(ConsistOf(HaveField("Field", wantField)))
		Expect(stored(key).ResourceVersion).To(Equal(before.ResourceVersion))
	},
		Entry("is refused for a field that the manifest has", map[string]any{"generate": map[string]any{"keyword": "trail shoes", "tone": "dry"}},
			func(a *v1alpha1.Article) error { a.Spec.Generate.Tone = "friendly"; return nil }, "tone"),
		Entry("is refused if it removes such a field", map[string]any{"generate": map[string]any{"keyword": "trail shoes", "tone": "dry"}},
			func(a *v1alpha1.Article) error { a.Spec.Generate.Tone = ""; return nil }, "tone"),
		Entry("is refused if it removes what such a field is a part of", map[string]any{"content": map[string]any{"title": "One", "markdown": "Text."}},
			func(a *v1alpha1.Article) error { a.Spec.Content = nil; return nil }, "content_markdown"),
		Entry("is refused for a part of a field that is applied as a whole", map[string]any{"review": map[string]any{
			"decision": "Rejected", "by": "mara@acme.example", "digest": digest,
		}}, func(a *v1alpha1.Article) error { a.Spec.Review.Note = "better"; return nil }, "note"),
		Entry("is refused for a list that the manifest has", map[string]any{"generate": map[string]any{
			"keyword": "trail shoes", "secondaryKeywords": []any{"mud"},
		}}, func(a *v1alpha1.Article) error { a.Spec.Generate.SecondaryKeywords = []string{"ice"}; return nil }, "secondary_keywords"),
		Entry("is made where the manifest is silent", map[string]any{"generate": map[string]any{"keyword": "trail shoes"}},
			toStage(v1alpha1.StageDraft), ""),
	)
})

const digest = "sha256:0000000000000000000000000000000000000000000000000000000000000000"

var _ = Describe("The manager", func() {
	It("of a manifest is named where an object is to be deleted, and only there", func() {
		key := newArticle(map[string]any{"siteRef": map[string]any{"name": "acme"}})
		Expect(kube.RefuseDelete(stored(key), ".spec.siteRef")).To(MatchError(ContainSubstring(`that "kustomize-controller" applies has this: delete it there`)))
		Expect(kube.RefuseDelete(stored(newArticle(nil)), ".spec.siteRef")).To(Succeed())
		other := newArticle(map[string]any{"stage": "Draft"})
		Expect(kube.RefuseDelete(stored(other), ".spec.siteRef")).To(Succeed(), "it applies another field alone")
	})

	It("of a field is who wrote it", func() {
		const facade, stage = "pressroom-apiserver", ".spec.stage"
		key := newArticle(nil)
		Expect(kube.WrittenByOthers(stored(key), ".spec.generate", facade)).To(BeFalse())
		Expect(kube.WrittenByOthers(stored(key), ".spec.generate", "pressroom-operator")).To(BeTrue())
		a := stored(key)
		a.Spec.Stage = v1alpha1.StageDraft
		Expect(api.Update(context.Background(), a, client.FieldOwner("kubectl-edit"))).To(Succeed())
		Expect(kube.WrittenByOthers(a, stage, facade)).To(BeTrue())
		Expect(kube.WrittenByOthers(a, ".spec.publishAfter", facade)).To(BeFalse())
	})
})
