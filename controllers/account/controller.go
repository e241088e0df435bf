// Package account holds the controller of Accounts: it makes the ledger of a new account, confirms or returns the pending charges of each
// ledger, and says in status whether the account can be used.
package account

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

const (
	// confirmInterval is how long charges are gathered before they are confirmed in one write.
	confirmInterval = 10 * time.Second
	// orphanAge is how long a charge waits for its Article before it is returned. The facade creates no Article later: an
	// operation takes 30 s at most.
	orphanAge = time.Minute
	// usedInterval is how often an account's status gets the credits used.
	usedInterval = time.Minute
	// writePatience bounds how long a sweep waits for the write of the ledger.
	writePatience = 5 * time.Second
)

// Reconciler creates the ledgers of accounts, and confirms or returns their pending charges: see sweep.
type Reconciler struct {
	base.Base
	// Ledger changes the ledgers of accounts.
	Ledger *ledger.Charger
	// Tokens are those that the ledger does not have yet.
	Tokens *ledger.TokenBook

	// counted has the time.Time when the objects of each account were counted last. Status has when that was written, which a count that is
	// the same is not.
	counted sync.Map
	// budgets has the BudgetState of each account with a budget, and shown the time.Time when its status was changed last.
	budgets, shown sync.Map
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=accounts,verbs=get;list;watch;patch
// +kubebuilder:rbac:groups=pressroom.dev,resources=accounts/status,verbs=update

// Reconcile makes the ledger of a new account, updates the account's status, and ends what is old enough in the ledger.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	account := &v1alpha1.Account{}
	if err := r.Client.Get(ctx, req.NamespacedName, account); err != nil {
		for _, known := range []*sync.Map{&r.counted, &r.budgets, &r.shown} {
			known.Delete(req.Name)
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	ledger, err := r.ledger(ctx, account)
	if err != nil {
		return base.Finish(ctrl.Result{}, err, func(b *lifecycle.BlockedError) error { return r.saveRefused(ctx, account, b) })
	}
	next, err := r.saveStatus(ctx, account, ledger)
	if err != nil || ledger == nil {
		return base.IgnoreConflict(ctrl.Result{}, err)
	}
	u := &ledger.Spec
	switch wait, due := r.sweepDue(ledger); {
	case !due:
		return ctrl.Result{RequeueAfter: next}, nil
	case wait > 0:
		return ctrl.Result{RequeueAfter: wait}, nil
	}
	if err := r.sweep(ctx, ledger, account.Spec.Budget); base.IsRefused(err) {
		r.EventOfRefusal(account, err)
		return ctrl.Result{RequeueAfter: base.RefusedPoll}, nil
	} else if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: r.nextSweep(u)}, nil
}

// sweepDue returns how long charges and tokens are gathered before the next sweep. It reports false if there are none.
func (r *Reconciler) sweepDue(of *v1alpha1.AccountLedger) (wait time.Duration, due bool) {
	wait, due = r.Tokens.Due(of.Name, r.Clock.Now())
	u := &of.Spec
	if len(u.Refunded) > 0 {
		return 0, true
	}
	if len(u.Pending) > 0 {
		oldest := slices.MinFunc(u.Pending, func(a, b v1alpha1.PendingCharge) int { return a.Time.Compare(b.Time.Time) })
		confirm := confirmInterval - r.Clock.Since(oldest.Time.Time)
		if !due || confirm < wait {
			return confirm, true
		}
	}
	return wait, due
}

// nextSweep is when to look at the ledger again: earlier than usual if a charge will be too old by then.
func (r *Reconciler) nextSweep(u *v1alpha1.AccountLedgerSpec) time.Duration {
	next := confirmInterval
	for i := range u.Pending {
		if left := orphanAge - r.Clock.Since(u.Pending[i].Time.Time); left > 0 {
			next = min(next, left)
		}
	}
	return next
}

// saveStatus writes the condition Ready, the confirmation, and at most once a minute the credits used, what is used of the budget and how
// many objects there are. It returns when the latter are due.
func (r *Reconciler) saveStatus(
	ctx context.Context, account *v1alpha1.Account, ledger *v1alpha1.AccountLedger,
) (next time.Duration, err error) {
	stored, status := account.DeepCopy(), &account.Status
	if ledger != nil && v1alpha1.Confirmed(account) {
		status.ConfirmedUID = string(account.UID)
	}
	if ledger != nil && (status.CreditsUsed == nil || *status.CreditsUsed != ledger.Spec.CreditsUsed) {
		if next = usedInterval - r.Clock.Since(ptr.Deref(status.CreditsUsedTime, v1alpha1.Time{}).Time); next <= 0 {
			next = 0
			status.CreditsUsed, status.CreditsUsedTime = new(ledger.Spec.CreditsUsed), new(v1alpha1.NewTime(r.Clock.Now()))
		}
	}
	next, announce := r.showBudget(account, ledger, next)
	if next, err = r.countObjects(ctx, account, next); err != nil {
		// The ledger goes on without the count, which is made again in a minute.
		log.FromContext(ctx).Error(err, "counting the objects of an account")
		next = usedInterval
	}
	if err := r.SaveReady(ctx, stored, account, &status.Observed, ready(account, ledger)); err != nil {
		return next, err
	}
	r.announceBudget(account, announce)
	return next, nil
}

// saveRefused writes that the ledger of an account is refused. The generation stays unobserved, by which mayBegin knows a new account.
func (r *Reconciler) saveRefused(ctx context.Context, account *v1alpha1.Account, b *lifecycle.BlockedError) error {
	stored := account.DeepCopy()
	set := conditions.Setter{Conditions: &account.Status.Conditions, Generation: account.Generation, Now: r.Clock.Now()}
	set.Set(v1alpha1.ConditionReady, b.Condition())
	return r.WriteStatus(ctx, stored, account)
}

// SetupWithManager registers the controller.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return r.NewController(mgr, "account", base.Workers).
		For(&v1alpha1.Account{}).
		// A ledger has the name of its account.
		Watches(&v1alpha1.AccountLedger{}, &handler.EnqueueRequestForObject{}).
		WatchesRawSource(base.Added(r.Tokens)).
		Complete(r)
}

