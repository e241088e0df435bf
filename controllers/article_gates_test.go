package controllers_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
)

var _ = Describe("What is approved automatically", func() {
	automatic := func(s *v1alpha1.Site) { s.Spec.Review.Policy = v1alpha1.ReviewAutomatic }

	It("does not fail a gate, unless a person approves it", func() {
		w := newWorld()
		w.createSite(automatic)
		key := w.createArticle("filler", withText("Filler", "Lorem ipsum dolor sit amet, consectetur adipiscing elit."), toBePublished)
		a := w.reconcileUntilStable(key)
		Expect(reason(a, v1alpha1.ConditionApproved)).To(Equal("False/GateFailed"))
		Expect(a.Status.Revision.FailedGates).To(ContainElement("placeholders"))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(w.receiver.Received()).To(BeEmpty())

		w.approveAndPublish(key)
		a = w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})

	It("has the minimum score", func() {
		w := newWorld()
		w.createSite(automatic, func(s *v1alpha1.Site) { s.Spec.Review.MinimumScore = 100 })
		a := w.reconcileUntilStable(w.createArticle("shoes", withKeyword, toBePublished))
		Expect(reason(a, v1alpha1.ConditionApproved)).To(Equal("False/GateFailed"))
		Expect(a.Status.Revision.FailedGates).To(BeEmpty())
	})

	It("does not repeat a published text", func() {
		w := newWorld()
		w.createSite(automatic)
		text := longText()
		first := w.reconcileUntilStable(w.createArticle("first", withText("First", text), toBePublished))
		Expect(first.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(first.Status.Revision.Fingerprint).To(HaveLen(16))
		Expect(strings.Fields(first.Status.Revision.Terms)).To(ContainElements("path", "peopl"))
		second := w.reconcileUntilStable(w.createArticle("second", withText("Second", text+"\n\nOne more line."), toBePublished))
		Expect(reason(second, v1alpha1.ConditionApproved)).To(Equal("False/GateFailed"))
		Expect(second.Status.Revision.FailedGates).To(Equal([]string{"near-duplicate"}))
	})
})

// longText has enough words to be compared.
func longText() string {
	var b strings.Builder
	for _, place := range []string{"valley", "ridge", "forest", "lake", "village", "bridge", "meadow", "summit", "station", "harbour"} {
		b.WriteString("The path leads from here past the " + place + ", where people meet in the evening and tell what they saw of the " + place + ".\n\n")
	}
	return b.String()
}

var _ = Describe("The tokens of a site", func() {
	limited := func(perDay, perArticle int64) func(*v1alpha1.Site) {
		return func(s *v1alpha1.Site) {
			s.Spec.Limits.TokensPerDay, s.Spec.Limits.TokensPerArticle = &perDay, &perArticle
		}
	}

	It("of a day are counted in the ledger without a write of their own, and no run begins beyond the limit", func() {
		w := newWorld()
		w.createSite(limited(100, 1000))
		w.generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			Expect(r.MaxTokens).To(Equal(int64(1000)))
			result := written(r.Keyword, call)
			result.Usage = generate.Usage{InputTokens: 60, OutputTokens: 40, Turns: 2}
			return result, nil
		})
		a := w.reconcileUntilStable(w.createArticle("one", withKeyword))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))

		key := w.createArticle("two", withKeyword)
		a = w.reconcileUntilStable(key)
		Expect(reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/DailyTokensExceeded"))
		Expect(w.generator.Calls()).To(Equal(1))

		w.clock.Step(time.Minute)
		w.reconcileAccount()
		Expect(w.usage().Sites).To(ConsistOf(And(HaveField("Count", int32(1)), HaveField("Tokens", int64(100)))))
		a = w.reconcileUntilStable(key)
		Expect(reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/DailyTokensExceeded"))

		w.clock.Step(24 * time.Hour)
		a = w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})

	It("of a run end it without an article, and give its credit back", func() {
		w := newWorld()
		w.createSite(limited(1_000_000, 50))
		w.generator.Does(func(context.Context, int, generate.Request, generate.Progress) (generate.Result, error) {
			return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonArticleTokensExceeded, Message: "used up", Usage: generate.Usage{InputTokens: 60}}
		})
		a := w.reconcileUntilStable(w.createArticle("one", withKeyword))
		Expect(reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/ArticleTokensExceeded"))
		Expect(a.Status.Run.Charge).To(Equal(v1alpha1.Refunded))
		Expect(w.generator.Calls()).To(Equal(1))
	})
})

var _ = Describe("A run", func() {
	It("knows the site's published articles, its voice and the length", func() {
		w := newWorld()
		w.createSite(func(s *v1alpha1.Site) {
			s.Spec.BrandVoice.Guide, s.Spec.BrandVoice.Examples = "We say you.", []string{"You run."}
		})
		w.receiver.Answers(func(_ int, answer http.ResponseWriter) {
			_, _ = io.WriteString(answer, `{"id":"1","url":"https://blog.example.com/hiking-boots"}`)
		})
		boots := w.createArticle("boots", withText("Hiking boots for long days", longText()), approvedInManifest, toBePublished)
		Expect(w.reconcileUntilStable(boots).Status.Phase).To(Equal(v1alpha1.PhasePublished))

		var got generate.Request
		w.generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			got = r
			return written(r.Keyword, call), nil
		})
		w.reconcileUntilStable(w.createArticle("children", func(a *v1alpha1.Article) {
			a.Spec.Generate = &v1alpha1.GenerateRequest{Keyword: "Children hiking boots"}
		}))
		w.reconcileUntilStable(w.createArticle("shoes", func(a *v1alpha1.Article) {
			a.Spec.Generate = &v1alpha1.GenerateRequest{Keyword: "hiking boots for children", Length: v1alpha1.LengthLong}
		}))
		Expect(got.Links).To(ConsistOf(HaveField("URL", "https://blog.example.com/hiking-boots")))
		Expect(got).To(And(HaveField("Length", v1alpha1.LengthLong), HaveField("Guide", "We say you."), HaveField("Examples", []string{"You run."})))
		Expect(got.Site.SameKeyword).To(Equal([]string{"children"}))
		Expect(got.Site.Published).To(ContainElement(HaveField("Name", "boots")))
	})

	It("may link to an article whose text is about its keyword, though the title is not", func() {
		w := newWorld()
		w.createSite()
		w.receiver.Answers(func(_ int, answer http.ResponseWriter) {
			_, _ = io.WriteString(answer, `{"id":"1","url":"https://blog.example.com/walks"}`)
		})
		walks := w.createArticle("walks", withText("A day out", longText()), approvedInManifest, toBePublished)
		Expect(w.reconcileUntilStable(walks).Status.Phase).To(Equal(v1alpha1.PhasePublished))
		var got generate.Request
		w.generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			got = r
			return written(r.Keyword, call), nil
		})
		w.reconcileUntilStable(w.createArticle("paths", func(a *v1alpha1.Article) {
			a.Spec.Generate = &v1alpha1.GenerateRequest{Keyword: "quiet evening paths"}
		}))
		Expect(got.Links).To(ConsistOf(HaveField("URL", "https://blog.example.com/walks")))
	})
})
