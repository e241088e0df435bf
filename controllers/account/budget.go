package account

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// BudgetState says how much of a budget is used.
type BudgetState string

// The states of budgets, as the metric has them.
const (
	// BudgetUnder is less than 80 percent.
	BudgetUnder BudgetState = "under"
	// BudgetNear is 80 percent and more.
	BudgetNear BudgetState = "near"
	// BudgetReached is a budget that is used up.
	BudgetReached BudgetState = "reached"
)

// nearPercent is how much of a budget is used when people are told so for the first time, and reachedPercent when it is used up.
const (
	nearPercent    = 80
	reachedPercent = 100
)

func stateOf(usedPercent int32) BudgetState {
	switch {
	case usedPercent >= reachedPercent:
		return BudgetReached
	case usedPercent >= nearPercent:
		return BudgetNear
	default:
		return BudgetUnder
	}
}

// Budgets returns how many accounts have a budget in a state.
func (r *Reconciler) Budgets(state BudgetState) (n int) {
	r.budgets.Range(func(_, of any) bool {
		if of == state {
			n++
		}
		return true
	})
	return n
}

// showBudget brings status.budget up to date, at most once a minute. It returns when that is due, next or earlier, and the percentage that
// an Event is to announce once status is written; 0 for none. l is nil if there is no ledger.
func (r *Reconciler) showBudget(account *v1alpha1.Account, l *v1alpha1.AccountLedger, next time.Duration) (time.Duration, int32) {
	status, budget := &account.Status, account.Spec.Budget
	if budget == nil {
		r.budgets.Delete(account.Name)
		status.Budget = nil
		return next, 0
	}
	if l == nil {
		return next, 0
	}
	left := ledger.BudgetLeft(&l.Spec, budget, ledger.Held{}, r.Clock.Now())
	r.budgets.Store(account.Name, stateOf(left.UsedPercent))
	is := v1alpha1.AccountBudgetUsage{MonthUsage: *left.Used.DeepCopy(), UsedPercent: left.UsedPercent}
	if was := status.Budget; was != nil && was.Month == is.Month {
		is.AnnouncedPercent = was.AnnouncedPercent
	}
	var announce int32
	for _, percent := range []int32{nearPercent, reachedPercent} {
		if is.UsedPercent >= percent && is.AnnouncedPercent < percent {
			announce, is.AnnouncedPercent = percent, percent
		}
	}
	if status.Budget != nil && equality.Semantic.DeepEqual(*status.Budget, is) {
		return next, 0
	}
	if at, ok := r.shown.Load(account.Name); ok && announce == 0 {
		last, _ := at.(time.Time)
		if due := usedInterval - r.Clock.Since(last); due > 0 {
			return sooner(next, due), 0
		}
	}
	r.shown.Store(account.Name, r.Clock.Now())
	status.Budget = &is
	return next, announce
}

// announceBudget makes a Kubernetes Event about how much of a budget is used; none for 0.
func (r *Reconciler) announceBudget(account *v1alpha1.Account, percent int32) {
	switch percent {
	case nearPercent:
		r.Recorder.Eventf(account, nil, corev1.EventTypeNormal, base.ReasonBudgetNear, "Generate",
			"%d percent of the budget of %s are used", nearPercent, account.Status.Budget.Month)
	case reachedPercent:
		r.Recorder.Eventf(account, nil, corev1.EventTypeWarning, v1alpha1.ReasonBudgetReached, "Generate",
			"the budget of %s is used up: runs wait for the next month, UTC", account.Status.Budget.Month)
	}
}
