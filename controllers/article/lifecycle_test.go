package article_test

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
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

var _ = Describe("An article's life", func() {
	It("goes from a keyword to a published article in at most 10 object writes, beside those that articles share, and 3 events", func() {
		t := newTenant()
		t.CreateSite()
		t.Client.Writes()

		// What the facade does for a generate call: the ledger, then the article.
		name := "0192f1b0-7c3e-7a10-8d52-3f5a1c9e0b11"
		Expect(t.Generation.Charger.Reserve(t.Ctx, v1alpha1.AccountSpec{}, ledger.Charge{
			Account: t.Account, Run: identity.RevisionName(name, name, 1), Workspace: t.Namespace, Article: name,
			Site: "acme", Metered: true,
		})).To(Succeed())
		key := t.CreateArticle(name, WithKeyword)

		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		t.ApproveAndPublish(key)
		a = t.ReconcileUntilStable(key)

		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("True/Delivered"))
		Expect(a.Status.Publication.Post.URL).To(Equal("https://acme.example/blog/shoes"))
		Expect(a.Status.Publication.Post.ExternalID).To(Equal("17"))
		Expect(a.Status.Publication.Post.PublishTime.Time.UTC()).To(Equal(Started))
		writes := t.Client.Writes()
		ledgerWrites := slices.DeleteFunc(slices.Clone(writes), func(write string) bool { return write != "patch AccountLedger" })
		Expect(ledgerWrites).To(HaveLen(2), "the charge, and its take-over, which is written together with those of other articles")
		Expect(len(writes) - 1).To(Equal(10))
		Expect(len(t.Events.Events)).To(BeNumerically("<=", 3))
	})

	It("tells in status what wrote the text, and what it took", func() {
		t := newTenant()
		t.CreateSite()
		a := t.ReconcileUntilStable(t.CreateArticle("shoes", WithKeyword))
		Expect(a.Status.Run).To(And(
			HaveField("State", v1alpha1.RunSucceeded), HaveField("Attempt", int32(1)), HaveField("Model", "small-2026"),
			HaveField("InputTokens", int64(100)), HaveField("OutputTokens", int64(1000)), HaveField("Charge", v1alpha1.Charged)))
		Expect(a.Status.Revision).To(And(
			HaveField("Name", a.Status.Run.Name), HaveField("Title", "All about trail running shoes"),
			HaveField("Source", v1alpha1.SourceGenerated), HaveField("Digest", HavePrefix("sha256:"))))
		Expect(a.Status.Slug).To(Equal("all-about-trail-running-shoes"))
		Expect(Reason(a, v1alpha1.ConditionGenerated)).To(Equal("True/Succeeded"))
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("True/AwaitingReview"))
	})

	It("delivers what the contract says, signed over the exact bytes", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword)
		t.ReconcileUntilStable(key)
		t.ApproveAndPublish(key)
		t.ReconcileUntilStable(key)

		Expect(t.Receiver.Received()).To(HaveLen(1))
		request := t.Receiver.Received()[0]
		Expect(request.Header.Get("X-SERVICE-Event")).To(Equal("post.publish"))
		Expect(request.Header.Get("Content-Type")).To(Equal("application/json"))
		mac := hmac.New(sha256.New, []byte(SigningSecret))
		mac.Write([]byte(request.Body))
		Expect(request.Header.Get("X-SERVICE-Signature")).To(Equal(hex.EncodeToString(mac.Sum(nil))))
		var payload map[string]any
		Expect(json.Unmarshal([]byte(request.Body), &payload)).To(Succeed())
		Expect(payload).To(And(
			HaveKeyWithValue("status", "publish"), HaveKeyWithValue("slug", "all-about-trail-running-shoes"),
			HaveKeyWithValue("title", "All about trail running shoes"), HaveKeyWithValue("content_format", "json"),
			HaveKey("content_markdown"), HaveKeyWithValue("content_html", ContainSubstring("<h2>Why</h2>"))))
	})

	It("says how large its written revisions are", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("hello", WithText("Hello", strings.Repeat("A word. ", 5<<10)))
		t.ReconcileUntilStable(key)
		t.EditArticle(key, WithText("Hello", "Second thoughts."))
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.History).To(Equal([]int32{1}))
		Expect(a.Status.RevisionKiB).To(HaveExactElements(BeNumerically("<", 10), And(BeNumerically(">=", 40), BeNumerically("<", 50))))
	})

	It("takes nothing over from an earlier text when the author writes another", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("huts", func(a *v1alpha1.Article) {
			a.Spec.Content = &v1alpha1.ArticleContent{
				Title: "The huts are closed", Markdown: "All our huts are closed until May.", MetaTitle: "Huts closed",
				FAQ: []v1alpha1.FAQ{{Question: "Can I stay overnight?", Answer: "No."}},
			}
		})
		t.ReconcileUntilStable(key)
		t.EditArticle(key, WithText("The huts are open", "All our huts are open again."))
		edited := t.Revision(t.ReconcileUntilStable(key)).Spec
		Expect(edited.FAQ).To(BeEmpty())
		Expect(edited.MetaTitle).To(Equal("The huts are open"))
		Expect(edited.MetaDescription).To(Equal("All our huts are open again."))
		fresh := t.CreateArticle("huts-again", WithText("The huts are open", "All our huts are open again."))
		Expect(t.Revision(t.ReconcileUntilStable(fresh)).Spec.Digest).To(Equal(edited.Digest), "the same manifest has the same digest")
	})

	It("takes the questions away where the author wants none", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword)
		Expect(t.Revision(t.ReconcileUntilStable(key)).Spec.FAQ).NotTo(BeEmpty())
		a := t.GetArticle(key)
		Expect(t.Client.Patch(t.Ctx, a, client.RawPatch(types.MergePatchType, []byte(`{"spec": {"content": {"faqPolicy": "None"}}}`)))).To(Succeed())
		Expect(t.Revision(t.ReconcileUntilStable(key)).Spec.FAQ).To(BeEmpty())
	})

	It("publishes at its time", func() {
		t := newTenant()
		t.CreateSite()
		at := v1alpha1.NewTime(Started.Add(time.Hour))
		key := t.CreateArticle("hello", WithText("Hello", "First post."), ApprovedInManifest, ToBePublished, func(a *v1alpha1.Article) { a.Spec.PublishAfter = &at })
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseScheduled))
		t.Clock.Step(time.Hour - time.Second)
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseScheduled))
		Expect(t.Receiver.Received()).To(BeEmpty())
		t.Clock.Step(time.Second)
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})

	It("gives each article of a site a slug of its own, and keeps it once it is tried", func() {
		t := newTenant()
		t.CreateSite()
		one := t.ReconcileUntilStable(t.CreateArticle("one", WithText("Hello", "Text.")))
		key := t.CreateArticle("two", WithText("Hello", "Text."))
		two := t.ReconcileUntilStable(key)
		Expect([]string{one.Status.Slug, two.Status.Slug}).To(Equal([]string{"hello", "hello-2"}))
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Content.Slug = "greeting" })
		Expect(t.ReconcileUntilStable(key).Status.Slug).To(Equal("greeting"))
		three := t.ReconcileUntilStable(t.CreateArticle("three", WithText("Hello", "Text.")))
		Expect(three.Status.Slug).To(Equal("hello-2"), "a slug that was given up is free")
		t.Receiver.AnswersStatus(500)
		t.ApproveAndPublish(key)
		t.ReconcileUntilStable(key)
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Content.Slug = "another" })
		Expect(t.ReconcileUntilStable(key).Status.Slug).To(Equal("greeting"))
	})

	It("says what must be where the content cannot become an article", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("blank", WithText("Blank", " \n\n "))
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("False/InvalidContent"))
		Expect(Reason(a, v1alpha1.ConditionStalled)).To(Equal("True/InvalidContent"))
		t.EditArticle(key, WithText("Not blank", "Text."))
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})

	It("does not take a deleted article's revision for its own", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("hello", WithText("Hello", "Old."))
		old := t.ReconcileUntilStable(key)
		// Without a garbage collector the revision stays, as it does for a moment in a real cluster.
		Expect(api.Delete(t.Ctx, old)).To(Succeed())
		t.CreateArticle("hello", WithText("Hello", "New."))
		Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionReady)).To(Equal("False/RevisionNameTaken"))
		Expect(api.Delete(t.Ctx, t.Revision(old))).To(Succeed())
		Expect(t.Revision(t.ReconcileUntilStable(key)).Spec.Markdown).To(Equal("New."))
	})
})
