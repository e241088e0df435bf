package ledger

import (
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Return undoes the charge of a run that no Article has taken over: the credit, the day's count and the call of the minute. A
// charge that is not pending, or has an Article, is ignored, so that each is returned once and deleting an Article returns
// nothing.
func Return(u *v1alpha1.AccountLedgerSpec, workspace, run string) {
	i := slices.IndexFunc(u.Pending, func(p v1alpha1.PendingCharge) bool {
		return p.ArticleUID == "" && p.Workspace == workspace && p.Run == run
	})
	if i < 0 {
		return
	}
	p := u.Pending[i]
	u.Pending = slices.Delete(u.Pending, i, i+1)
	returnCredit(u)
	minusOne(u, p)
	if m := slices.IndexFunc(u.RecentCallTimes, func(t v1alpha1.MicroTime) bool { return t.Equal(&p.Time) }); m >= 0 {
		u.RecentCallTimes = slices.Delete(u.RecentCallTimes, m, m+1)
	}
}

// Refund gives back the credit of a failed run and nothing else: the site's article of the day stays counted. It records the refund until
// Forget, so that each run is refunded once. It returns an error, and changes nothing, if it cannot record it.
func Refund(u *v1alpha1.AccountLedgerSpec, run v1alpha1.RefundedCharge) error {
	switch {
	case slices.Contains(u.Refunded, run):
		return nil
	case len(u.Refunded) >= MaxRefunded:
		return &LimitError{Code: Busy, RetryAfter: busyRetry}
	}
	ConfirmCharges(u, v1alpha1.PendingCharge{Run: run.Run, Workspace: run.Workspace, ArticleUID: run.ArticleUID})
	returnCredit(u)
	u.Refunded = append(u.Refunded, run)
	return nil
}

// Forget drops refunds that their Articles record, or whose Articles are deleted.
func Forget(u *v1alpha1.AccountLedgerSpec, refunds ...v1alpha1.RefundedCharge) {
	u.Refunded = slices.DeleteFunc(u.Refunded, func(r v1alpha1.RefundedCharge) bool { return slices.Contains(refunds, r) })
}

func returnCredit(u *v1alpha1.AccountLedgerSpec) {
	u.CreditsUsed = max(u.CreditsUsed-1, 0)
}
