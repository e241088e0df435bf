package article_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

var _ = Describe("What a post has beside its text", func() {
	It("is in the revision and in the webhook, and an author whom the site has not is waited for", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("hello", WithText("Hello", "First post."), func(a *v1alpha1.Article) {
			a.Spec.Content.Tags, a.Spec.Content.Category, a.Spec.Content.Author = []string{"Trail"}, "Gear", "Mara"
		})
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Revision).To(BeNil())
		Expect(ConditionOf(a.Status.Conditions, v1alpha1.ConditionReady)).To(Equal("False/" + v1alpha1.ReasonInvalidContent))

		t.EditSite(func(s *v1alpha1.Site) { s.Spec.Publishing.Authors = []v1alpha1.SiteAuthor{{Name: "Mara"}} })
		rev := t.Revision(t.ReconcileUntilStable(key))
		Expect(rev.Spec.Tags).To(Equal([]string{"Trail"}))
		Expect(rev.Spec.Category + " " + rev.Spec.Author).To(Equal("Gear Mara"))
		t.ApproveAndPublish(key)
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(t.Receiver.Received()).To(HaveLen(1))
		Expect(t.Receiver.Received()[0].Body).To(ContainSubstring(`"tags":["Trail"]`))
	})
})
