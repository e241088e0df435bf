package account

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

const (
	// confirmInterval is how long charges are gathered before they are confirmed in one write.
	confirmInterval = 10 * time.Second
	// orphanAge is how long a charge waits for its Article before it is returned. The facade creates no Article later: an
	// operation takes 30 s at most.
	orphanAge = time.Minute
)

// Reconciler ends the ledger's pending charges and refunds: see sweep.
type Reconciler struct {
	base.Base
	// Ledger changes an account's usage.
	Ledger *ledger.Charger
	// Tokens are those that the ledger does not have yet.
	Tokens *ledger.TokenBook
}

// Reconcile updates the account's condition, and its ledger if an entry is old enough.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	account := &v1alpha1.Account{}
	if err := r.Client.Get(ctx, req.NamespacedName, account); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.restore(ctx, account); err != nil {
		return base.IgnoreConflict(ctrl.Result{}, err)
	}
	if err := r.ready(ctx, account); err != nil {
		return base.IgnoreConflict(ctrl.Result{}, err)
	}
	usage := &account.Status.Usage
	if len(usage.Pending)+len(usage.Refunded) == 0 {
		return ctrl.Result{}, nil
	}
	if wait := confirmInterval - r.Clock.Since(oldest(usage)); wait > 0 && len(usage.Pending) > 0 && len(usage.Refunded) == 0 {
		return ctrl.Result{RequeueAfter: wait}, nil
	}
	if err := r.sweep(ctx, account); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: r.nextSweep(usage)}, nil
}

// nextSweep is when to look at the ledger again: earlier than usual if a charge will be too old by then.
func (r *Reconciler) nextSweep(u *v1alpha1.AccountUsage) time.Duration {
	next := confirmInterval
	for i := range u.Pending {
		if left := orphanAge - r.Clock.Since(u.Pending[i].Time.Time); left > 0 {
			next = min(next, left)
		}
	}
	return next
}

// oldest returns the time of the oldest pending charge.
func oldest(u *v1alpha1.AccountUsage) time.Time {
	var at time.Time
	for i := range u.Pending {
		if at.IsZero() || u.Pending[i].Time.Time.Before(at) {
			at = u.Pending[i].Time.Time
		}
	}
	return at
}

// ready sets the condition Ready. It is written once for each generation.
func (r *Reconciler) ready(ctx context.Context, account *v1alpha1.Account) error {
	return r.SaveConditions(ctx, account, &account.Status.Conditions, &account.Status.ObservedGeneration,
		accountReady(account))
}

// SetupWithManager registers the controller.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).Named("account").For(&v1alpha1.Account{}).Complete(r)
}

// accountReady is the condition Ready of an account.
func accountReady(account *v1alpha1.Account) metav1.Condition {
	if v1alpha1.Copied(account) {
		return base.ReadyCondition(false, v1alpha1.ReasonUsageUnknown, usageUnknown(account))
	}
	if suspension := lifecycle.Suspension(nil, account, false); suspension != nil {
		return base.ReadyCondition(true, suspension.Reason, suspension.Message)
	}
	return base.ReadyCondition(true, v1alpha1.ReasonValid, "the account may be used")
}
