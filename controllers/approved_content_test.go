package controllers_test

import (
	"context"
	"fmt"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

// The approved revision is sent, to the site as it is now.
var _ = Describe("What is sent", func() {
	It("never goes to the address that the site had before the same commit", func() {
		w := newWorld()
		site := w.createSite()
		w.client.staleSite = site.DeepCopy()
		moved := testkit.NewReceiver()
		site.Spec.CMS.Headless.URL = moved.URL
		Expect(api.Update(w.ctx, site)).To(Succeed())
		key := w.createArticle("hello", withText("Hello", "First post."), approvedInManifest, toBePublished)
		for range 3 {
			w.Reconcile(key)
		}
		Expect(w.get(key).Status.Publication).To(BeNil(), "no attempt is written ahead")
		w.client.staleSite = nil
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(w.receiver.Received()).To(BeEmpty())
		Expect(moved.Received()).To(HaveLen(1))
	})

	for name, cms := range map[string]func(*v1alpha1.Site){
		"sent": func(*v1alpha1.Site) {},
		"left to a site that pulls": func(s *v1alpha1.Site) {
			s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone}
		},
	} {
		It("is not "+name+" by a review policy that the same commit ends", func() {
			w := newWorld()
			site := w.createSite(cms, func(s *v1alpha1.Site) { s.Spec.Review.Policy = v1alpha1.ReviewAutomatic })
			w.client.staleSite = site.DeepCopy()
			site.Spec.Review.Policy = v1alpha1.ReviewManual
			Expect(api.Update(w.ctx, site)).To(Succeed())
			key := w.createArticle("hello", withText("Hello", "First post."), toBePublished)
			for range 3 {
				w.Reconcile(key)
			}
			w.client.staleSite = nil
			Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
			Expect(w.receiver.Received()).To(BeEmpty())
		})
	}

	It("is not asked of the generator that the site had before the same commit", func() {
		w := newWorld()
		site := w.createSite()
		w.client.staleSite = site.DeepCopy()
		site.Spec.BrandVoice.Tone = "dry"
		Expect(api.Update(w.ctx, site)).To(Succeed())
		key := w.createArticle("shoes", withKeyword)
		w.Reconcile(key)
		Expect(w.generator.Calls()).To(BeZero())
		Expect(w.usage().CreditsUsed).To(BeZero())
		w.client.staleSite = nil
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})

	It("has the digest that was approved, whoever has replaced the revision", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("hello", withText("Hello", "First post."))
		a := w.reconcileUntilStable(key)
		rev := w.revision(a)
		Expect(api.Delete(w.ctx, rev)).To(Succeed())
		rev.ResourceVersion, rev.UID, rev.Spec.Markdown = "", "", "Buy my pills."
		Expect(api.Create(w.ctx, rev)).To(Succeed())
		w.approveAndPublish(key)
		a = w.reconcileUntilStable(key)
		Expect(reason(a, v1alpha1.ConditionPublished)).To(Equal("False/RevisionMissing"))
		Expect(reason(a, v1alpha1.ConditionStalled)).To(Equal("True/RevisionMissing"))
		Expect(w.receiver.Received()).To(BeEmpty())
	})

	It("is made again from the manifest where the revision was deleted", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("hello", withText("Hello", "First post."))
		before := w.reconcileUntilStable(key)
		Expect(api.Delete(w.ctx, w.revision(before))).To(Succeed())
		w.approveAndPublish(key)
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(w.revision(a).Spec.Digest).To(Equal(before.Status.Revision.Digest))
		Expect(a.Status.Revision.Name).To(Equal(before.Status.Revision.Name))
	})

	It("is asked for again where the revision of a generated text was deleted", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("shoes", withKeyword)
		Expect(api.Delete(w.ctx, w.revision(w.reconcileUntilStable(key)))).To(Succeed())
		w.approveAndPublish(key)
		a := w.reconcileUntilStable(key)
		Expect(reason(a, v1alpha1.ConditionReady)).To(Equal("False/RevisionMissing"))
		Expect(meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionReady).Message).To(ContainSubstring(v1alpha1.RegenerateAnnotation))
		w.client.Writes()
		w.reconcileUntilStable(key)
		Expect(w.client.Writes()).To(BeEmpty())

		w.edit(key, func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RegenerateAnnotation: "again"} })
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
		w.approveAndPublish(key)
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})

	It("says that the generated text is missing which the author's fields would lie over", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("shoes", withKeyword)
		Expect(api.Delete(w.ctx, w.revision(w.reconcileUntilStable(key)))).To(Succeed())
		w.edit(key, withText("Mine", ""))
		a := w.reconcileUntilStable(key)
		Expect(reason(a, v1alpha1.ConditionReady)).To(Equal("False/RevisionMissing"))
		Expect(reason(a, v1alpha1.ConditionStalled)).To(Equal("True/RevisionMissing"))
	})

	It("leaves nothing secret in status that the receiver sends back as the post's id or URL", func() {
		w := newWorld()
		w.createSite()
		w.receiver.Answers(func(_ int, rw http.ResponseWriter) {
			signature := w.receiver.Received()[0].Header.Get("X-SERVICE-Signature")
			_, err := fmt.Fprintf(rw, `{"id": %q, "url": "https://acme.example/?s=%s"}`, signingSecret, signature)
			Expect(err).NotTo(HaveOccurred())
		})
		a := w.reconcileUntilStable(w.createArticle("hello", withText("Hello", "Text."), approvedInManifest, toBePublished))
		Expect(a.Status.Publication).To(And(HaveField("ExternalID", "hello"), HaveField("URL", "")))
	})
})

