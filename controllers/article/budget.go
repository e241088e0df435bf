package article

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/sitegenerator"
)

// precheckBudget returns a *lifecycle.BlockedError if the account's budget of the month is used up.
func (g *Generation) precheckBudget(a *v1alpha1.Article, c credit) error {
	return g.blockedByLimit(a, g.Tokens.Reached(c.ledger, c.account.Spec.Budget, g.Clock.Now()))
}

// budgeted reports whether an attempt at a backend counts in a budget: the built-in outline takes no tokens.
func budgeted(c credit, backend sitegenerator.Backend) bool {
	return c.account != nil && c.account.Spec.Budget != nil && backend.Type != v1alpha1.GeneratorBuiltIn
}

// checkPrices returns a *lifecycle.BlockedError if a budget is in money, and what a backend takes has no price in its currency.
func checkPrices(c credit, site *v1alpha1.Site, backend sitegenerator.Backend) error {
	if !budgeted(c, backend) {
		return nil
	}
	money := c.account.Spec.Budget.SpendPerMonth
	if money == nil || money.Currency == backend.Prices.Currency {
		return nil
	}
	return &lifecycle.BlockedError{Reason: v1alpha1.ReasonBudgetWithoutPrices, Message: fmt.Sprintf(
		"the account's budget is in %s, and the generator of the Site %q has no prices in this currency (spec.generator.prices)",
		money.Currency, site.Name)}
}

// hold holds tokens of the account's budget for the next attempt, and bounds the request by them.
func (s *runSubject) hold(ctx context.Context) error {
	if !budgeted(s.paid, s.backend) {
		return nil
	}
	g, account := s.generation, s.paid.account
	// Requests were made since the account was looked at.
	cached, err := base.Read[v1alpha1.AccountLedger](ctx, g.Client, types.NamespacedName{Name: account.Name}, client.UnsafeDisableDeepCopy)
	if err != nil {
		return err
	}
	if cached == nil {
		return ledgerMissing()
	}
	own := s.request.MaxTokens
	may, err := g.Tokens.Hold(cached, account.Spec.Budget, ledger.Wish{
		Attempt: s, Tokens: own, Price: s.backend.Prices.Dearest(),
	}, g.Clock.Now())
	if err != nil {
		return g.blockedByLimit(s.article, err)
	}
	s.held, s.capped, s.request.MaxTokens = true, may != own, may
	return nil
}

// release gives back what was held for an attempt that was not made.
func (s *runSubject) release() {
	if s.held {
		s.generation.Tokens.Release(s.paid.account.Name, s)
	}
}

// ended books the tokens of an attempt that has ended, also of one that was cut off, and releases what it held. It is called before the end
// is recorded: that may be tried several times, or never if the article is deleted. It runs outside of the reconcile.
func (s *runSubject) ended(r RunResult) {
	u, g := usageOf(r), s.generation
	countTokens(u)
	spent := ledger.SpentTokens{
		Site: s.spender, Tokens: u.InputTokens + u.OutputTokens + u.EstimatedTokens, At: g.Clock.Now(),
	}
	if s.backend.Prices.Known() {
		spent.Micros, spent.Currency = s.backend.Prices.Bill(u), s.backend.Prices.Currency
	}
	g.Tokens.End(s.payer, s, spent)
}

// usageOf returns the tokens of an attempt.
func usageOf(r RunResult) generate.Usage {
	if typed, ok := errors.AsType[*generate.Error](r.Err); ok {
		return typed.Usage
	}
	return r.Result.Usage
}

// stoppedByBudget returns the error of an attempt that was stopped between turns, because what it held of the account's budget was used up:
// another attempt is made when the budget allows one.
func stoppedByBudget(err error) error {
	stopped, ok := errors.AsType[*generate.Error](err)
	if !ok || stopped.Reason != v1alpha1.ReasonArticleTokensExceeded {
		return err
	}
	again := *stopped
	again.Reason, again.Retryable = v1alpha1.ReasonBudgetReached, true
	again.Message = "the article is not finished, and the account's budget of the month (spec.budget) has no more tokens for it"
	return &again
}
