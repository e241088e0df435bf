package article_test

import (
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/maker"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

var _ = Describe("The story of an article", func() {
	It("is in its status, in order, and Events ask for a person", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword)
		t.ReconcileUntilStable(key)
		t.EditArticle(key, func(a *v1alpha1.Article) {
			a.Spec.Review = &v1alpha1.ArticleReview{
				Decision: v1alpha1.DecisionRejected, Digest: a.Status.Revision.Digest, By: "mara@acme.example", Note: "Say something about rock.",
			}
		})
		t.Annotate(t.ReconcileUntilStable(key), v1alpha1.RegenerateAnnotation, "1")
		t.ReconcileUntilStable(key)

		t.Receiver.AnswersStatus(http.StatusGone)
		t.ApproveAndPublish(key)
		failed := t.ReconcileUntilStable(key)
		Expect(failed.Status.Phase).To(Equal(v1alpha1.PhaseFailed))
		t.Receiver.AnswersStatus(http.StatusOK)
		t.Clock.Step(time.Minute)
		t.Annotate(failed, v1alpha1.RedeliverAnnotation, "1")
		told := t.ReconcileUntilStable(key)

		entry := func(kind v1alpha1.ArticleEventType, number int32, by, message string) any {
			return And(HaveField("Type", kind), HaveField("RevisionNumber", number), HaveField("By", by), HaveField("Message", HavePrefix(message)))
		}
		const mara = "mara@acme.example"
		Expect(told.Status.Transitions).To(HaveExactElements(
			entry(v1alpha1.EventReadyForReview, 1, "", ""),
			entry(v1alpha1.EventRejected, 1, mara, "Say something about rock."),
			entry(v1alpha1.EventReadyForReview, 2, "", ""),
			entry(v1alpha1.EventApproved, 2, mara, ""),
			entry(v1alpha1.EventFailed, 2, "", "ReceiverRejected: "),
			entry(v1alpha1.EventPublished, 2, "", ""),
		))
		Expect(t.told()).To(HaveExactElements(
			"Normal ReadyForReview revision 1 is ready for review",
			"Normal Rejected rejected by mara@acme.example: Say something about rock.",
			"Normal ReadyForReview revision 2 is ready for review",
			HavePrefix("Warning DeliveryFailed ReceiverRejected: "),
		))
	})

	It("is in its revisions, which name who made each text", func() {
		t := newTenant()
		t.CreateSite()
		mara, petra := maker.Person{Name: "Mara", ID: "k1"}, maker.Person{Name: "Petra", ID: "k2"}
		key := t.CreateArticle("shoes", WithKeyword, func(a *v1alpha1.Article) { maker.RecordRequester(a, mara) })
		t.ReconcileUntilStable(key)
		edit := func(title string, who func(*v1alpha1.Article)) {
			GinkgoHelper()
			t.EditArticle(key, func(a *v1alpha1.Article) {
				a.Spec.Content = &v1alpha1.ArticleContent{Title: title}
				who(a)
			})
			t.ReconcileUntilStable(key)
		}
		edit("Shoes", func(a *v1alpha1.Article) { maker.RecordEditor(a, petra, 0) })
		edit("Boots", func(*v1alpha1.Article) {})
		edit("Shoes", func(a *v1alpha1.Article) { maker.RecordEditor(a, mara, 2) })
		made := map[int32]*v1alpha1.RevisionMaker{}
		for _, r := range t.Revisions() {
			made[r.Spec.Number] = r.Spec.MadeBy
		}
		Expect(made).To(HaveLen(4))
		Expect(made[1]).To(Equal(&v1alpha1.RevisionMaker{Name: "Mara"}))
		Expect(made[2]).To(Equal(&v1alpha1.RevisionMaker{Name: "Petra"}))
		Expect(made[3]).To(And(HaveField("Name", ""), HaveField("Manager", Not(BeEmpty()))), "the client of an edit that names nobody")
		Expect(made[4]).To(Equal(&v1alpha1.RevisionMaker{Name: "Mara", Restored: 2}))
	})

	It("is an Event if the article leaves no room for a status", func() {
		t := newTenant()
		t.CreateSite()
		// JSON has six bytes for each.
		key := t.CreateArticle("large", WithText("Large", strings.Repeat("<", 262_040)))
		_, err := t.Articles.Reconcile(t.Ctx, Request(key))
		Expect(err).To(HaveOccurred())
		Expect(t.told()).To(ConsistOf(HavePrefix("Warning TooLarge ")))
	})

	It("costs no Event if nobody has to act", func() {
		t := newTenant()
		t.CreateSite(func(s *v1alpha1.Site) { s.Spec.Review.Policy = v1alpha1.ReviewAutomatic })
		a := t.ReconcileUntilStable(t.CreateArticle("shoes", WithKeyword, ToBePublished))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(Reason(a, v1alpha1.ConditionApproved)).To(Equal("True/Automatic"))
		Expect(t.told()).To(BeEmpty())
		Expect(a.Status.Transitions).To(HaveExactElements(
			HaveField("Type", v1alpha1.EventReadyForReview), HaveField("Type", v1alpha1.EventApproved), HaveField("Type", v1alpha1.EventPublished),
		))
	})
})

// told returns the Events so far.
func (t *tenant) told() []string {
	var told []string
	for len(t.Events.Events) > 0 {
		told = append(told, <-t.Events.Events)
	}
	return told
}
