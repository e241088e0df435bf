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
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/revision"
	"github.com/pressroom-dev/pressroom/internal/waitlist"
)

// credit is the credit that a new run needs: the account that pays, and the charge.
type credit struct {
	account *v1alpha1.Account
	charge  ledger.Charge
}

// precheck returns the credit that the article's next run needs, or a *lifecycle.BlockedError if the cached ledger has none. Articles that
// wait for credits, or for the next day, cost no request, and no look at other articles.
func (g *Generation) precheck(ctx context.Context, t *task) (credit, error) {
	a := t.article
	account, err := g.payer(ctx, a.Namespace)
	if err != nil {
		return credit{}, err
	}
	cached, err := base.Read[v1alpha1.AccountLedger](ctx, g.Client, client.ObjectKeyFromObject(account), client.UnsafeDisableDeepCopy)
	if err != nil {
		return credit{}, err
	}
	if cached == nil {
		return credit{}, ledgerMissing()
	}
	c := credit{account, ledger.Charge{
		Account: account.Name, Run: nextRun(a), Workspace: a.Namespace, Article: a.Name, ArticleUID: string(a.UID),
		LastRun: ledger.LastRun(a), Site: t.site.Name, DailyLimit: t.site.Spec.Limits.ArticlesPerDay,
	}}
	if err := g.precheckTokens(t.site, cached); err != nil || a.Status.Prepaid != nil {
		return c, err
	}
	err = ledger.Check(&cached.Spec, account.Spec, c.charge, g.Clock.Now())
	if in, lacks := lackOf(c.charge, err); lacks {
		polls := g.waiting.Wait(in, client.ObjectKeyFromObject(a))
		// The ledger may have changed before the article stood in line.
		if failed := g.notifyNext(ctx, in); failed != nil {
			return c, failed
		}
		return c, blockedByLimit(err, polls)
	}
	return c, blockedByLimit(err, true)
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
		err := g.Charger.Reserve(ctx, c.account.Spec, c.charge)
		if in, lacks := lackOf(c.charge, err); lacks {
			g.waiting.Wait(in, client.ObjectKeyFromObject(a))
		}
		if err != nil {
			return blockedByLimit(err, true)
		}
	}
	g.waiting.Leave(client.ObjectKeyFromObject(a))
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

func ledgerMissing() *lifecycle.BlockedError {
	return &lifecycle.BlockedError{
		Reason: v1alpha1.ReasonLedgerMissing, Message: "the AccountLedger of the account is missing; the run waits for it",
	}
}

// lackOf returns the allowance that a charge lacks, if the ledger refused it for that.
func lackOf(c ledger.Charge, err error) (waitlist.Allowance, bool) {
	limit, _ := errors.AsType[*ledger.LimitError](err)
	switch {
	case limit == nil:
		return waitlist.Allowance{}, false
	case limit.Code == ledger.InsufficientCredits:
		return waitlist.Allowance{Account: c.Account}, true
	default:
		site := types.NamespacedName{Namespace: c.Workspace, Name: c.Site}
		return waitlist.Allowance{Account: c.Account, Site: site}, limit.Code == ledger.DailyLimit
	}
}

// blockedByLimit turns a limit of the ledger into the blocker of the run. Unless it polls, the article is notified when there is room.
func blockedByLimit(err error, polls bool) error {
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
		return ledgerMissing()
	case ledger.DailyLimit:
		blocked := &lifecycle.BlockedError{
			Reason: v1alpha1.ReasonDailyLimitReached, Message: "the site's daily limit is used up; the run waits for the next UTC day",
		}
		if polls {
			blocked.RetryAfter = limit.RetryAfter
		}
		return blocked
	default:
		return &lifecycle.BlockedError{
			Reason: v1alpha1.ReasonQueued, Message: "the account's ledger is full of unconfirmed charges",
			RetryAfter: max(limit.RetryAfter, time.Second),
		}
	}
}

// roomChanged notifies as many articles of an account as there is room for now.
func (g *Generation) roomChanged(ctx context.Context, account string) error {
	for _, in := range g.waiting.Of(account) {
		if err := g.notifyNext(ctx, in); err != nil {
			return err
		}
	}
	return nil
}

// notifyNext notifies as many articles of a line as there is room for.
func (g *Generation) notifyNext(ctx context.Context, in waitlist.Allowance) error {
	account, cached, site := &v1alpha1.Account{}, &v1alpha1.AccountLedger{}, &v1alpha1.Site{}
	err := errors.Join(
		g.Client.Get(ctx, types.NamespacedName{Name: in.Account}, account, client.UnsafeDisableDeepCopy),
		g.Client.Get(ctx, types.NamespacedName{Name: in.Account}, cached, client.UnsafeDisableDeepCopy))
	if err == nil && in.Site.Name != "" {
		err = g.Client.Get(ctx, in.Site, site, client.UnsafeDisableDeepCopy)
	}
	if err != nil {
		return client.IgnoreNotFound(err)
	}
	usage := ledger.UsageOf(&cached.Spec, account.Spec, g.Clock.Now())
	room := usage.CreditsLeft()
	if in.Site.Name != "" {
		used, limit := usage.Today(in.Site, site.Spec.Limits.ArticlesPerDay)
		room = int64(limit - used)
	}
	g.waiting.Next(in, room)
	return nil
}

// passOn notifies the next article in line if one was notified and took nothing, because something else blocks it.
func (g *Generation) passOn(ctx context.Context, key types.NamespacedName) error {
	in, notified := g.waiting.Notified(key)
	if !notified {
		return nil
	}
	g.waiting.Leave(key)
	return g.notifyNext(ctx, in)
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

// spent adds the tokens of an attempt to the token book once status is written.
func (g *Generation) spent(t *task, u generate.Usage) {
	if u.InputTokens+u.OutputTokens == 0 {
		return
	}
	a, now := t.article, g.Clock.Now()
	site := client.ObjectKey{Namespace: a.Namespace, Name: a.Spec.SiteRef.Name}
	t.afterSave = append(t.afterSave, func(ctx context.Context) error {
		countTokens(u)
		account, err := g.Account(ctx, a.Namespace)
		if err != nil {
			return err
		}
		g.Tokens.Add(account, ledger.SpentTokens{Site: site, Tokens: u.InputTokens + u.OutputTokens, At: now})
		return nil
	})
}
