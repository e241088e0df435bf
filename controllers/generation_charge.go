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
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// hopeless asks the cached account first, so that articles that wait for credits cost the API server nothing.
func (r *GenerationReconciler) hopeless(ctx context.Context, charge ledger.Charge) (lifecycle.Obstacle, time.Duration, error) {
	account := &v1alpha1.Account{}
	err := r.Client.Get(ctx, types.NamespacedName{Name: charge.Account}, account)
	if apierrors.IsNotFound(err) {
		return lifecycle.Obstacle{Reason: v1alpha1.ReasonAccountNotFound,
			Message: fmt.Sprintf("the Account %q does not exist", charge.Account)}, 0, nil
	}
	if err != nil {
		return lifecycle.Obstacle{}, 0, fmt.Errorf("reading the account: %w", err)
	}
	return inTheWay(ledger.Reserve(account.Status.Usage.DeepCopy(), account.Spec, charge, r.Clock.Now()))
}

// inTheWay turns a limit of the ledger into an obstacle and the time to try again. Credits come with a change of the
// Account, which is watched.
func inTheWay(err error) (lifecycle.Obstacle, time.Duration, error) {
	var limit *ledger.LimitError
	if !errors.As(err, &limit) {
		return lifecycle.Obstacle{}, 0, err
	}
	switch limit.Code {
	case ledger.InsufficientCredits:
		return lifecycle.Obstacle{
			Reason: v1alpha1.ReasonInsufficientCredits, Message: "the account has no credit left; the run waits for one",
		}, 0, nil
	case ledger.DailyLimit:
		return lifecycle.Obstacle{
			Reason: v1alpha1.ReasonDailyLimitReached, Message: "the site's daily limit is used up; the run waits for the next UTC day",
		}, limit.RetryAfter, nil
	default:
		return lifecycle.Obstacle{
			Reason: v1alpha1.ReasonQueued, Message: "the account's ledger is full of unconfirmed charges",
		}, max(limit.RetryAfter, time.Second), nil
	}
}

// assureFresh returns a conflict where the article has been written since the cache saw it.
func (b *Base) assureFresh(ctx context.Context, a *v1alpha1.Article) error {
	live := &v1alpha1.Article{}
	if err := b.Live.Get(ctx, client.ObjectKeyFromObject(a), live); err != nil {
		return fmt.Errorf("reading the article live: %w", client.IgnoreNotFound(err))
	}
	if live.ResourceVersion != a.ResourceVersion || live.UID != a.UID {
		return apierrors.NewConflict(v1alpha1.GroupVersion.WithResource("articles").GroupResource(), a.Name,
			errors.New("the cache is behind"))
	}
	return nil
}

// refund gives the credit of a failed run back, once: the ledger remembers the run until the article records it.
func (r *GenerationReconciler) refund(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site) error {
	if err := r.assureFresh(ctx, a); err != nil {
		return err
	}
	account, err := r.account(ctx, a.Namespace)
	if err != nil {
		return err
	}
	if account != "" {
		err = r.Charger.Apply(ctx, account, func(u *v1alpha1.AccountUsage) error {
			return ledger.Refund(u, v1alpha1.RefundedCharge{Run: a.Status.Generation.ID, Workspace: a.Namespace, Article: a.Name})
		})
		if client.IgnoreNotFound(err) != nil {
			return fmt.Errorf("giving the credit back: %w", err)
		}
	}
	old := a.DeepCopy()
	a.Status.Generation.Charge = v1alpha1.Refunded
	return r.save(ctx, old, a, site, lifecycle.Obstacles{})
}
