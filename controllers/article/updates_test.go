package article_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
)

// updated is a site that updates its posts.
func updated(s *v1alpha1.Site) {
	s.Spec.Publishing.Updates = v1alpha1.UpdatesReviewed
	if s.Spec.CMS.Headless != nil {
		s.Spec.CMS.Headless.Updates = v1alpha1.HeadlessUpdatesRepublish
	}
}

// edit gives an article another text.
func (t *tenant) edit(key client.ObjectKey, markdown string) *v1alpha1.Article {
	GinkgoHelper()
	t.EditArticle(key, func(a *v1alpha1.Article) {
		a.Spec.Content = &v1alpha1.ArticleContent{Title: "Shoes", Markdown: markdown}
	})
	return t.ReconcileUntilStable(key)
}

// decide is a reviewer's decision on the current text.
func (t *tenant) decide(key client.ObjectKey, decision v1alpha1.ReviewDecision) *v1alpha1.Article {
	GinkgoHelper()
	t.EditArticle(key, func(a *v1alpha1.Article) {
		a.Spec.Review = &v1alpha1.ArticleReview{Decision: decision, Digest: a.Status.Revision.Digest, By: "mara@acme.example"}
	})
	return t.ReconcileUntilStable(key)
}

// received are the texts that the receiver got.
func (t *tenant) received() []string {
	GinkgoHelper()
	var texts []string
	for _, request := range t.Receiver.Received() {
		var post struct {
			Text string `json:"content_markdown"`
		}
		Expect(json.Unmarshal([]byte(request.Body), &post)).To(Succeed())
		texts = append(texts, post.Text)
	}
	return texts
}

// transitionsOf are the transitions of an article with the numbers of their revisions.
func transitionsOf(a *v1alpha1.Article) []string {
	var happened []string
	for _, t := range a.Status.Transitions {
		happened = append(happened, fmt.Sprintf("%s %d", t.Type, t.RevisionNumber))
	}
	return happened
}

func live(a *v1alpha1.Article) string { return a.Status.Publication.Post.Revision.Digest }

