package controllers_test

import (
	"errors"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// The cache has neither the text of an article, nor its managed fields, nor the annotation of client-side apply.
var _ = Describe("A write of an article's status", func() {
	It("leaves the rest of the article, and who manages it, as they are", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("hello", withText("Hello", "First post."), toBePublished, approvedInManifest, func(a *v1alpha1.Article) {
			a.Labels = map[string]string{"season": "spring"}
			a.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: "{}", "note": "of the author"}
		})
		before := w.get(key)
		after := w.reconcileUntilStable(key)
		Expect(after.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(after.Labels).To(Equal(before.Labels))
		Expect(after.Annotations).To(Equal(before.Annotations))
		Expect(after.Spec).To(Equal(before.Spec))
		Expect(managersOfSpec(after)).To(Equal(managersOfSpec(before)))
		Expect(managersOfSpec(after)).To(HaveLen(1))
	})

	It("is possible with the ClusterRole of the version before", func() {
		w := newWorld()
		w.createSite()
		w.client.before = func(write string) error {
			if write == "update Article/status" {
				return apierrors.NewForbidden(schema.GroupResource{Resource: "articles/status"}, "hello", errors.New("it has no verb update"))
			}
			return nil
		}
		a := w.reconcileUntilStable(w.createArticle("hello", withText("Hello", "First post."), toBePublished, approvedInManifest))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(w.receiver.Received()).To(HaveLen(1))
	})
})

// managersOfSpec returns what the managers of everything but the status manage.
func managersOfSpec(a *v1alpha1.Article) []metav1.ManagedFieldsEntry {
	return slices.DeleteFunc(slices.Clone(a.ManagedFields), func(m metav1.ManagedFieldsEntry) bool { return m.Subresource != "" })
}
