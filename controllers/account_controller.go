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
	// settleInterval is how long charges are gathered before they are confirmed in one write.
	settleInterval = 10 * time.Second
	// orphanAge is how long a charge waits for its Article before it is given back.
	orphanAge = 10 * time.Minute
)

// AccountReconciler confirms the ledger's pending charges, gives back those whose Article never came, and forgets refunds
// that their Article records.
type AccountReconciler struct {
	Base
	// Ledger changes an account's usage.
	Ledger *ledger.Charger
}

// Reconcile settles an account's ledger where something in it is old enough.
func (r *AccountReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	account := &v1alpha1.Account{}
	if err := r.Client.Get(ctx, req.NamespacedName, account); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.ready(ctx, account); err != nil {
		return ignoreConflict(ctrl.Result{}, err)
	}
	usage := &account.Status.Usage
	if len(usage.Pending)+len(usage.Refunded) == 0 {
		return ctrl.Result{}, nil
	}
	if wait := settleInterval - r.Clock.Since(oldest(usage)); wait > 0 && len(usage.Pending) > 0 && len(usage.Refunded) == 0 {
		return ctrl.Result{RequeueAfter: wait}, nil
	}
	changes, err := r.changes(ctx, usage)
	if err != nil {
		return ctrl.Result{}, err
	}
	if !changes.empty() {
		err = r.Ledger.Apply(ctx, account.Name, changes.apply)
	}
	return ctrl.Result{RequeueAfter: settleInterval}, client.IgnoreNotFound(err)
}

// ready says that the account may be used; it is written once for each generation.
func (r *AccountReconciler) ready(ctx context.Context, account *v1alpha1.Account) error {
	return r.saveConditions(ctx, account, &account.Status.Conditions, &account.Status.ObservedGeneration,
		readyCondition(true, v1alpha1.ReasonValid, "the account may be used"))
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

// ledgerChanges is what one write does to a ledger.
type ledgerChanges struct {
	confirmed []string
	orphaned  []string
	recorded  []string
}

func (c ledgerChanges) empty() bool { return len(c.confirmed)+len(c.orphaned)+len(c.recorded) == 0 }

func (c ledgerChanges) apply(u *v1alpha1.AccountUsage) error {
	ledger.Settle(u, c.confirmed...)
	for _, run := range c.orphaned {
		ledger.Return(u, run)
	}
	ledger.Forget(u, c.recorded...)
	return nil
}

// changes looks at each article that the ledger waits for.
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
		case article != nil && tookOver(article, p.Run) && !ledger.CountsInMinute(u, *p, r.Clock.Now()):
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

// article reads an article from the cache, and live where its absence is to be relied on.
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

// tookOver reports whether an article's status holds the run, or a later one: its charge is recorded there.
func tookOver(a *v1alpha1.Article, run string) bool {
	g := a.Status.Generation
	return g != nil && (g.ID == run || g.Number > runNumber(run))
}

func recordsRefund(a *v1alpha1.Article, run string) bool {
	g := a.Status.Generation
	return g == nil || g.ID != run || g.Charge == v1alpha1.Refunded
}

// runNumber reads the number at the end of a run's id.
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
