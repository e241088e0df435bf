package ledger

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Settle confirms charges: their Articles have taken them over. Runs that are not pending are passed over.
func Settle(u *v1alpha1.AccountUsage, runs ...string) {
	u.Pending = slices.DeleteFunc(u.Pending, func(p v1alpha1.PendingCharge) bool { return slices.Contains(runs, p.Run) })
}

// Return undoes a charge that no Article took over, as if it had never been: the credit, the day's count and the call of
// the minute. What is not pending is not given back, so that it happens once.
func Return(u *v1alpha1.AccountUsage, run string) {
	i := slices.IndexFunc(u.Pending, func(p v1alpha1.PendingCharge) bool { return p.Run == run })
	if i < 0 {
		return
	}
	p := u.Pending[i]
	u.Pending = slices.Delete(u.Pending, i, i+1)
	giveBack(u)
	minusOne(u, p.Site, p.At.Time)
	if m := slices.IndexFunc(u.Minute, func(t metav1.MicroTime) bool { return t.Equal(&p.At) }); m >= 0 {
		u.Minute = slices.Delete(u.Minute, m, m+1)
	}
}

// Refund gives back the credits of runs that failed, and nothing else: the site's article of the day stays counted. It
// remembers them until Forget, so that each is refunded once; an error says that it can remember no more and that nothing
// was given back.
func Refund(u *v1alpha1.AccountUsage, runs ...v1alpha1.RefundedCharge) error {
	var due []v1alpha1.RefundedCharge
	for _, r := range runs {
		if !hasRun(u.Refunded, r.Run) && !hasRun(due, r.Run) {
			due = append(due, r)
		}
	}
	if len(u.Refunded)+len(due) > MaxRefunded {
		return &LimitError{Code: Busy, RetryAfter: busyRetry}
	}
	for _, r := range due {
		// Confirmed late: were it left pending, it could be returned as well.
		Settle(u, r.Run)
		giveBack(u)
	}
	u.Refunded = append(u.Refunded, due...)
	return nil
}

// Forget drops refunds that their Articles record by now.
func Forget(u *v1alpha1.AccountUsage, runs ...string) {
	u.Refunded = slices.DeleteFunc(u.Refunded, func(r v1alpha1.RefundedCharge) bool { return slices.Contains(runs, r.Run) })
}

func hasRun(refunds []v1alpha1.RefundedCharge, run string) bool {
	return slices.ContainsFunc(refunds, func(r v1alpha1.RefundedCharge) bool { return r.Run == run })
}

func giveBack(u *v1alpha1.AccountUsage) {
	u.CreditsUsed = max(u.CreditsUsed-1, 0)
}