var _ = Describe("An update of a published article", func() {
	var (
		t     *tenant
		key   client.ObjectKey
		first *v1alpha1.Article
	)
	BeforeEach(func() {
		t = newTenant()
		t.CreateSite(updated)
		key = t.CreateArticle("shoes", WithText("Shoes", "Run far."))
		t.ReconcileUntilStable(key)
		t.ApproveAndPublish(key)
		first = t.ReconcileUntilStable(key)
		Expect(Reason(first, v1alpha1.ConditionUpToDate)).To(Equal("True/UpToDate"))
		t.Clock.Step(time.Hour)
	})

	It("waits for the approval of its digest, and then replaces the text, with at most 8 writes", func() {
		t.Client.Writes()
		a := t.edit(key, "Run near.")
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/AwaitingReview"))
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("True/AwaitingReview"))
		Expect(live(a)).To(Equal(live(first)))
		Expect(a.Status.Publication.Post.Revision.Title).To(Equal("Shoes"))
		Expect(t.received()).To(HaveExactElements("Run far."))
		a = t.decide(key, v1alpha1.DecisionApproved)
		writes := t.Client.Writes()
		Expect(len(writes)).To(BeNumerically("<=", 8), "%v", writes)
		Expect(t.received()).To(HaveExactElements("Run far.", "Run near."))
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("True/UpToDate"))
		Expect(live(a)).To(Equal(a.Status.Revision.Digest))
		p := a.Status.Publication
		Expect(p.Post.PublishTime).To(Equal(first.Status.Publication.Post.PublishTime))
		Expect(p.Post.UpdateTime.Time).To(BeTemporally("==", t.Clock.Now()))
		Expect(a.Status.Slug).To(Equal(first.Status.Slug))
		Expect(transitionsOf(a)).To(HaveExactElements("ReadyForReview 1", "Approved 1", "Published 1", "ReadyForReview 2", "Approved 2", "Updated 2"))
		t.ReconcileUntilStable(key)
		Expect(t.Client.Writes()).To(BeEmpty())
	})

	It("is written to the Post, so that a backup without status sends nothing again", func() {
		t.edit(key, "Run near.")
		a := t.decide(key, v1alpha1.DecisionApproved)
		posts := &v1alpha1.PostList{}
		Expect(api.List(t.Ctx, posts, client.InNamespace(t.Namespace))).To(Succeed())
		Expect(posts.Items).To(ConsistOf(HaveField("Spec", And(
			HaveField("State", v1alpha1.PostPublished), HaveField("Revision.Digest", live(a)), HaveField("Revision.Number", int32(2)),
			HaveField("UpdateTime", a.Status.Publication.Post.UpdateTime)))))
	})

	It("is not sent if it is rejected, and is taken back by the live text", func() {
		t.edit(key, "Run near.")
		a := t.decide(key, v1alpha1.DecisionRejected)
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/Rejected"))
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("True/Rejected"))
		a = t.edit(key, "Run far.")
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("True/UpToDate"))
		Expect(live(a)).To(Equal(live(first)))
		Expect(a.Status.Publication.Post.Revision.Title).To(BeEmpty())
		Expect(t.received()).To(HaveExactElements("Run far."))
	})

	It("waits for publishAfter, and for the stage", func() {
		t.edit(key, "Run near.")
		t.EditArticle(key, func(a *v1alpha1.Article) {
			a.Spec.PublishAfter = &v1alpha1.Time{Time: t.Clock.Now().Add(time.Hour)}
		})
		Expect(Reason(t.decide(key, v1alpha1.DecisionApproved), v1alpha1.ConditionUpToDate)).To(Equal("False/Scheduled"))
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StageReview })
		Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionUpToDate)).To(Equal("False/NotRequested"))
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StagePublished })
		t.ReconcileUntilStable(key)
		Expect(t.received()).To(HaveLen(1))
		t.Clock.Step(time.Hour)
		Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionUpToDate)).To(Equal("True/UpToDate"))
		Expect(t.received()).To(HaveExactElements("Run far.", "Run near."))
	})

	It("leaves the article Published when its retries are used up, and begins again for a nonce or for another text", func() {
		t.Receiver.AnswersStatus(http.StatusServiceUnavailable)
		t.edit(key, "Run near.")
		a := t.decide(key, v1alpha1.DecisionApproved)
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/RetryScheduled"))
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("False/RetryScheduled"))
		for range 3 {
			t.Clock.Step(10 * time.Minute)
			a = t.ReconcileUntilStable(key)
		}
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/SiteUncertain"))
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("False/DeliveryFailed"))
		Expect(live(a)).To(Equal(live(first)))
		Expect(t.received()).To(HaveLen(5))
		t.Receiver.AnswersStatus(http.StatusOK)
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "again"} })
		a = t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("True/UpToDate"))
		Expect(t.received()[5:]).To(HaveExactElements("Run near."))
	})

	It("drops the retry when the text is edited meanwhile, restores the approved text, and sends the new one once it is approved", func() {
		t.Receiver.AnswersStatus(http.StatusServiceUnavailable)
		t.edit(key, "Run near.")
		t.decide(key, v1alpha1.DecisionApproved)
		a := t.edit(key, "Run up.")
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/RetryScheduled"))
		Expect(a.Status.Publication.Cycle.Revision.Digest).To(Equal(live(first)))
		t.Receiver.AnswersStatus(http.StatusOK)
		t.Clock.Step(time.Hour)
		a = t.ReconcileUntilStable(key)
		Expect(t.received()).To(HaveExactElements("Run far.", "Run near.", "Run far.", "Run far."))
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/ContentChanged"))
		t.decide(key, v1alpha1.DecisionApproved)
		Expect(t.received()[4:]).To(HaveExactElements("Run up."))
	})

	It("does not keep the live text from being delivered again", func() {
		t.edit(key, "Run near.")
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "again"} })
		a := t.ReconcileUntilStable(key)
		Expect(t.received()).To(HaveExactElements("Run far.", "Run far."))
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/AwaitingReview"))
	})

	It("keeps the revision that the site has", func() {
		for _, text := range []string{"One.", "Two.", "Three.", "Four."} {
			t.edit(key, text)
		}
		t.edit(key, "Five.")
		Expect(t.revisionNumbers()).To(ConsistOf("1", "4", "5", "6"))
		t.decide(key, v1alpha1.DecisionApproved)
		for _, text := range []string{"Six.", "Seven.", "Eight.", "Nine."} {
			t.edit(key, text)
		}
		Expect(t.revisionNumbers()).To(ConsistOf("1", "6", "8", "9", "10"))
	})

	It("stops where the site's updates are frozen again", func() {
		t.edit(key, "Run near.")
		t.EditSite(func(s *v1alpha1.Site) { s.Spec.Publishing.Updates = v1alpha1.UpdatesFrozen })
		a := t.decide(key, v1alpha1.DecisionApproved)
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/UpdatesFrozen"))
		Expect(t.received()).To(HaveLen(1))
		t.EditSite(updated)
		t.ReconcileUntilStable(key)
		Expect(t.received()).To(HaveExactElements("Run far.", "Run near."))
	})
})

