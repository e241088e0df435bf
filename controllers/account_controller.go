package controllers

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

const (
	// confirmInterval is how long charges are gathered before they are confirmed in one write.
	confirmInterval = 10 * time.Second
	// orphanAge is how long a charge waits for its Article before it is returned.
	orphanAge = 10 * time.Minute
)

// AccountReconciler confirms the ledger's pending charges, returns those whose Article was never created, and forgets the
// refunds that their Article records.
type AccountReconciler struct {
	Base
	// Ledger changes an account's usage.
	Ledger *ledger.Charger
}

// Reconcile updates the account's condition, and its ledger if an entry is old enough.
func (r *AccountReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	account := &v1alpha1.Account{}
	if err := r.Client.Get(ctx, req.NamespacedName, account); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.restore(ctx, account); err != nil {
		return ignoreConflict(ctrl.Result{}, err)
	}
	if err := r.ready(ctx, account); err != nil {
		return ignoreConflict(ctrl.Result{}, err)
	}
	usage := &account.Status.Usage
	if len(usage.Pending)+len(usage.Refunded) == 0 {
		return ctrl.Result{}, nil
	}
	if wait := confirmInterval - r.Clock.Since(oldest(usage)); wait > 0 && len(usage.Pending) > 0 && len(usage.Refunded) == 0 {
		return ctrl.Result{RequeueAfter: wait}, nil
	}
	changes, err := r.changes(ctx, usage)
	if err != nil {
		return ctrl.Result{}, err
	}
	if !changes.empty() {
		err = r.Ledger.Apply(ctx, account.Name, changes.apply)
	}
	return ctrl.Result{RequeueAfter: confirmInterval}, client.IgnoreNotFound(err)
}

// ready sets the condition Ready. It is written once for each generation.
func (r *AccountReconciler) ready(ctx context.Context, account *v1alpha1.Account) error {
	return r.saveConditions(ctx, account, &account.Status.Conditions, &account.Status.ObservedGeneration,
		accountReady(account))
}

// oldest returns the time of the oldest pending charge.
func oldest(u *v1alpha1.AccountUsage) time.Time {
	var at time.Time
	for i := range u.Pending {
		if at.IsZero() || u.Pending[i].At.Time.Before(at) {
			at = u.Pending[i].At.Time
		}
	}
	return at
}

// ledgerChanges are the changes of one write, by run.
type ledgerChanges struct {
	// confirmed runs are recorded by their Articles.
	confirmed []string
	// orphaned runs have no Article.
	orphaned []string
	// recorded runs are refunds that their Articles record.
	recorded []string
}

func (c ledgerChanges) empty() bool { return len(c.confirmed)+len(c.orphaned)+len(c.recorded) == 0 }

func (c ledgerChanges) apply(u *v1alpha1.AccountUsage) error {
	ledger.ConfirmCharges(u, c.confirmed...)
	for _, run := range c.orphaned {
		ledger.Return(u, run)
	}
	ledger.Forget(u, c.recorded...)
	return nil
}

// changes compares the ledger with the articles that it names.
func (r *AccountReconciler) changes(ctx context.Context, u *v1alpha1.AccountUsage) (ledgerChanges, error) {
	var c ledgerChanges
	for i := range u.Pending {
		p := &u.Pending[i]
		article, err := r.article(ctx, p.Workspace, p.Article, r.Clock.Since(p.At.Time) >= orphanAge)
		if err != nil {
			return c, err
		}
		switch {
		case article == nil && r.Clock.Since(p.At.Time) >= orphanAge:
			c.orphaned = append(c.orphaned, p.Run)
		case article != nil && recordsRun(article, p.Run) && !ledger.CountsInMinute(u, *p, r.Clock.Now()):
			c.confirmed = append(c.confirmed, p.Run)
		}
	}
	for i := range u.Refunded {
		f := &u.Refunded[i]
		article, err := r.article(ctx, f.Workspace, f.Article, true)
		if err != nil {
			return c, err
		}
		if article == nil || recordsRefund(article, f.Run) {
			c.recorded = append(c.recorded, f.Run)
		}
	}
	return c, nil
}

// article reads an article from the cache and, if sure is set and the cache has none, from kube-apiserver.
func (r *AccountReconciler) article(ctx context.Context, namespace, name string, sure bool) (*v1alpha1.Article, error) {
	key, article := types.NamespacedName{Namespace: namespace, Name: name}, &v1alpha1.Article{}
	err := r.Client.Get(ctx, key, article)
	if apierrors.IsNotFound(err) && sure {
		err = r.Live.Get(ctx, key, article)
	}
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading article %s: %w", key, err)
	}
	return article, nil
}

// recordsRun reports whether an article's status names the run or a later one, and so records its charge.
func recordsRun(a *v1alpha1.Article, run string) bool {
	g := a.Status.Generation
	return g != nil && (g.ID == run || g.Number > runNumber(run))
}

// recordsRefund reports whether an article's status says that the run was refunded, or names another run.
func recordsRefund(a *v1alpha1.Article, run string) bool {
	g := a.Status.Generation
	return g == nil || g.ID != run || g.Charge == v1alpha1.Refunded
}

// runNumber returns the number at the end of a run's id.
func runNumber(run string) int64 {
	n, err := strconv.ParseInt(run[strings.LastIndexByte(run, '-')+1:], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// SetupWithManager registers the controller.
func (r *AccountReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).Named("account").For(&v1alpha1.Account{}).Complete(r)
}
