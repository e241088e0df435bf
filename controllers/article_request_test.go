package controllers_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
)

var _ = Describe("A run that can only fail because of what was asked for", func() {
	blankTitle := withText(" ", "")

	It("is not begun and not charged, until the article is changed", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("shoes", withKeyword, blankTitle)
		a := w.reconcileUntilStable(key)
		Expect(reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/InvalidRequest"))
		Expect(reason(a, v1alpha1.ConditionStalled)).To(Equal("True/InvalidRequest"))
		Expect(w.usage().CreditsUsed).To(BeZero())
		Expect(w.generator.Calls()).To(BeZero())

		w.edit(key, withText("My own title", ""))
		Expect(w.reconcileUntilStable(key).Status.Revision.Title).To(Equal("My own title"))
		Expect(w.usage().CreditsUsed).To(Equal(int64(1)))
	})

	It("is not begun if the site forbids words that every text has", func() {
		w := newWorld()
		w.createSite(func(s *v1alpha1.Site) { s.Spec.BrandVoice.AvoidWords = []string{"you", "the"} })
		a := w.reconcileUntilStable(w.createArticle("shoes", withKeyword))
		Expect(reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/InvalidRequest"))
		Expect(w.usage().CreditsUsed).To(BeZero())
	})

	It("keeps the text that was paid for if the fields are broken while the run is in progress", func() {
		w := newWorld()
		w.createSite()
		proceed := make(chan struct{})
		w.generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			<-proceed
			return written(r.Keyword, call), nil
		})
		key := w.createArticle("shoes", withKeyword)
		w.Reconcile(key)
		w.edit(key, blankTitle)
		close(proceed)
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Run.State).To(Equal(v1alpha1.RunSucceeded))
		Expect(a.Status.Revision).NotTo(BeNil())
		Expect(reason(a, v1alpha1.ConditionApproved)).To(Equal("False/InvalidContent"))
		Expect(w.generator.Calls()).To(Equal(1))
		Expect(w.usage().CreditsUsed).To(Equal(int64(1)))

		w.edit(key, withText("My own title", ""))
		Expect(w.reconcileUntilStable(key).Status.Revision.Title).To(Equal("My own title"))
		Expect(w.generator.Calls()).To(Equal(1))
	})

	It("keeps its credit if it failed because of words that the site forbids", func() {
		w := newWorld()
		w.createSite()
		w.generator.Does(func(context.Context, int, generate.Request, generate.Progress) (generate.Result, error) {
			return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonInvalidAnswer, Settings: true, Message: "the text has \"you\""}
		})
		key := w.createArticle("shoes", withKeyword)
		a := w.reconcileUntilStable(key)
		Expect(reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/InvalidAnswer"))
		Expect(a.Status.Run.Charge).To(Equal(v1alpha1.Charged))
		Expect(w.swept(key)).To(used(1))
	})
})
