package ledger

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// ConfirmCharges makes charges final: their Articles record them now. Runs that are not pending are ignored.
func ConfirmCharges(u *v1alpha1.AccountUsage, runs ...string) {
	u.Pending = slices.DeleteFunc(u.Pending, func(p v1alpha1.PendingCharge) bool { return slices.Contains(runs, p.Run) })
}

// Return undoes a charge whose Article was never created: the credit, the day's count and the call of the minute. A run that
// is not pending is ignored, so that each charge is returned once.
func Return(u *v1alpha1.AccountUsage, run string) {
	i := slices.IndexFunc(u.Pending, func(p v1alpha1.PendingCharge) bool { return p.Run == run })
	if i < 0 {
		return
	}
	p := u.Pending[i]
	u.Pending = slices.Delete(u.Pending, i, i+1)
	returnCredit(u)
	minusOne(u, p.Site, p.At.Time)
	if m := slices.IndexFunc(u.Minute, func(t metav1.MicroTime) bool { return t.Equal(&p.At) }); m >= 0 {
		u.Minute = slices.Delete(u.Minute, m, m+1)
	}
}

// Refund gives back the credits of failed runs and nothing else: the site's article of the day stays counted. It records the
// refunds until Forget, so that each run is refunded once. It returns an error, and changes nothing, if it cannot record them.
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
		// Otherwise the charge could be returned as well.
		ConfirmCharges(u, r.Run)
		returnCredit(u)
	}
	u.Refunded = append(u.Refunded, due...)
	return nil
}

// Forget drops the refunds that their Articles record.
func Forget(u *v1alpha1.AccountUsage, runs ...string) {
	u.Refunded = slices.DeleteFunc(u.Refunded, func(r v1alpha1.RefundedCharge) bool { return slices.Contains(runs, r.Run) })
}

func hasRun(refunds []v1alpha1.RefundedCharge, run string) bool {
	return slices.ContainsFunc(refunds, func(r v1alpha1.RefundedCharge) bool { return r.Run == run })
}

func returnCredit(u *v1alpha1.AccountUsage) {
	u.CreditsUsed = max(u.CreditsUsed-1, 0)
}
