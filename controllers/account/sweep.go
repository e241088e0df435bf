package account

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// sweep sorts an account's pending charges and refunds by what happens to them. Every charge leaves the ledger, even if its Article
// waits for something, so that no Article can keep others from being charged.
type sweep struct {
	// confirmed charges are recorded by their Articles, or had an Article that was deleted: deleting an Article returns no credit.
	confirmed []v1alpha1.PendingCharge
	// returned charges have no Article, or one whose run another charge has paid for.
	returned []v1alpha1.PendingCharge
	// prepaid charges are moved from the ledger to the status of their Articles, whose runs have not begun. holders has the Article of
	// each.
	prepaid []v1alpha1.PendingCharge
	holders []*v1alpha1.Article
	// forgotten refunds are recorded by their Articles, or their Articles are deleted.
	forgotten []v1alpha1.RefundedCharge
}

func (s *sweep) empty() bool {
	return len(s.confirmed)+len(s.returned)+len(s.prepaid)+len(s.forgotten) == 0
}

// apply writes the sweep to the ledger. It returns, for each prepaid charge, whether its Article takes it over: a charge that has left
// the ledger since it was read is not moved.
func (s *sweep) apply(u *v1alpha1.AccountLedgerSpec) []bool {
	ledger.ConfirmCharges(u, s.confirmed...)
	for _, c := range s.returned {
		ledger.Return(u, c.Workspace, c.Run)
	}
	ledger.Forget(u, s.forgotten...)
	taken := make([]bool, len(s.prepaid))
	for i, c := range s.prepaid {
		taken[i] = ledger.TakeOver(u, c, string(s.holders[i].UID))
	}
	return taken
}

// sweep ends the charges and refunds that can be ended now, in one write of the ledger and one of each Article that gets a prepaid run.
func (r *Reconciler) sweep(ctx context.Context, of *v1alpha1.AccountLedger, budget *v1alpha1.AccountBudget) error {
	s, err := r.compare(ctx, &of.Spec)
	if err != nil {
		return err
	}
	if _, spent := r.Tokens.Due(of.Name, r.Clock.Now()); s.empty() && !spent {
		return nil
	}
	var taken []bool
	// A manager that stops does not cut the write off: the tokens could then neither be written again nor be given up.
	written, cancel := context.WithTimeout(context.WithoutCancel(ctx), writePatience)
	defer cancel()
	err = r.write(written, of.Name, budget, func(u *v1alpha1.AccountLedgerSpec) { taken = s.apply(u) })
	if err != nil {
		return ledger.IgnoreMissing(err)
	}
	for i := range s.prepaid {
		if taken[i] {
			err = errors.Join(err, r.prepay(ctx, s.holders[i], s.prepaid[i].Run))
		}
	}
	return err
}

// write changes the ledger of an account with that budget, which may be nil, and adds the tokens that it does not have yet.
func (r *Reconciler) write(
	ctx context.Context, account string, budget *v1alpha1.AccountBudget, change func(*v1alpha1.AccountLedgerSpec),
) error {
	now := r.Clock.Now()
	return r.Tokens.Write(account, now, func(spent []ledger.SpentTokens) (month v1alpha1.MonthUsage, err error) {
		at := now
		if n := len(spent); n > 0 {
			at = spent[n-1].At
		}
		err = r.Ledger.Write(ctx, account, func(u *v1alpha1.AccountLedgerSpec) error {
			change(u)
			ledger.AddSpent(u, budget, spent...)
			month = ledger.Month(u, at)
			return nil
		})
		return month, err
	})
}

// Flush writes the tokens of all accounts that the ledgers do not have yet, until ctx ends.
func (r *Reconciler) Flush(ctx context.Context) {
	var all sync.WaitGroup
	slots := make(chan struct{}, base.Workers)
	for _, name := range r.Tokens.Accounts() {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			account, err := base.Read[v1alpha1.Account](ctx, r.Client, types.NamespacedName{Name: name})
			if err == nil && account == nil {
				account = &v1alpha1.Account{}
			}
			if err == nil {
				err = r.write(ctx, name, account.Spec.Budget, func(*v1alpha1.AccountLedgerSpec) {})
			}
			if err != nil {
				log.FromContext(ctx).Error(err, "writing the tokens of an account while stopping", "account", name)
			}
		})
	}
	all.Wait()
}

// prepay records in an Article that the credit of a run is paid. The write fails if the Article was changed since before the ledger was
// written: the charge may have left the ledger in between.
func (r *Reconciler) prepay(ctx context.Context, a *v1alpha1.Article, run string) error {
	stored := a.DeepCopy()
	a.Status.Prepaid = &v1alpha1.PrepaidRun{Run: run, Charge: v1alpha1.Charged}
	err := r.WriteStatus(ctx, stored, a)
	if apierrors.IsConflict(err) || base.IsRefused(err) {
		return nil // The next sweep tries it again.
	}
	return client.IgnoreNotFound(err)
}

