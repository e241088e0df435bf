package article_test

import (
	"context"
	"fmt"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// The approved revision is sent, to the site as it is now.
var _ = Describe("What is sent", func() {
	It("never goes to the address that the site had before the same commit", func() {
		t := newTenant()
		site := t.CreateSite()
		t.Client.StaleSite = site.DeepCopy()
		moved := testkit.NewReceiver()
		site.Spec.CMS.Headless.URL = moved.URL
		Expect(api.Update(t.Ctx, site)).To(Succeed())
		key := t.CreateArticle("hello", WithText("Hello", "First post."), ApprovedInManifest, ToBePublished)
		for range 3 {
			t.Reconcile(key)
		}
		Expect(t.GetArticle(key).Status.Publication).To(BeNil(), "no attempt is written ahead")
		t.Client.StaleSite = nil
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(t.Receiver.Received()).To(BeEmpty())
		Expect(moved.Received()).To(HaveLen(1))
	})

	for name, cms := range map[string]func(*v1alpha1.Site){
		"sent": func(*v1alpha1.Site) {},
		"left to a site that pulls": func(s *v1alpha1.Site) {
			s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone}
		},
	} {
		It("is not "+name+" by a review policy that the same commit ends", func() {
			t := newTenant()
			site := t.CreateSite(cms, func(s *v1alpha1.Site) { s.Spec.Review.Policy = v1alpha1.ReviewAutomatic })
			t.Client.StaleSite = site.DeepCopy()
			site.Spec.Review.Policy = v1alpha1.ReviewManual
			Expect(api.Update(t.Ctx, site)).To(Succeed())
			key := t.CreateArticle("hello", WithText("Hello", "First post."), ToBePublished)
			for range 3 {
				t.Reconcile(key)
			}
			t.Client.StaleSite = nil
			Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
			Expect(t.Receiver.Received()).To(BeEmpty())
		})
	}

	It("is not asked of the generator that the site had before the same commit", func() {
		t := newTenant()
		site := t.CreateSite()
		t.Client.StaleSite = site.DeepCopy()
		site.Spec.BrandVoice.Tone = "dry"
		Expect(api.Update(t.Ctx, site)).To(Succeed())
		key := t.CreateArticle("shoes", WithKeyword)
		t.Reconcile(key)
		Expect(t.Generator.Calls()).To(BeZero())
		Expect(t.Usage().CreditsUsed).To(BeZero())
		t.Client.StaleSite = nil
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})

	It("has the digest that was approved, regardless of who has replaced the revision", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("hello", WithText("Hello", "First post."))
		a := t.ReconcileUntilStable(key)
		rev := t.Revision(a)
		Expect(api.Delete(t.Ctx, rev)).To(Succeed())
		rev.ResourceVersion, rev.UID, rev.Spec.Markdown = "", "", "Buy my pills."
		Expect(api.Create(t.Ctx, rev)).To(Succeed())
		t.ApproveAndPublish(key)
		a = t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("False/RevisionMissing"))
		Expect(Reason(a, v1alpha1.ConditionStalled)).To(Equal("True/RevisionMissing"))
		Expect(t.Receiver.Received()).To(BeEmpty())
	})

	It("is made again from the manifest where the revision was deleted", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("hello", WithText("Hello", "First post."))
		before := t.ReconcileUntilStable(key)
		Expect(api.Delete(t.Ctx, t.Revision(before))).To(Succeed())
		t.ApproveAndPublish(key)
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(t.Revision(a).Spec.Digest).To(Equal(before.Status.Revision.Digest))
		Expect(a.Status.Revision.Name).To(Equal(before.Status.Revision.Name))
	})

	It("is asked for again where the revision of a generated text was deleted", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword)
		Expect(api.Delete(t.Ctx, t.Revision(t.ReconcileUntilStable(key)))).To(Succeed())
		t.ApproveAndPublish(key)
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("False/RevisionMissing"))
		Expect(meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionReady).Message).To(ContainSubstring(v1alpha1.RegenerateAnnotation))
		t.Client.Writes()
		t.ReconcileUntilStable(key)
		Expect(t.Client.Writes()).To(BeEmpty())

		t.EditArticle(key, func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RegenerateAnnotation: "again"} })
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
		t.ApproveAndPublish(key)
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})

	It("says that the generated text is missing which the author's fields would lie over", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword)
		Expect(api.Delete(t.Ctx, t.Revision(t.ReconcileUntilStable(key)))).To(Succeed())
		t.EditArticle(key, WithText("Mine", ""))
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("False/RevisionMissing"))
		Expect(Reason(a, v1alpha1.ConditionStalled)).To(Equal("True/RevisionMissing"))
	})

	It("leaves nothing secret in status that the receiver sends back as the post's id or URL", func() {
		t := newTenant()
		t.CreateSite()
		t.Receiver.Answers(func(_ int, rw http.ResponseWriter) {
			signature := t.Receiver.Received()[0].Header.Get("X-SERVICE-Signature")
			_, err := fmt.Fprintf(rw, `{"id": %q, "url": "https://acme.example/?s=%s"}`, SigningSecret, signature)
			Expect(err).NotTo(HaveOccurred())
		})
		a := t.ReconcileUntilStable(t.CreateArticle("hello", WithText("Hello", "Text."), ApprovedInManifest, ToBePublished))
		Expect(a.Status.Publication.Post).To(And(HaveField("ExternalID", "hello"), HaveField("URL", "")))
	})
})

var _ = Describe("A run whose request changes meanwhile", func() {
	It("is scored by what was asked, and tells nobody of its text", func() {
		t := newTenant()
		t.CreateSite()
		t.Subscribe("newsroom")
		answer := t.HoldGenerator()
		key := t.CreateArticle("shoes", WithKeyword)
		t.Reconcile(key)
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Generate.Keyword = "garden hoses" })
		answer()
		<-t.Notified
		t.Generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			return Written(r.Keyword, call), nil
		})
		t.Reconcile(key)
		first := t.GetArticle(key)
		Expect(first.Status.Transitions).To(BeEmpty())
		Expect(first.Status.Revision.Title).To(Equal("All about trail running shoes"))
		Expect(t.Revision(first).Spec.Scores.Passed).To(ContainElement(HavePrefix("SEO/keyphrase-in-seo-title 9/9: ")))
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Revision.Title).To(Equal("All about garden hoses"))
		Expect(a.Status.Transitions).To(ConsistOf(And(
			HaveField("Type", v1alpha1.EventReadyForReview), HaveField("RevisionNumber", a.Status.Revision.Number))))
	})
})
