package post_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	. "github.com/onsi/gomega/gstruct"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/brief"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// withUpdates is a site that updates its posts.
func withUpdates(s *v1alpha1.Site) {
	s.Spec.Publishing.Updates, s.Spec.CMS.Headless.Updates = v1alpha1.UpdatesReviewed, v1alpha1.HeadlessUpdatesRepublish
}

func withoutReview(s *v1alpha1.Site) { s.Spec.Review.Policy = v1alpha1.ReviewAutomatic }

// approve publishes the current text of an article in somebody's name.
func (t *tenant) approve(key client.ObjectKey, by string) *v1alpha1.Article {
	GinkgoHelper()
	t.EditArticle(key, func(a *v1alpha1.Article) {
		a.Spec.Stage = v1alpha1.StagePublished
		a.Spec.Review = &v1alpha1.ArticleReview{
			Decision: v1alpha1.DecisionApproved, Digest: a.Status.Revision.Digest, By: by, Note: "Read by " + by + ".",
		}
	})
	return t.ReconcileUntilStable(key)
}

// records returns those of the only Post of the workspace.
func (t *tenant) records() []v1alpha1.PostRecord {
	GinkgoHelper()
	Expect(t.posts()).To(HaveLen(1))
	return t.posts()[0].Spec.Records
}

// recordOf matches a record with some of its fields.
func recordOf(digest string, disclosure v1alpha1.Disclosure, by string) OmegaMatcher {
	return MatchFields(IgnoreExtras, Fields{"Digest": Equal(digest), "Disclosure": Equal(disclosure), "By": Equal(by)})
}

