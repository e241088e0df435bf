package article_test

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

var _ = Describe("The cost of a text", func() {
	It("is that of the tokens of all attempts, and stands in the revision", func() {
		t := newTenant()
		t.CreateSite()
		t.Generator.Prices = generate.Prices{Currency: "USD", Input: 2_000_000, Cached: 500_000, Output: 10_000_000}
		t.Generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			if call == 1 {
				return generate.Result{}, &generate.Error{
					Reason: v1alpha1.ReasonRateLimited, Retryable: true, Message: "slow down", Usage: generate.Usage{InputTokens: 5, OutputTokens: 1},
				}
			}
			result := Written(r.Keyword, call)
			result.Usage = generate.Usage{InputTokens: 100, CachedTokens: 40, OutputTokens: 20, Turns: 2}
			return result, nil
		})
		key := t.CreateArticle("shoes", WithKeyword)
		t.ReconcileUntilStable(key)
		t.Clock.Step(time.Minute)
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		// 65 tokens of input at 2, 40 of cached input at 0.5 and 21 of output at 10 for a million.
		Expect(t.Revision(a).Spec.Generator).To(And(
			HaveField("InputTokens", int64(105)), HaveField("CachedTokens", int64(40)), HaveField("OutputTokens", int64(21)),
			HaveField("Turns", int32(2)), HaveField("Cost", Equal(&v1alpha1.Cost{Amount: "0.000360", Currency: "USD"})),
		))
	})

	It("is not shown without prices", func() {
		t := newTenant()
		t.CreateSite()
		a := t.ReconcileUntilStable(t.CreateArticle("shoes", WithKeyword))
		Expect(t.Revision(a).Spec.Generator.Cost).To(BeNil())
	})
})
