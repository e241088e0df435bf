package kinds

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Kubernetes keeps the manager of each field of an object. Of what the controller alone writes that is as much as the object itself.
var _ = Describe("What the controller alone writes", func() {
	// fieldsOf are those that the managers of an object have.
	fieldsOf := func(obj client.Object) string {
		var fields strings.Builder
		for _, m := range obj.GetManagedFields() {
			fields.Write(m.FieldsV1.GetRawBytes())
		}
		return fields.String()
	}

	It("is one field in revisions and Posts", func(ctx SpecContext) {
		revision := newRevision(workspace)
		revision.Spec.Scores.Passed = []string{"SEO/keyphrase-in-slug 9/9: the slug has the keyword"}
		Expect(admin.Create(ctx, revision)).To(Succeed())
		DeferCleanup(func(ctx SpecContext) { Expect(admin.Delete(ctx, revision)).To(Succeed()) })
		Expect(fieldsOf(revision)).To(ContainSubstring(`"f:spec":{}`))

		post := &api.Post{ObjectMeta: metav1.ObjectMeta{GenerateName: "post-", Namespace: workspace}, Spec: api.PostSpec{
			SiteRef: api.LocalReference{Name: "acme"}, ArticleRef: api.LocalReference{Name: "welcome"}, Destination: "pull:acme", Slug: "shoes",
			State: api.PostSent, Revision: api.PostRevision{Name: "welcome-1", Number: 1, Digest: digest},
		}}
		Expect(admin.Create(ctx, post)).To(Succeed())
		DeferCleanup(func(ctx SpecContext) { Expect(admin.Delete(ctx, post)).To(Succeed()) })
		Expect(fieldsOf(post)).To(ContainSubstring(`"f:spec":{}`))
	})

	It("is one field in the status of articles and deliveries", func(ctx SpecContext) {
		article := withStatus(ctx)
		Expect(fieldsOf(article)).To(ContainSubstring(`"f:status":{}`))

		delivery := newEventDelivery(workspace)
		Expect(admin.Create(ctx, delivery)).To(Succeed())
		DeferCleanup(func(ctx SpecContext) { Expect(admin.Delete(ctx, delivery)).To(Succeed()) })
		delivery.Status.Conditions = []metav1.Condition{condition(api.ConditionReady, metav1.ConditionFalse, api.ReasonProgressing)}
		Expect(admin.Status().Update(ctx, delivery)).To(Succeed())
		Expect(fieldsOf(delivery)).To(ContainSubstring(`"f:status":{}`))
	})
})

var _ = Describe("The status of an article that another manager writes too", func() {
	It("keeps what a merge patch does not name", func(ctx SpecContext) {
		article := withStatus(ctx)
		before := article.Status
		patch := client.RawPatch(types.MergePatchType, []byte(`{"status": {"slug": "trail-shoes"}}`))
		Expect(admin.Status().Patch(ctx, article, patch)).To(Succeed())
		before.Slug = "trail-shoes"
		Expect(article.Status).To(Equal(before))
	})

	It("is refused to server-side apply, and with force is replaced as a whole", func(ctx SpecContext) {
		article := withStatus(ctx)
		applied := &unstructured.Unstructured{Object: map[string]any{"status": map[string]any{"slug": "trail-shoes"}}}
		applied.SetGroupVersionKind(api.GroupVersion.WithKind("Article"))
		applied.SetNamespace(article.Namespace)
		applied.SetName(article.Name)
		apply := func(options ...client.SubResourceApplyOption) error {
			return admin.Status().Apply(ctx, client.ApplyConfigurationFromUnstructured(applied.DeepCopy()), append(options, client.FieldOwner("someone"))...)
		}
		Expect(apierrors.IsConflict(apply())).To(BeTrue())
		Expect(apply(client.ForceOwnership)).To(Succeed())
		Expect(admin.Get(ctx, client.ObjectKeyFromObject(article), article)).To(Succeed())
		Expect(article.Status).To(Equal(api.ArticleStatus{Observed: api.Observed{ObservedGeneration: -1}, Slug: "trail-shoes"}))
	})
})

// withStatus creates an article that has a current revision.
func withStatus(ctx SpecContext) *api.Article {
	GinkgoHelper()
	article := newArticle(workspace)
	Expect(admin.Create(ctx, article)).To(Succeed())
	DeferCleanup(func(ctx SpecContext) { Expect(admin.Delete(ctx, article)).To(Succeed()) })
	article.Status.Revision = &api.CurrentRevision{
		Name: "welcome-1", Number: 1, Digest: digest, Title: "Shoes", Source: api.SourceWritten, CreationTime: api.NewMicroTime(now),
	}
	Expect(admin.Status().Update(ctx, article)).To(Succeed())
	return article
}