var _ = Describe("The records of a Post", func() {
	It("name everybody who approved a text, if the site asks for several, and none who approved another one", func() {
		t := newTenant()
		t.CreateSite(func(s *v1alpha1.Site) { s.Spec.Review.Approvals = 3 })
		key := t.CreateArticle("shoes", WithKeyword)
		digest := t.ReconcileUntilStable(key).Status.Revision.Digest
		jo := v1alpha1.ArticleApproval{By: "jo@acme.example", Digest: digest, Note: "Fine."}
		t.EditArticle(key, func(a *v1alpha1.Article) {
			a.Spec.Approvals = []v1alpha1.ArticleApproval{{By: "nils@acme.example", Digest: "sha256:" + strings.Repeat("0", 64)}, jo}
		})
		waits := t.approve(key, "mara@acme.example")
		Expect(waits.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(Reason(waits, v1alpha1.ConditionApproved)).To(Equal("False/AwaitingApprovals"))
		Expect(t.posts()).To(BeEmpty())

		t.EditSite(func(s *v1alpha1.Site) { s.Spec.Review.Approvals = 2 })
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished), "a lower number approves what waits")
		Expect(t.records()).To(ConsistOf(And(recordOf(digest, v1alpha1.DisclosureAIAssisted, "mara@acme.example"), HaveField("Approvals", ConsistOf(jo)))))

		t.EditSite(func(s *v1alpha1.Site) { s.Spec.Review.Approvals = 5 })
		stays := t.ReconcileUntilStable(key)
		Expect(stays.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(Reason(stays, v1alpha1.ConditionApproved)).To(Equal("True/Approved"), "what is published is not asked for more")
	})

	It("say of each accepted text who wrote it and who approved it, and outlive the article and its revisions", func() {
		t := newTenant()
		t.CreateSite(withUpdates)
		key := t.CreateArticle("shoes", WithKeyword)
		t.ReconcileUntilStable(key)
		approved := t.Clock.Now()
		t.Client.Writes()
		first := t.approve(key, "mara@acme.example")
		Expect(t.Client.Writes()).To(Equal(
			[]string{"patch Article", "create Post", "update Article/status", "update Article/status", "patch Post"}))
		generated := t.Revision(first).Spec
		one := v1alpha1.PostRecord{
			Digest: first.Status.Revision.Digest, RevisionNumber: 1, Disclosure: v1alpha1.DisclosureAIAssisted,
			Decision: v1alpha1.RecordApproved, By: "mara@acme.example", Note: "Read by mara@acme.example.",
			Source: v1alpha1.SourceGenerated, Model: generated.Generator.Model, PromptVersion: generated.Generator.PromptVersion,
		}
		one.DecisionTime.Time = approved
		Expect(t.records()).To(ConsistOf(BeComparableTo(one)))
		Expect(one.Model).NotTo(BeEmpty())

		t.Clock.Step(time.Hour)
		t.EditArticle(key, WithText("Mine", ""))
		Expect(t.ReconcileUntilStable(key).Status.Publication.Post.Revision.Digest).To(Equal(one.Digest))
		Expect(t.records()).To(HaveLen(1), "a text that waits for review has no record")
		second := t.approve(key, "nils@acme.example")
		two := one
		two.Digest, two.RevisionNumber, two.Source = second.Status.Revision.Digest, 2, v1alpha1.SourceEdited
		two.By, two.Note, two.DecisionTime.Time = "nils@acme.example", "Read by nils@acme.example.", t.Clock.Now()
		Expect(t.records()).To(HaveExactElements(BeComparableTo(one), BeComparableTo(two)))

		t.remove(second)
		Expect(t.Revisions()).To(BeEmpty())
		Expect(t.records()).To(HaveExactElements(BeComparableTo(one), BeComparableTo(two)))
	})

	It("say whether a person has approved, and whether a model has written", func() {
		t := newTenant()
		t.CreateSite(withoutReview)
		a := t.ReconcileUntilStable(t.CreateArticle("generated", WithKeyword, ToBePublished))
		Expect(t.records()).To(ConsistOf(And(recordOf(a.Status.Revision.Digest, v1alpha1.DisclosureAIAutonomous, ""),
			HaveField("Decision", v1alpha1.RecordAutomatic))))
		Expect(a.Status.Publication.Post.Revision.Disclosure).To(Equal(v1alpha1.DisclosureAIAutonomous))

		t = newTenant()
		t.CreateSite(withoutReview)
		a = t.ReconcileUntilStable(t.CreateArticle("written", WithText("Shoes", "Text."), ToBePublished))
		Expect(t.records()).To(ConsistOf(And(recordOf(a.Status.Revision.Digest, v1alpha1.DisclosureHumanOnly, ""),
			HaveField("Decision", v1alpha1.RecordAutomatic), HaveField("Model", BeEmpty()))))
	})

	It("say which Brief an author's text was checked against, and how many claims it did not support", func() {
		t := newTenant()
		t.CreateSite(func(s *v1alpha1.Site) { s.Spec.BriefRef = &v1alpha1.LocalReference{Name: "soles"} })
		soles := &v1alpha1.Brief{
			ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: "soles"}, Spec: v1alpha1.BriefSpec{Facts: []string{"Acme repairs soles."}},
		}
		Expect(api.Create(t.Ctx, soles)).To(Succeed())
		key := t.CreateArticle("written", WithText("Soles", "Of all soles, 97 percent break."), ToBePublished)
		t.ReconcileUntilStable(key)
		a := t.approve(key, "mara@acme.example")
		Expect(t.records()).To(ConsistOf(And(recordOf(a.Status.Revision.Digest, v1alpha1.DisclosureHumanOnly, "mara@acme.example"),
			HaveField("BriefDigest", brief.Digest(soles.Spec)), HaveField("UnsupportedClaims", HaveValue(BeEquivalentTo(1))),
			HaveField("Note", "Read by mara@acme.example."))))
	})

	It("are of a site that pulls, too", func() {
		t := newTenant()
		t.CreateSite(func(s *v1alpha1.Site) { s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone} })
		a := t.publish("first", "Shoes")
		t.remove(a)
		Expect(t.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostRemoved)))
		Expect(t.records()).To(ConsistOf(recordOf(a.Status.Revision.Digest, v1alpha1.DisclosureHumanOnly, "mara@acme.example")))
	})

	It("have none of a text that the site has not accepted", func() {
		t := newTenant()
		t.CreateSite()
		t.Receiver.AnswersStatus(500)
		t.publish("first", "Shoes")
		Expect(t.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostSent)))
		Expect(t.records()).To(BeEmpty())
	})

	It("have the text of an article that is deleted during the attempt", func() {
		t := newTenant()
		t.CreateSite(withoutReview)
		answer := t.HoldReceiver()
		key := t.CreateArticle("shoes", WithKeyword, ToBePublished)
		t.Reconcile(key)
		t.AwaitWork()
		t.Reconcile(key)
		rev := t.Revision(t.GetArticle(key)).Spec
		t.remove(t.GetArticle(key))
		answer()
		t.AwaitWork()
		t.Reconcile(key)
		Expect(t.records()).To(ConsistOf(And(recordOf(rev.Digest, v1alpha1.DisclosureAIAutonomous, ""),
			HaveField("Model", rev.Generator.Model), HaveField("Source", v1alpha1.SourceGenerated))))
	})

	It("do not change when a text is sent again, and have a text once that comes back", func() {
		t := newTenant()
		t.CreateSite(withUpdates)
		key := t.CreateArticle("shoes", WithText("Shoes", "One."))
		t.ReconcileUntilStable(key)
		one := t.approve(key, "mara@acme.example").Status.Revision.Digest
		t.EditArticle(key, func(a *v1alpha1.Article) {
			a.Spec.Review.By = "somebody else"
			a.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "again"}
		})
		t.ReconcileUntilStable(key)
		Expect(t.Receiver.Received()).To(HaveLen(2))
		Expect(t.records()).To(ConsistOf(recordOf(one, v1alpha1.DisclosureHumanOnly, "mara@acme.example")))

		t.EditArticle(key, WithText("Shoes", "Two."))
		t.ReconcileUntilStable(key)
		t.Clock.Step(time.Minute)
		two := t.approve(key, "mara@acme.example").Status.Revision.Digest
		t.EditArticle(key, WithText("Shoes", "One."))
		t.ReconcileUntilStable(key)
		t.Clock.Step(time.Minute)
		t.approve(key, "nils@acme.example")
		Expect(t.records()).To(HaveExactElements(recordOf(two, v1alpha1.DisclosureHumanOnly, "mara@acme.example"),
			And(recordOf(one, v1alpha1.DisclosureHumanOnly, "nils@acme.example"), HaveField("RevisionNumber", int32(3)))))
	})

	It("give a lost status the disclosure of the live text again", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword)
		t.ReconcileUntilStable(key)
		t.remove(t.approve(key, "mara@acme.example"))
		again := t.ReconcileUntilStable(t.CreateArticle("shoes", WithText("Shoes", "Another text."), ToBePublished))
		Expect(again.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(again.Status.Publication.Post.Revision.Disclosure).To(Equal(v1alpha1.DisclosureAIAssisted))
		Expect(t.records()).To(ConsistOf(recordOf(again.Status.Publication.Post.Revision.Digest, v1alpha1.DisclosureAIAssisted, "mara@acme.example")))
	})
})
