package controllers_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

var _ = Describe("An article's life", func() {
	It("goes from a keyword to a published article in at most 10 object writes, beside those that articles share, and 3 events", func() {
		w := newWorld()
		w.createSite()
		w.client.Writes()

		// What the facade does for a generate call: the ledger, then the article.
		name := "0192f1b0-7c3e-7a10-8d52-3f5a1c9e0b11"
		Expect(w.Generation.Charger.Reserve(w.ctx, ledger.Charge{
			Account: w.account, Run: identity.RevisionName(name, name, 1), Workspace: w.namespace, Article: name,
			SiteUID: identity.UID(identity.KindSite, w.namespace, "acme"), Metered: true,
		})).To(Succeed())
		key := w.createArticle(name, withKeyword)

		a := w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		w.approveAndPublish(key)
		a = w.reconcileUntilStable(key)

		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(reason(a, v1alpha1.ConditionPublished)).To(Equal("True/Delivered"))
		Expect(a.Status.Publication.URL).To(Equal("https://acme.example/blog/shoes"))
		Expect(a.Status.Publication.ExternalID).To(Equal("17"))
		Expect(a.Status.Publication.PublishTime.Time.UTC()).To(Equal(started))
		writes := w.client.Writes()
		ledgerWrites := slices.DeleteFunc(slices.Clone(writes), func(write string) bool { return write != "patch Account/status" })
		Expect(ledgerWrites).To(HaveLen(2), "the charge, and its take-over, which is written together with those of other articles")
		Expect(len(writes) - 1).To(Equal(10))
		Expect(len(w.Events.Events)).To(BeNumerically("<=", 3))
	})

	It("tells in status what wrote the text, and what it took", func() {
		w := newWorld()
		w.createSite()
		a := w.reconcileUntilStable(w.createArticle("shoes", withKeyword))
		Expect(a.Status.Run).To(And(
			HaveField("State", v1alpha1.RunSucceeded), HaveField("Attempt", int32(1)), HaveField("Model", "small-2026"),
			HaveField("InputTokens", int64(100)), HaveField("OutputTokens", int64(1000)), HaveField("Charge", v1alpha1.Charged)))
		Expect(a.Status.Revision).To(And(
			HaveField("Name", a.Status.Run.Name), HaveField("Title", "All about trail running shoes"),
			HaveField("Source", v1alpha1.SourceGenerated), HaveField("Digest", HavePrefix("sha256:"))))
		Expect(a.Status.Slug).To(Equal("all-about-trail-running-shoes"))
		Expect(reason(a, v1alpha1.ConditionGenerated)).To(Equal("True/Succeeded"))
		Expect(reason(a, v1alpha1.ConditionReady)).To(Equal("True/AwaitingReview"))
	})

	It("delivers what the contract says, signed over the exact bytes", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("shoes", withKeyword)
		w.reconcileUntilStable(key)
		w.approveAndPublish(key)
		w.reconcileUntilStable(key)

		Expect(w.receiver.Received()).To(HaveLen(1))
		request := w.receiver.Received()[0]
		Expect(request.Header.Get("X-SERVICE-Event")).To(Equal("post.publish"))
		Expect(request.Header.Get("Content-Type")).To(Equal("application/json"))
		mac := hmac.New(sha256.New, []byte(signingSecret))
		mac.Write([]byte(request.Body))
		Expect(request.Header.Get("X-SERVICE-Signature")).To(Equal(hex.EncodeToString(mac.Sum(nil))))
		var payload map[string]any
		Expect(json.Unmarshal([]byte(request.Body), &payload)).To(Succeed())
		Expect(payload).To(And(
			HaveKeyWithValue("status", "publish"), HaveKeyWithValue("slug", "all-about-trail-running-shoes"),
			HaveKeyWithValue("title", "All about trail running shoes"), HaveKeyWithValue("content_format", "json"),
			HaveKey("content_markdown"), HaveKeyWithValue("content_html", ContainSubstring("<h2>Why</h2>"))))
	})

	It("takes a written manifest with its approval straight to published", func() {
		w := newWorld()
		w.createSite()
		a := w.reconcileUntilStable(w.createArticle("hello", withText("Hello", "First post."), approvedInManifest, toBePublished))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(a.Status.Run).To(BeNil())
		Expect(w.generator.Calls()).To(BeZero())
	})

	It("puts changed content back into review", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("hello", withText("Hello", "First post."))
		first := w.reconcileUntilStable(key)
		w.edit(key, func(a *v1alpha1.Article) {
			a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, Digest: first.Status.Revision.Digest, By: "mara@acme.example"}
		})
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseApproved))
		w.edit(key, withText("Hello", "Second thoughts."))
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(reason(a, v1alpha1.ConditionApproved)).To(Equal("False/ContentChanged"))
		Expect(a.Status.Revision.Number).To(Equal(int64(2)))
	})

	It("lays the author's fields over a generated text without asking the model again", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("shoes", withKeyword)
		w.reconcileUntilStable(key)
		w.edit(key, withText("A better title", ""))
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Revision).To(And(HaveField("Title", "A better title"), HaveField("Number", int64(2)), HaveField("Source", v1alpha1.SourceWritten)))
		Expect(w.revision(a).Spec.Markdown).To(HavePrefix("Text 1 about"))
		Expect(w.generator.Calls()).To(Equal(1))
	})

	It("takes nothing over from an earlier text when the author writes another", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("huts", func(a *v1alpha1.Article) {
			a.Spec.Content = &v1alpha1.ArticleContent{
				Title: "The huts are closed", Markdown: "All our huts are closed until May.", MetaTitle: "Huts closed",
				FAQ: []v1alpha1.FAQ{{Question: "Can I stay overnight?", Answer: "No."}},
			}
		})
		w.reconcileUntilStable(key)
		w.edit(key, withText("The huts are open", "All our huts are open again."))
		edited := w.revision(w.reconcileUntilStable(key)).Spec
		Expect(edited.FAQ).To(BeEmpty())
		Expect(edited.MetaTitle).To(Equal("The huts are open"))
		Expect(edited.MetaDescription).To(Equal("All our huts are open again."))
		fresh := w.createArticle("huts-again", withText("The huts are open", "All our huts are open again."))
		Expect(w.revision(w.reconcileUntilStable(fresh)).Spec.Digest).To(Equal(edited.Digest), "the same manifest has the same digest")
	})

	It("takes the questions away where the author sets an empty list of them", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("shoes", withKeyword)
		Expect(w.revision(w.reconcileUntilStable(key)).Spec.FAQ).NotTo(BeEmpty())
		a := w.get(key)
		Expect(w.client.Patch(w.ctx, a, client.RawPatch(types.MergePatchType, []byte(`{"spec": {"content": {"faq": []}}}`)))).To(Succeed())
		Expect(w.revision(w.reconcileUntilStable(key)).Spec.FAQ).To(BeEmpty())
	})

	It("waits for the site, and goes on when it comes", func() {
		w := newWorld()
		key := w.createArticle("shoes", withKeyword, toBePublished)
		a := w.reconcileUntilStable(key)
		Expect(reason(a, v1alpha1.ConditionReady)).To(Equal("False/SiteNotFound"))
		Expect(w.generator.Calls()).To(BeZero())
		w.createSite()
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})

	It("publishes at its time", func() {
		w := newWorld()
		w.createSite()
		at := metav1.NewTime(started.Add(time.Hour))
		key := w.createArticle("hello", withText("Hello", "First post."), approvedInManifest, toBePublished, func(a *v1alpha1.Article) { a.Spec.PublishAfter = &at })
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseScheduled))
		w.clock.Step(time.Hour - time.Second)
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseScheduled))
		Expect(w.receiver.Received()).To(BeEmpty())
		w.clock.Step(time.Second)
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})

	It("publishes at once, and without a call, to a site that pulls", func() {
		w := newWorld()
		w.createSite(func(s *v1alpha1.Site) { s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone} })
		a := w.reconcileUntilStable(w.createArticle("hello", withText("Hello", "First post."), approvedInManifest, toBePublished))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(reason(a, v1alpha1.ConditionPublished)).To(Equal("True/Published"))
		Expect(w.receiver.Received()).To(BeEmpty())
	})

	It("approves by the site's policy", func() {
		w := newWorld()
		w.createSite(func(s *v1alpha1.Site) { s.Spec.Review.Policy = v1alpha1.ReviewAutomatic })
		a := w.reconcileUntilStable(w.createArticle("shoes", withKeyword, toBePublished))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(reason(a, v1alpha1.ConditionApproved)).To(Equal("True/Automatic"))
	})

	It("keeps two revisions beside the current one", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("hello", withText("Hello", "Text 1."))
		w.reconcileUntilStable(key)
		for _, body := range []string{"Text 2.", "Text 3.", "Text 4.", "Text 5."} {
			w.edit(key, withText("Hello", body))
			w.reconcileUntilStable(key)
		}
		var names []string
		for _, rev := range w.revisions() {
			names = append(names, rev.Name[strings.LastIndexByte(rev.Name, '-')+1:])
		}
		Expect(names).To(ConsistOf("1", "3", "4", "5"))
	})

	It("gives each article of a site a slug of its own, and keeps it once it is tried", func() {
		w := newWorld()
		w.createSite()
		one := w.reconcileUntilStable(w.createArticle("one", withText("Hello", "Text.")))
		key := w.createArticle("two", withText("Hello", "Text."))
		two := w.reconcileUntilStable(key)
		Expect([]string{one.Status.Slug, two.Status.Slug}).To(Equal([]string{"hello", "hello-2"}))
		w.edit(key, func(a *v1alpha1.Article) { a.Spec.Content.Slug = "greeting" })
		Expect(w.reconcileUntilStable(key).Status.Slug).To(Equal("greeting"))
		three := w.reconcileUntilStable(w.createArticle("three", withText("Hello", "Text.")))
		Expect(three.Status.Slug).To(Equal("hello-2"), "a slug that was given up is free")
		w.receiver.AnswersStatus(500)
		w.approveAndPublish(key)
		w.reconcileUntilStable(key)
		w.edit(key, func(a *v1alpha1.Article) { a.Spec.Content.Slug = "another" })
		Expect(w.reconcileUntilStable(key).Status.Slug).To(Equal("greeting"))
	})

	It("says what must be where the content cannot become an article", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("blank", withText("Blank", " \n\n "))
		a := w.reconcileUntilStable(key)
		Expect(reason(a, v1alpha1.ConditionReady)).To(Equal("False/InvalidContent"))
		Expect(reason(a, v1alpha1.ConditionStalled)).To(Equal("True/InvalidContent"))
		w.edit(key, withText("Not blank", "Text."))
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})

	It("does not take a deleted article's revision for its own", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("hello", withText("Hello", "Old."))
		old := w.reconcileUntilStable(key)
		// Without a garbage collector the revision stays, as it does for a moment in a real cluster.
		Expect(api.Delete(w.ctx, old)).To(Succeed())
		w.createArticle("hello", withText("Hello", "New."))
		Expect(reason(w.reconcileUntilStable(key), v1alpha1.ConditionReady)).To(Equal("False/RevisionNameTaken"))
		Expect(api.Delete(w.ctx, w.revision(old))).To(Succeed())
		Expect(w.revision(w.reconcileUntilStable(key)).Spec.Markdown).To(Equal("New."))
	})
})

// revision reads an article's current revision.
func (w *world) revision(a *v1alpha1.Article) *v1alpha1.ArticleRevision {
	GinkgoHelper()
	rev := &v1alpha1.ArticleRevision{}
	Expect(api.Get(w.ctx, types.NamespacedName{Namespace: a.Namespace, Name: a.Status.Revision.Name}, rev)).To(Succeed())
	return rev
}
