package article

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/backoff"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// creditPoll is how often an article that waits for credits is reconciled, before jitter, if no change of the ledger leads to that. One
// that begins to wait is reconciled again sooner: the ledger may have changed before status said that it waits.
const creditPoll = 30 * time.Minute

// credit is the credit that a new run needs: the account that pays, its ledger as the cache has it, and the charge.
type credit struct {
	account *v1alpha1.Account
	ledger  *v1alpha1.AccountLedger
	charge  ledger.Charge
}

// precheck returns the credit that the article's next run needs, or a *lifecycle.BlockedError if the cached ledger has none. Articles that
// wait for credits, for the next day or for the next month cost no request, and no look at other articles.
func (g *Generation) precheck(ctx context.Context, t *task) (credit, error) {
	a := t.article
	c, err := g.funds(ctx, a.Namespace)
	if err != nil {
		return credit{}, err
	}
	c.charge = ledger.Charge{
		Account: c.account.Name, Run: nextRun(a), Workspace: a.Namespace, Article: a.Name, ArticleUID: string(a.UID),
		LastRun: ledger.LastRun(a), Site: t.site.Name, DailyLimit: t.site.Spec.Limits.ArticlesPerDay,
	}
	if err := g.precheckTokens(t.site, c.ledger); err != nil {
		return c, err
	}
	if err := g.precheckBudget(a, c); err != nil || a.Status.Prepaid != nil {
		return c, err
	}
	return c, g.blockedByLimit(a, ledger.Check(&c.ledger.Spec, c.account.Spec, c.charge, g.Clock.Now()))
}

// precheckRetry is precheck for another attempt of a run, which is paid: only the budget can block it.
func (g *Generation) precheckRetry(ctx context.Context, a *v1alpha1.Article) (credit, error) {
	c, err := g.funds(ctx, a.Namespace)
	if base.IsBlocked(err) {
		return credit{}, nil
	}
	if err != nil {
		return credit{}, err
	}
	return c, g.precheckBudget(a, c)
}

// funds returns the account of a workspace and its ledger, from the cache.
func (g *Generation) funds(ctx context.Context, workspace string) (credit, error) {
	account, err := g.payer(ctx, workspace)
	if err != nil {
		return credit{}, err
	}
	cached, err := base.Read[v1alpha1.AccountLedger](ctx, g.Client, client.ObjectKeyFromObject(account), client.UnsafeDisableDeepCopy)
	if err == nil && cached == nil {
		err = ledgerMissing()
	}
	return credit{account: account, ledger: cached}, err
}

// nextRun returns the name of the next run of an article.
func nextRun(a *v1alpha1.Article) string { return revision.Name(a, a.Status.LastRevisionNumber+1) }

// reserve takes the run's credit, unless the article holds one. It returns a *lifecycle.BlockedError if it cannot. It reads the article
// live: a run that is already recorded must not be charged again.
func (g *Generation) reserve(ctx context.Context, t *task, c credit) error {
	a := t.article
	if a.Status.Prepaid == nil {
		if err := g.BindRequest(ctx, a); err != nil {
			return err
		}
		if err := g.RequireLatest(ctx, a); err != nil {
			return err
		}
		return g.blockedByLimit(a, g.Charger.Reserve(ctx, c.account.Spec, c.charge))
	}
	return nil
}

// payer returns the account that a workspace belongs to, from the cache. It returns a *lifecycle.BlockedError if there is none.
func (g *Generation) payer(ctx context.Context, workspace string) (*v1alpha1.Account, error) {
	name, err := g.Account(ctx, workspace)
	if err != nil {
		return nil, err
	}
	if name == "" {
		return nil, &lifecycle.BlockedError{Reason: v1alpha1.ReasonNotAWorkspace, Message: fmt.Sprintf(
			"the namespace is not a workspace: it must carry the label %s", v1alpha1.AccountLabel)}
	}
	account, err := base.Read[v1alpha1.Account](ctx, g.Client, types.NamespacedName{Name: name}, client.UnsafeDisableDeepCopy)
	if err == nil && account == nil {
		err = &lifecycle.BlockedError{Reason: v1alpha1.ReasonAccountNotFound, Message: fmt.Sprintf("the Account %q does not exist", name)}
	}
	return account, err
}

// creditsLeft returns how many credits an account has left, as the cache has it; 0 if there is no such account, or no ledger of it.
func (g *Generation) creditsLeft(ctx context.Context, name string) (int64, error) {
	key := types.NamespacedName{Name: name}
	account, err := base.Read[v1alpha1.Account](ctx, g.Client, key, client.UnsafeDisableDeepCopy)
	cached, failed := base.Read[v1alpha1.AccountLedger](ctx, g.Client, key, client.UnsafeDisableDeepCopy)
	if account == nil || cached == nil {
		return 0, errors.Join(err, failed)
	}
	return ledger.UsageOf(&cached.Spec, account.Spec, g.Clock.Now()).CreditsLeft(), nil
}

func ledgerMissing() *lifecycle.BlockedError {
	return &lifecycle.BlockedError{
		Reason: v1alpha1.ReasonLedgerMissing, Message: "the AccountLedger of the account is missing; the run waits for it",
	}
}

