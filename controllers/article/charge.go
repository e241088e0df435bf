package article

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// reserve takes the run's credit, unless the article holds one. It returns a *lifecycle.BlockedError if it cannot. It checks the cached
// ledger first, so that articles that wait for credits cost no request. Then it reads the article live: a run that is already recorded
// must not be charged again.
func (g *Generation) reserve(ctx context.Context, t *task, run string) error {
	a := t.article
	account, err := g.payer(ctx, a.Namespace)
	if err != nil {
		return err
	}
	cached, err := g.ledger(ctx, account.Name)
	if err != nil {
		return err
	}
	if err := g.precheckTokens(t.site, cached); err != nil || a.Status.Prepaid != nil {
		return err
	}
	charge := ledger.Charge{
		Account: account.Name, Run: run, Workspace: a.Namespace, Article: a.Name, ArticleUID: string(a.UID), LastRun: ledger.LastRun(a),
		Site: t.site.Name, DailyLimit: t.site.Spec.Limits.ArticlesPerDay,
	}
	if err := ledger.Check(&cached.Spec, account.Spec, charge, g.Clock.Now()); err != nil {
		return blockedByLimit(err)
	}
	if err := g.BindRequest(ctx, a); err != nil {
		return err
	}
	if err := g.RequireLatest(ctx, a); err != nil {
		return err
	}
	return blockedByLimit(g.Charger.Reserve(ctx, account.Spec, charge))
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
	account := &v1alpha1.Account{}
	err = g.Client.Get(ctx, types.NamespacedName{Name: name}, account, client.UnsafeDisableDeepCopy)
	if apierrors.IsNotFound(err) {
		return nil, &lifecycle.BlockedError{
			Reason: v1alpha1.ReasonAccountNotFound, Message: fmt.Sprintf("the Account %q does not exist", name),
		}
	}
	if err != nil {
		return nil, fmt.Errorf("reading the account: %w", err)
	}
	return account, nil
}

// ledger returns the ledger of an account, from the cache. It returns a *lifecycle.BlockedError if there is none.
func (g *Generation) ledger(ctx context.Context, account string) (*v1alpha1.AccountLedger, error) {
	l := &v1alpha1.AccountLedger{}
	err := g.Client.Get(ctx, types.NamespacedName{Name: account}, l, client.UnsafeDisableDeepCopy)
	if apierrors.IsNotFound(err) {
		return nil, blockedByLimit(&ledger.LimitError{Code: ledger.Missing})
	}
	if err != nil {
		return nil, fmt.Errorf("reading the ledger: %w", err)
	}
	return l, nil
}

// blockedByLimit turns a limit of the ledger into the blocker of the run. New credits arrive as a change of the Account or of its
// ledger, which are watched.
func blockedByLimit(err error) error {
	limit, ok := errors.AsType[*ledger.LimitError](err)
	if !ok {
		return err
	}
	switch limit.Code {
	case ledger.InsufficientCredits:
		return &lifecycle.BlockedError{
			Reason: v1alpha1.ReasonInsufficientCredits, Message: "the account has no credit left; the run waits for one",
		}
	case ledger.Missing:
		return &lifecycle.BlockedError{
			Reason: v1alpha1.ReasonLedgerMissing, Message: "the AccountLedger of the account is missing; the run waits for it",
		}
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
		return retryIfBusy(err)
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
		return retryIfBusy(err)
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
		return fmt.Errorf("refunding the credit: %w", err)
	}
	return nil
}

// retryIfBusy looks at the article again soon if the ledger did not answer within ledger.MaxWait: the next reconcile finds a charge
// that was made meanwhile. It returns every other error.
func retryIfBusy(err error) (progress, error) {
	if errors.Is(err, ledger.ErrUnavailable) && errors.Is(err, context.DeadlineExceeded) {
		return progress{after: ledger.MaxWait}, nil
	}
	return progress{}, err
}