func (r *Reconciler) compare(ctx context.Context, u *v1alpha1.AccountLedgerSpec) (*sweep, error) {
	s := &sweep{}
	for _, c := range u.Pending {
		if err := r.judge(ctx, s, c); err != nil {
			return nil, err
		}
	}
	for _, f := range u.Refunded {
		article, err := base.Read[v1alpha1.Article](ctx, r.Live, types.NamespacedName{Namespace: f.Workspace, Name: f.Article})
		if err != nil {
			return nil, err
		}
		if article == nil || string(article.UID) != f.ArticleUID || recordsRefund(article, f.Run) {
			s.forgotten = append(s.forgotten, f)
		}
	}
	return s, nil
}

// judge sorts one pending charge into the sweep. Only the confirmation of a recorded run relies on the cache.
func (r *Reconciler) judge(ctx context.Context, s *sweep, c v1alpha1.PendingCharge) error {
	key := types.NamespacedName{Namespace: c.Workspace, Name: c.Article}
	cached, err := base.Read[v1alpha1.Article](ctx, r.Client, key)
	if err != nil {
		return err
	}
	if cached != nil && string(cached.UID) == c.ArticleUID && recordsRun(cached, c.Run) {
		s.confirmed = append(s.confirmed, c)
		return nil
	}
	age := r.Clock.Since(c.Time.Time)
	if age < confirmInterval {
		return nil
	}
	live, err := base.Read[v1alpha1.Article](ctx, r.Live, key)
	if err != nil {
		return err
	}
	surplus := false
	if c.ArticleUID == "" && live != nil {
		err = r.BindRequest(ctx, live)
		surplus = base.IsRepeated(err)
	}
	if err != nil && !base.IsBlocked(err) {
		return err
	}
	s.judge(c, live, surplus, age)
	return nil
}

// judge sorts a pending charge by the article that it names, which is nil if it does not exist. The article is surplus if another one
// was created with the same Idempotency-Key: no run of it begins.
func (s *sweep) judge(c v1alpha1.PendingCharge, live *v1alpha1.Article, surplus bool, age time.Duration) {
	switch taken, exists := c.ArticleUID != "", live != nil && (c.ArticleUID == "" || string(live.UID) == c.ArticleUID); {
	case !exists && taken:
		s.confirmed = append(s.confirmed, c)
	case !exists && age >= orphanAge:
		s.returned = append(s.returned, c)
	case !exists:
	case surplus:
		s.returned = append(s.returned, c)
	case recordsRun(live, c.Run) && taken:
		s.confirmed = append(s.confirmed, c)
	case recordsRun(live, c.Run):
		// A run takes a charge over before its article records it: another charge paid for this run.
		s.returned = append(s.returned, c)
	case live.Status.Prepaid == nil:
		s.prepaid, s.holders = append(s.prepaid, c), append(s.holders, live)
	}
}

// recordsRun reports whether an article's status has the run, begun or prepaid, or a later one, and so records its charge.
func recordsRun(a *v1alpha1.Article, run string) bool {
	if p := a.Status.Prepaid; p != nil && p.Run == run {
		return true
	}
	return ledger.LastRun(a) >= max(ledger.RunNumber(run), 1)
}

// recordsRefund reports whether an article's status no longer says that the refund of the run is due.
func recordsRefund(a *v1alpha1.Article, run string) bool {
	g, p := a.Status.Run, a.Status.Prepaid
	return (g == nil || g.Name != run || g.Charge == v1alpha1.Refunded) && (p == nil || p.Run != run)
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=accountledgers,verbs=get;list;watch;create

// ledger returns the account's ledger; nil if it is missing. It makes an empty one for an account that may begin one.
func (r *Reconciler) ledger(ctx context.Context, a *v1alpha1.Account) (*v1alpha1.AccountLedger, error) {
	ledger := &v1alpha1.AccountLedger{}
	err := r.Client.Get(ctx, client.ObjectKeyFromObject(a), ledger)
	if apierrors.IsNotFound(err) && mayBegin(a) {
		ledger.Name = a.Name
		err = r.Client.Create(ctx, ledger)
		if base.IsRefused(err) {
			return nil, r.BlockedIfRefused(err, v1alpha1.ReasonLedgerRefused, "AccountLedger")
		}
		if apierrors.IsAlreadyExists(err) {
			err = r.Live.Get(ctx, client.ObjectKeyFromObject(a), ledger)
		}
	}
	switch {
	case apierrors.IsNotFound(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading or making the ledger: %w", err)
	}
	return ledger, r.Stamp(ctx, a)
}

// mayBegin reports whether an empty ledger may be made for an account: one that the controller has never stamped, or for which somebody
// has confirmed it. A confirmation is used once. The ledger comes before the stamp, so that a crash in between loses neither.
func mayBegin(a *v1alpha1.Account) bool {
	stamped := a.Annotations[v1alpha1.UIDAnnotation] != "" || a.Status.ObservedGeneration != -1
	return a.DeletionTimestamp.IsZero() && (!stamped || v1alpha1.Confirmed(a) && !usedUp(a))
}

// usedUp reports whether the account's confirmation is recorded already.
func usedUp(a *v1alpha1.Account) bool { return a.Status.ConfirmedUID == string(a.UID) }

// ledgerMissing returns the message that says how the account goes on.
func ledgerMissing(a *v1alpha1.Account) string {
	if usedUp(a) {
		return "the AccountLedger is missing: restore or create it"
	}
	return fmt.Sprintf("the AccountLedger is missing: restore it, or annotate %s=%s", v1alpha1.RestoreConfirmedAnnotation, a.UID)
}