// blockedByLimit turns a limit of the ledger into the blocker of an article's run.
func (g *Generation) blockedByLimit(a *v1alpha1.Article, err error) error {
	limit, ok := errors.AsType[*ledger.LimitError](err)
	if !ok {
		return g.ledgerRefused(err)
	}
	switch limit.Code {
	case ledger.InsufficientCredits:
		blocked := &lifecycle.BlockedError{
			Reason: v1alpha1.ReasonInsufficientCredits, Message: "the account has no credit left; the run waits for one",
			RetryAfter: lifecycle.BlockedPoll,
		}
		if lacksCredits(a) {
			blocked.RetryAfter = backoff.Jitter(creditPoll, g.Random())
		}
		return blocked
	case ledger.Missing:
		return ledgerMissing()
	case ledger.BudgetReached:
		return &lifecycle.BlockedError{
			Reason:     v1alpha1.ReasonBudgetReached,
			Message:    "the account's budget of the month (spec.budget) is used up; the run waits for the next month, UTC",
			RetryAfter: max(limit.RetryAfter, time.Second),
		}
	case ledger.BudgetHeld:
		blocked := lifecycle.NoSlotAtGenerator()
		blocked.Message = "a run is due, and starts when those in progress leave some of the account's budget of the month"
		blocked.RetryAfter = limit.RetryAfter
		return blocked
	case ledger.DailyLimit:
		return &lifecycle.BlockedError{
			Reason: v1alpha1.ReasonDailyLimitReached, Message: "the site's daily limit is used up; the run waits for the next UTC day",
			RetryAfter: limit.RetryAfter,
		}
	default:
		return &lifecycle.BlockedError{
			Reason: v1alpha1.ReasonQueued, Message: "the account's ledger is full of unconfirmed charges",
			RetryAfter: max(limit.RetryAfter, time.Second),
		}
	}
}

// refund refunds the credit of a failed run, once: the ledger remembers the run until the article records it.
func (g *Generation) refund(ctx context.Context, t *task) (progress, error) {
	if err := g.giveBack(ctx, t.article, t.article.Status.Run.Name); err != nil {
		return retryIfBusy(t.recordBlocker(err))
	}
	t.article.Status.Run.Charge = v1alpha1.Refunded
	return progress{}, t.save(ctx)
}

// returnCredit gives back the credit of a run that will not begin. It writes that to status first: from then on no run may use the
// credit.
func (g *Generation) returnCredit(ctx context.Context, t *task) (progress, error) {
	prepaid := t.article.Status.Prepaid
	if prepaid.Charge != v1alpha1.RefundDue {
		prepaid.Charge = v1alpha1.RefundDue
		if err := t.save(ctx); err != nil {
			return progress{}, err
		}
	}
	if err := g.giveBack(ctx, t.article, prepaid.Run); err != nil {
		return retryIfBusy(t.recordBlocker(err))
	}
	// The ledger may still remember this run: the next one must have another id.
	t.article.Status.LastRevisionNumber = max(t.article.Status.LastRevisionNumber, ledger.RunNumber(prepaid.Run))
	t.article.Status.Prepaid, t.changed = nil, true
	return progress{again: true}, nil
}

// giveBack refunds the credit of a run in the ledger. Before that, the article in kube-apiserver must say that the refund is due; the
// cache is not enough.
func (g *Generation) giveBack(ctx context.Context, a *v1alpha1.Article, run string) error {
	if err := g.RequireLatest(ctx, a); err != nil {
		return err
	}
	account, err := g.Account(ctx, a.Namespace)
	if err != nil || account == "" {
		return err
	}
	refunded := v1alpha1.RefundedCharge{Run: run, Workspace: a.Namespace, Article: a.Name, ArticleUID: string(a.UID)}
	err = g.Charger.Apply(ctx, account, func(u *v1alpha1.AccountLedgerSpec) error { return ledger.Refund(u, refunded) })
	if err = ledger.IgnoreMissing(err); err != nil {
		return g.ledgerRefused(fmt.Errorf("refunding the credit: %w", err))
	}
	return nil
}

// ledgerRefused returns the error for a ledger that was not written.
func (g *Generation) ledgerRefused(err error) error {
	return g.BlockedIfRefused(err, v1alpha1.ReasonLedgerRefused, "AccountLedger")
}

// retryIfBusy looks at the article again soon if the ledger did not answer within ledger.MaxWait: the next reconcile finds a charge
// that was made meanwhile. It returns every other error.
func retryIfBusy(err error) (progress, error) {
	if errors.Is(err, ledger.ErrUnavailable) && errors.Is(err, context.DeadlineExceeded) {
		return progress{after: ledger.MaxWait}, nil
	}
	return progress{}, err
}

// precheckTokens returns a *lifecycle.BlockedError if the site's tokens of the day are used up.
func (g *Generation) precheckTokens(site *v1alpha1.Site, cached *v1alpha1.AccountLedger) error {
	limit := site.Spec.Limits.TokensPerDay
	if limit == nil {
		return nil
	}
	now := g.Clock.Now()
	spent, end := g.Tokens.Today(cached, client.ObjectKeyFromObject(site), now)
	if spent < *limit {
		return nil
	}
	return &lifecycle.BlockedError{
		Reason:     v1alpha1.ReasonDailyTokensExceeded,
		Message:    "the site's tokens of the day (limits.tokensPerDay) are used up; the run waits for the next UTC day",
		RetryAfter: max(end.Sub(now), time.Second),
	}
}
