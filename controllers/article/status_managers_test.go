package article_test

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// The cache has neither the text of an article, nor its managed fields, nor the annotation of client-side apply.
var _ = Describe("A write of an article's status", func() {
	It("leaves the rest of the article, and who manages it, as they are", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("hello", WithText("Hello", "First post."), ToBePublished, ApprovedInManifest, func(a *v1alpha1.Article) {
			a.Labels = map[string]string{"season": "spring"}
			a.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: "{}", "note": "of the author"}
		})
		before := t.GetArticle(key)
		after := t.ReconcileUntilStable(key)
		Expect(after.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(after.Labels).To(Equal(before.Labels))
		Expect(after.Annotations).To(Equal(before.Annotations))
		Expect(after.Spec).To(Equal(before.Spec))
		Expect(managersOfSpec(after)).To(Equal(managersOfSpec(before)))
		Expect(managersOfSpec(after)).To(HaveLen(1))
	})
})

var _ = Describe("An article as the cache has it", func() {
	It("cannot be written back, and a patch of it leaves the text as it is", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("hello", WithText("Hello", "First post."))
		cached := t.GetArticle(key)
		Expect(Transform(cached)(cached)).Error().NotTo(HaveOccurred())
		Expect(cached.Spec.Content.Cached).NotTo(BeNil())
		Expect(cached.Spec.Content.Markdown).To(BeEmpty())

		changed := cached.DeepCopy()
		changed.Spec.Content.Title = "Hallo"
		Expect(apierrors.IsInvalid(t.API.Update(t.Ctx, changed.DeepCopy()))).To(BeTrue())
		Expect(t.API.Patch(t.Ctx, changed, client.MergeFrom(cached))).To(Succeed())
		Expect(t.GetArticle(key).Spec.Content).To(Equal(&v1alpha1.ArticleContent{Title: "Hallo", Markdown: "First post."}))
	})
})

// managersOfSpec returns what the managers of everything but the status manage.
func managersOfSpec(a *v1alpha1.Article) []metav1.ManagedFieldsEntry {
	return slices.DeleteFunc(slices.Clone(a.ManagedFields), func(m metav1.ManagedFieldsEntry) bool { return m.Subresource != "" })
}
