package controllers

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// reserve takes the run's credit. It returns a *lifecycle.BlockedError if it cannot. The article is read live first: a run that is
// already recorded must not be charged again.
func (g *Generation) reserve(ctx context.Context, t *task, run string) error {
	a := t.article
	account, err := g.account(ctx, a.Namespace)
	if err != nil {
		return err
	}
	if account == "" {
		return &lifecycle.BlockedError{Reason: v1alpha1.ReasonNotAWorkspace, Message: fmt.Sprintf(
			"the namespace is not a workspace: it must carry the label %s", v1alpha1.AccountLabel)}
	}
	charge := ledger.Charge{
		Account: account, Run: run, Workspace: a.Namespace, Article: a.Name,
		SiteUID: identity.UID(identity.KindSite, t.site.Namespace, t.site.Name), DailyLimit: t.site.Spec.Limits.ArticlesPerDay,
	}
	if err := g.precheckLimits(ctx, charge); err != nil {
		return err
	}
	if err := g.requireLatest(ctx, a); err != nil {
		return err
	}
	return blockedByLimit(g.Charger.Reserve(ctx, charge))
}

// precheckLimits asks the cached account first, so that articles that wait for credits cost no request.
func (g *Generation) precheckLimits(ctx context.Context, charge ledger.Charge) error {
	account := &v1alpha1.Account{}
	err := g.Client.Get(ctx, types.NamespacedName{Name: charge.Account}, account)
	if apierrors.IsNotFound(err) {
		return &lifecycle.BlockedError{
			Reason: v1alpha1.ReasonAccountNotFound, Message: fmt.Sprintf("the Account %q does not exist", charge.Account),
		}
	}
	if err != nil {
		return fmt.Errorf("reading the account: %w", err)
	}
	if err := ledger.Known(account); err != nil {
		return blockedByLimit(err)
	}
	return blockedByLimit(ledger.Reserve(account.Status.Usage.DeepCopy(), account.Spec, charge, g.Clock.Now()))
}

// blockedByLimit turns a limit of the ledger into what blocks the run. Credits come with a change of the Account, which is
// watched.
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
	case ledger.UsageUnknown:
		return &lifecycle.BlockedError{Reason: v1alpha1.ReasonInsufficientCredits, Message: limit.Error() + "; the run waits"}
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

// requireLatest returns a conflict if the article has been written since the cache saw it, or is gone.
func (b *Base) requireLatest(ctx context.Context, a *v1alpha1.Article) error {
	live := &v1alpha1.Article{}
	err := b.Live.Get(ctx, client.ObjectKeyFromObject(a), live)
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("reading the article live: %w", err)
	}
	if live.ResourceVersion != a.ResourceVersion || live.UID != a.UID {
		return apierrors.NewConflict(v1alpha1.GroupVersion.WithResource("articles").GroupResource(), a.Name,
			errors.New("the cache is behind"))
	}
	return nil
}

// refund refunds the credit of a failed run, once: the ledger remembers the run until the article records it.
func (g *Generation) refund(ctx context.Context, t *task) (progress, error) {
	a := t.article
	if err := g.requireLatest(ctx, a); err != nil {
		return progress{}, err
	}
	account, err := g.account(ctx, a.Namespace)
	if err != nil {
		return progress{}, err
	}
	if account != "" {
		charge := v1alpha1.RefundedCharge{Run: a.Status.Generation.ID, Workspace: a.Namespace, Article: a.Name}
		err = g.Charger.Apply(ctx, account, func(u *v1alpha1.AccountUsage) error { return ledger.Refund(u, charge) })
		if err = client.IgnoreNotFound(err); err != nil {
			return retryIfBusy(fmt.Errorf("refunding the credit: %w", err))
		}
	}
	a.Status.Generation.Charge = v1alpha1.Refunded
	return progress{}, t.save(ctx)
}

// retryIfBusy looks at the article again soon if the ledger did not answer within ledger.MaxWait, and passes on every other
// error. A charge that is made later is found then.
func retryIfBusy(err error) (progress, error) {
	if errors.Is(err, ledger.ErrUnavailable) && errors.Is(err, context.DeadlineExceeded) {
		return progress{after: ledger.MaxWait}, nil
	}
	return progress{}, err
}