// ready is the condition Ready of an account with this ledger, which is nil if it is missing.
func ready(account *v1alpha1.Account, ledger *v1alpha1.AccountLedger) metav1.Condition {
	if ledger == nil {
		return conditions.False(v1alpha1.ReasonLedgerMissing, ledgerMissing(account))
	}
	if suspension := lifecycle.Suspension(nil, account, false); suspension != nil {
		return conditions.True(suspension.Reason, suspension.Message)
	}
	return conditions.True(v1alpha1.ReasonValid, "the account may be used")
}

// countObjects counts once a minute, in the cache, what the account's workspaces have that its limits bound, and returns when to come
// again: next, or earlier.
func (r *Reconciler) countObjects(ctx context.Context, account *v1alpha1.Account, next time.Duration) (time.Duration, error) {
	objects := &account.Status.Objects
	last := ptr.Deref(objects.CountTime, v1alpha1.Time{}).Time
	if at, ok := r.counted.Load(account.Name); ok {
		last, _ = at.(time.Time)
	}
	if due := usedInterval - r.Clock.Since(last); due > 0 {
		return sooner(next, due), nil
	}
	workspaces, err := r.Workspaces(ctx, account.Name)
	if err != nil {
		return 0, err
	}
	var counted v1alpha1.AccountObjects
	for i := range workspaces {
		in := client.InNamespace(workspaces[i].Name)
		var posts v1alpha1.PostList
		var records metav1.PartialObjectMetadataList
		records.SetGroupVersionKind(internalv1alpha1.GroupVersion.WithKind("IdempotencyRecordList"))
		for _, list := range []client.ObjectList{&posts, &records} {
			if err := r.Client.List(ctx, list, in, client.UnsafeDisableDeepCopy); err != nil {
				return 0, fmt.Errorf("counting the objects of %s: %w", workspaces[i].Name, err)
			}
		}
		counted.Posts += int64(len(posts.Items))
		for i := range records.Items {
			counted.IdempotencyRecords += internalv1alpha1.CountOf(&records.Items[i])
		}
	}
	r.counted.Store(account.Name, r.Clock.Now())
	if counted.Posts != objects.Posts || counted.IdempotencyRecords != objects.IdempotencyRecords {
		counted.CountTime = new(v1alpha1.NewTime(r.Clock.Now()))
		*objects = counted
	}
	return sooner(next, usedInterval), nil
}

// sooner returns the shorter of two waits, of which 0 is none.
func sooner(a, b time.Duration) time.Duration {
	if a == 0 {
		return b
	}
	return min(a, b)
}
