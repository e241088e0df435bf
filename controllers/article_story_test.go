package controllers_test

import (
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

var _ = Describe("The Events of an article", func() {
	It("tell what happened to it, in order", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("shoes", withKeyword)
		w.reconcileUntilStable(key)
		w.edit(key, func(a *v1alpha1.Article) {
			a.Spec.Review = &v1alpha1.ArticleReview{
				Decision: v1alpha1.DecisionRejected, Digest: a.Status.Revision.Digest, By: "mara@acme.example", Note: "Say something about rock.",
			}
		})
		w.annotate(w.reconcileUntilStable(key), v1alpha1.RegenerateAnnotation, "1")
		w.reconcileUntilStable(key)

		w.receiver.AnswersStatus(http.StatusGone)
		w.approveAndPublish(key)
		failed := w.reconcileUntilStable(key)
		Expect(failed.Status.Phase).To(Equal(v1alpha1.PhaseFailed))
		w.receiver.AnswersStatus(http.StatusOK)
		w.clock.Step(time.Minute)
		w.annotate(failed, v1alpha1.RedeliverAnnotation, "1")
		w.reconcileUntilStable(key)

		Expect(w.told()).To(HaveExactElements(
			"Normal ReadyForReview revision 1 is ready for review",
			"Normal Rejected rejected by mara@acme.example: Say something about rock.",
			"Normal ReadyForReview revision 2 is ready for review",
			"Normal Approved approved by mara@acme.example",
			HavePrefix("Warning DeliveryFailed ReceiverRejected: "),
			"Normal Published accepted by the receiver",
		))
	})

	It("leave out what the policy of the site decides", func() {
		w := newWorld()
		w.createSite(func(s *v1alpha1.Site) { s.Spec.Review.Policy = v1alpha1.ReviewAutomatic })
		w.reconcileUntilStable(w.createArticle("shoes", withKeyword, toBePublished))
		Expect(w.told()).To(HaveExactElements("Normal Published accepted by the receiver"))
	})
})

// told returns the Events so far.
func (w *world) told() []string {
	var told []string
	for len(w.Events.Events) > 0 {
		told = append(told, <-w.Events.Events)
	}
	return told
}