var _ = Describe("A run whose request changes meanwhile", func() {
	It("is scored by what was asked, and tells nobody of its text", func() {
		w := newWorld()
		w.createSite()
		w.subscribe("newsroom")
		answer := w.holdGenerator()
		key := w.createArticle("shoes", withKeyword)
		w.Reconcile(key)
		w.edit(key, func(a *v1alpha1.Article) { a.Spec.Generate.Keyword = "garden hoses" })
		answer()
		<-w.Notified
		w.generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			return written(r.Keyword, call), nil
		})
		w.Reconcile(key)
		first := w.get(key)
		Expect(first.Status.Events).To(BeEmpty())
		Expect(first.Status.Revision.Title).To(Equal("All about trail running shoes"))
		Expect(w.revision(first).Spec.Scores.Checks).To(ContainElement(And(
			HaveField("Name", "keyphrase-in-seo-title"), HaveField("Result", v1alpha1.CheckPassed))))
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Revision.Title).To(Equal("All about garden hoses"))
		Expect(a.Status.Events).To(ConsistOf(And(
			HaveField("Type", v1alpha1.EventReadyForReview), HaveField("Number", a.Status.Revision.Number))))
	})
})

var _ = Describe("An approved article that waits for a slot", func() {
	It("shows its approval and has told of it", func() {
		w := newWorld()
		w.limits = inflight.Limits{Total: 1, PerHost: 1}
		w.restart()
		w.createSite()
		w.subscribe("newsroom")
		answer := w.holdReceiver()
		first := w.createArticle("first", withText("First", "Text."), approvedInManifest, toBePublished)
		second := w.createArticle("second", withText("Second", "Text."))
		w.Reconcile(first)
		w.Reconcile(second)
		w.approveAndPublish(second)
		w.client.Writes()
		w.Reconcile(second)
		Expect(w.client.Writes()).To(Equal([]string{"update Article/status"}))
		a := w.get(second)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseApproved))
		Expect(reason(a, v1alpha1.ConditionApproved)).To(Equal("True/Approved"))
		Expect(a.Status.Events).To(ContainElement(HaveField("Type", v1alpha1.EventApproved)))
		answer()
		w.awaitWork()
		for _, key := range []client.ObjectKey{first, second} {
			w.ReconcileUntilStable(key)
		}
		Expect(w.receiver.Received()).To(HaveLen(2))
	})
})
