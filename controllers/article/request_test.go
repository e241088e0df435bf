package article_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

var _ = Describe("A run that can only fail because of what was asked for", func() {
	blankTitle := WithText(" ", "")

	It("is not begun and not charged, until the article is changed", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword, blankTitle)
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/InvalidRequest"))
		Expect(Reason(a, v1alpha1.ConditionStalled)).To(Equal("True/InvalidRequest"))
		Expect(t.Usage().CreditsUsed).To(BeZero())
		Expect(t.Generator.Calls()).To(BeZero())

		t.EditArticle(key, WithText("My own title", ""))
		Expect(t.ReconcileUntilStable(key).Status.Revision.Title).To(Equal("My own title"))
		Expect(t.Usage().CreditsUsed).To(Equal(int64(1)))
	})

	It("is not begun if the site forbids words that every text has", func() {
		t := newTenant()
		t.CreateSite(func(s *v1alpha1.Site) { s.Spec.BrandVoice.AvoidWords = []string{"you", "the"} })
		a := t.ReconcileUntilStable(t.CreateArticle("shoes", WithKeyword))
		Expect(Reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/InvalidRequest"))
		Expect(t.Usage().CreditsUsed).To(BeZero())
	})

	It("keeps the text that was paid for if the fields are broken while the run is in progress", func() {
		t := newTenant()
		t.CreateSite()
		proceed := make(chan struct{})
		t.Generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			<-proceed
			return Written(r.Keyword, call), nil
		})
		key := t.CreateArticle("shoes", WithKeyword)
		t.Reconcile(key)
		t.EditArticle(key, blankTitle)
		close(proceed)
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Run.State).To(Equal(v1alpha1.RunSucceeded))
		Expect(a.Status.Revision).NotTo(BeNil())
		Expect(Reason(a, v1alpha1.ConditionApproved)).To(Equal("False/InvalidContent"))
		Expect(t.Generator.Calls()).To(Equal(1))
		Expect(t.Usage().CreditsUsed).To(Equal(int64(1)))

		t.EditArticle(key, WithText("My own title", ""))
		Expect(t.ReconcileUntilStable(key).Status.Revision.Title).To(Equal("My own title"))
		Expect(t.Generator.Calls()).To(Equal(1))
	})

	It("keeps its credit if it failed because of words that the site forbids", func() {
		t := newTenant()
		t.CreateSite()
		t.Generator.Does(func(context.Context, int, generate.Request, generate.Progress) (generate.Result, error) {
			return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonInvalidAnswer, Settings: true, Message: "the text has \"you\""}
		})
		key := t.CreateArticle("shoes", WithKeyword)
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/InvalidAnswer"))
		Expect(a.Status.Run.Charge).To(Equal(v1alpha1.Charged))
		Expect(t.Swept(key)).To(Used(1))
	})
})
