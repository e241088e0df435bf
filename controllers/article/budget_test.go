package article_test

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// budget sets the budget of the account.
func (t *tenant) budget(b v1alpha1.AccountBudget) {
	GinkgoHelper()
	t.EditAccount(func(a *v1alpha1.Account) { a.Spec.Budget = &b })
}

// takes has each attempt take so many tokens of input, or as many as the request allows, in turns of 10. It returns what requests allowed.
func (t *tenant) takes(tokens int64) *[]int64 {
	allowed := &[]int64{}
	t.Generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
		*allowed = append(*allowed, r.MaxTokens)
		var u generate.Usage
		for u.InputTokens < tokens {
			if r.MaxTokens > 0 && u.InputTokens >= r.MaxTokens {
				return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonArticleTokensExceeded, Message: "used up", Usage: u}
			}
			u.InputTokens += 10
		}
		result := Written(r.Keyword, call)
		result.Usage = u
		return result, nil
	})
	return allowed
}

// flush has the account controller write the tokens.
func (t *tenant) flush() {
	GinkgoHelper()
	t.Clock.Step(ledger.FlushAfter)
	t.ReconcileAccount()
}

var firstOfDecember = time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)

var _ = Describe("The budget of an account", func() {
	It("has runs wait for the next month, with no call of the model and no request to kube-apiserver", func() {
		t := newTenant()
		t.CreateSite()
		t.budget(v1alpha1.AccountBudget{TokensPerMonth: new(int64(100))})
		t.takes(100)
		Expect(t.ReconcileUntilStable(t.CreateArticle("one", WithKeyword)).Status.Phase).To(Equal(v1alpha1.PhaseReview))
		two := t.CreateArticle("two", WithKeyword)
		Expect(Reason(t.ReconcileUntilStable(two), v1alpha1.ConditionGenerated)).To(Equal("False/BudgetReached"), "what is in the book counts")
		t.flush()
		Expect(t.Usage().Months).To(ConsistOf(v1alpha1.MonthUsage{Month: "2026-11", Tokens: 100}))
		Expect(t.Usage().CreditsUsed).To(Equal(int64(1)))

		requests := 0
		api := t.API
		t.API = interceptor.NewClient(api, interceptor.Funcs{
			Get: func(ctx context.Context, w client.WithWatch, key client.ObjectKey, o client.Object, opts ...client.GetOption) error {
				requests++
				return w.Get(ctx, key, o, opts...)
			},
			List: func(ctx context.Context, w client.WithWatch, l client.ObjectList, opts ...client.ListOption) error {
				requests++
				return w.List(ctx, l, opts...)
			},
		})
		t.Restart()
		t.Generation.Charger = ledger.NewCharger(t.API, t.Clock)
		t.Client.Writes()
		for range 1000 {
			result, err := t.Articles.Reconcile(t.Ctx, Request(two))
			Expect(err).NotTo(HaveOccurred())
			Expect(result.RequeueAfter).To(Equal(firstOfDecember.Sub(t.Clock.Now())))
		}
		Expect(t.Generator.Calls()).To(Equal(1))
		Expect(requests).To(BeZero())
		Expect(t.Client.Writes()).To(BeEmpty())

		t.Clock.SetTime(firstOfDecember)
		Expect(t.ReconcileUntilStable(two).Status.Phase).To(Equal(v1alpha1.PhaseReview))
		t.flush()
		Expect(t.Usage().Months).To(Equal([]v1alpha1.MonthUsage{{Month: "2026-11", Tokens: 100}, {Month: "2026-12", Tokens: 100}}))
	})

	It("bounds attempts in progress together, and goes on when it is raised", func() {
		t := newTenant()
		t.CreateSite(func(s *v1alpha1.Site) { s.Spec.Limits.TokensPerArticle = new(int64(60)) })
		t.budget(v1alpha1.AccountBudget{TokensPerMonth: new(int64(100))})
		began, proceed := make(chan int64, 3), make(chan struct{})
		t.Generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			began <- r.MaxTokens
			<-proceed
			result := Written(r.Keyword, call)
			result.Usage = generate.Usage{InputTokens: 30}
			return result, nil
		})
		one, two, three := t.CreateArticle("one", WithKeyword), t.CreateArticle("two", WithKeyword), t.CreateArticle("three", WithKeyword)
		for i, key := range []client.ObjectKey{one, two} {
			for t.Generation.Engine.Calls.Len() == i {
				t.Reconcile(key)
			}
			Eventually(began).Should(Receive(Equal([]int64{60, 40}[i])))
		}
		for range 3 {
			t.Reconcile(three)
		}
		Expect(t.GetArticle(three).Status.Run).To(BeNil())
		Expect(Reason(t.GetArticle(three), v1alpha1.ConditionGenerated)).To(Equal("False/Generating"))
		close(proceed)
		t.ReconcileUntilStable(one)
		t.ReconcileUntilStable(two)
		Expect(Reason(t.ReconcileUntilStable(three), v1alpha1.ConditionGenerated)).To(Equal("True/Succeeded"))
		Expect(began).To(Receive(Equal(int64(40))))
	})

	It("stops an attempt between turns, which is made again in the next month with the credit of the run", func() {
		t := newTenant()
		t.CreateSite()
		t.budget(v1alpha1.AccountBudget{TokensPerMonth: new(int64(35))})
		allowed := t.takes(60)
		key := t.CreateArticle("one", WithKeyword)
		a := t.ReconcileUntilStable(key)
		Expect(*allowed).To(Equal([]int64{35}))
		Expect(a.Status.Run).To(And(HaveField("State", v1alpha1.RunRetryScheduled), HaveField("Reason", v1alpha1.ReasonBudgetReached)))
		t.Clock.Step(time.Hour)
		a = t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/BudgetReached"))
		Expect(t.Generator.Calls()).To(Equal(1))
		t.flush()
		Expect(t.Usage().Months).To(ConsistOf(HaveField("Tokens", int64(40))), "one turn more")

		t.budget(v1alpha1.AccountBudget{TokensPerMonth: new(int64(1000))})
		a = t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(a.Status.Run.Attempt).To(BeEquivalentTo(1))
		Expect(t.Usage().CreditsUsed).To(Equal(int64(1)))
	})

	It("in money needs prices in its currency, and is held by the dearest of them", func() {
		t := newTenant()
		t.CreateSite()
		t.budget(v1alpha1.AccountBudget{SpendPerMonth: &v1alpha1.Money{Amount: "0.001", Currency: "USD"}})
		allowed := t.takes(60)
		key := t.CreateArticle("one", WithKeyword)
		t.Generator.Prices = generate.Prices{Currency: "EUR", Input: 1, Cached: 1, Output: 1}
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/BudgetWithoutPrices"))
		Expect(a.Status.Conditions).To(ContainElement(HaveField("Message", ContainSubstring(`the generator of the Site "acme"`))))
		Expect(t.Usage().CreditsUsed).To(BeZero())

		t.Generator.Prices = generate.Prices{Currency: "USD", Input: 2_000_000, Cached: 500_000, Output: 10_000_000}
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(*allowed).To(Equal([]int64{100}))
		t.flush()
		Expect(t.Usage().Months).To(ConsistOf(v1alpha1.MonthUsage{
			Month: "2026-11", Tokens: 60, Spend: []v1alpha1.Cost{{Amount: "0.000120", Currency: "USD"}},
		}))
	})

	It("counts what a model took for an article that was deleted meanwhile, and of an attempt that was cut off", func() {
		t := newTenant()
		t.CreateSite()
		t.budget(v1alpha1.AccountBudget{TokensPerMonth: new(int64(1000))})
		began := make(chan struct{})
		t.Generator.Does(func(ctx context.Context, _ int, _ generate.Request, _ generate.Progress) (generate.Result, error) {
			close(began)
			<-ctx.Done()
			return generate.Result{Usage: generate.Usage{InputTokens: 30}}, ctx.Err()
		})
		key := t.CreateArticle("one", WithKeyword)
		t.Reconcile(key)
		<-began
		Expect(t.API.Delete(t.Ctx, t.GetArticle(key))).To(Succeed())
		t.Generation.Engine.Calls.Close()
		t.Generation.Engine.Calls.CancelAll()
		t.Generation.Engine.Calls.Drain(t.Ctx)
		t.flush()
		Expect(t.Usage().Months).To(ConsistOf(HaveField("Tokens", int64(30))))
	})
})