var _ = Describe("An update", func() {
	It("of a site that pulls is read at once when it is approved", func() {
		t := newTenant()
		t.CreateSite(func(s *v1alpha1.Site) {
			s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone}
			updated(s)
		})
		key := t.CreateArticle("shoes", WithText("Shoes", "Run far."), ApprovedInManifest, ToBePublished)
		first := t.ReconcileUntilStable(key)
		t.Clock.Step(time.Hour)
		t.Client.Writes()
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Review = nil })
		a := t.edit(key, "Run near.")
		Expect(live(a)).To(Equal(live(first)))
		a = t.decide(key, v1alpha1.DecisionApproved)
		Expect(live(a)).To(Equal(a.Status.Revision.Digest))
		Expect(a.Status.Publication.Post.PublishTime).To(Equal(first.Status.Publication.Post.PublishTime))
		Expect(a.Status.Publication.Post.UpdateTime.Time).To(BeTemporally("==", t.Clock.Now()))
		Expect(t.Client.Writes()).To(ContainElement("patch Post"))
	})

	It("of a post that somebody has changed in the CMS waits until somebody says overwrite", func() {
		t, b := newTenant(), fakewordpress.New()
		DeferCleanup(b.Close)
		t.createCredentials(b.Password)
		t.CreateSite(t.isWordPress(b.URL), updated)
		key := t.CreateArticle("shoes", WithText("Shoes", "Run far."))
		t.ReconcileUntilStable(key)
		t.ApproveAndPublish(key)
		t.ReconcileUntilStable(key)
		t.edit(key, "Run near.")
		t.decide(key, v1alpha1.DecisionApproved)
		Expect(b.Posts()).To(ConsistOf(HaveField("Content", ContainSubstring("Run near."))))
		b.Edit(b.Posts()[0].ID, func(p *fakewordpress.Post) { p.Content = "An editor's own text." })
		t.edit(key, "Run up.")
		a := t.decide(key, v1alpha1.DecisionApproved)
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/ChangedAtSite"))
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("True/ChangedAtSite"))
		Expect(a.Status.Publication.Cycle.Differences).To(ConsistOf(v1alpha1.PostDifference{
			Field: "content", Site: "An editor's own text.", Article: "Run up.",
		}, v1alpha1.PostDifference{Field: "excerpt", Site: "Run near.", Article: "Run up."}))
		Expect(b.Posts()).To(ConsistOf(HaveField("Content", "An editor's own text.")))
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.OverwriteAnnotation: "yes"} })
		a = t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("True/UpToDate"))
		Expect(a.Status.Publication.Cycle.Differences).To(BeEmpty())
		Expect(b.Posts()).To(ConsistOf(HaveField("Content", ContainSubstring("Run up."))))
	})

	It("by the generator gets the live text as its material, and takes one credit", func() {
		t := newTenant()
		t.CreateSite(updated)
		key := t.CreateArticle("shoes", WithKeyword)
		t.ReconcileUntilStable(key)
		t.ApproveAndPublish(key)
		first := t.ReconcileUntilStable(key)
		used := t.Usage().CreditsUsed
		var request generate.Request
		t.Generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			request = r
			return Written(r.Keyword, call), nil
		})
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RegenerateAnnotation: "again"} })
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/AwaitingReview"))
		Expect(live(a)).To(Equal(live(first)))
		Expect(request.Refresh).To(HaveField("Markdown", ContainSubstring("Text 1 about")))
		Expect(t.Usage().CreditsUsed).To(Equal(used + 1))
	})
})
