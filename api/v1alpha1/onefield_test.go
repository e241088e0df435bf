package v1alpha1_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
		revision.Spec.Scores.Checks = []api.ScoreCheck{{Name: "keyphrase-in-slug", Result: api.CheckPassed, Points: 9, MaxPoints: 9}}
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

	It("is one field for each part of an article's status", func(ctx SpecContext) {
		article := newArticle(workspace)
		Expect(admin.Create(ctx, article)).To(Succeed())
		DeferCleanup(func(ctx SpecContext) { Expect(admin.Delete(ctx, article)).To(Succeed()) })
		article.Status.Revision = &api.CurrentRevision{
			Name: "welcome-1", Number: 1, Digest: digest, Title: "Shoes", Source: api.SourceWritten, CreatedAt: metav1.NewMicroTime(now),
		}
		article.Status.Publication = &api.Publication{State: api.PublicationPublished, Revision: "welcome-1", Digest: digest}
		Expect(admin.Status().Update(ctx, article)).To(Succeed())
		Expect(fieldsOf(article)).To(And(ContainSubstring(`"f:revision":{}`), ContainSubstring(`"f:publication":{}`)))
	})
})
