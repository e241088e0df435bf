package ledger

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// TakeOver gives a charge to the Article that was created for it, and reports whether the Article has it now. It reports false if the
// charge is no longer pending, or belongs to another Article.
func TakeOver(u *v1alpha1.AccountLedgerSpec, charge v1alpha1.PendingCharge, articleUID string) bool {
	taken := charge
	taken.ArticleUID = articleUID
	for i, p := range u.Pending {
		switch {
		case same(p, taken):
			return true
		case p.ArticleUID == "" && same(p, charge):
			u.Pending = slices.Clone(u.Pending)
			u.Pending[i].ArticleUID = articleUID
			return true
		}
	}
	return false
}

// ConfirmCharges makes charges final: their Articles record them now, or are deleted. It ignores charges that are not pending, or
// belong to another Article now.
func ConfirmCharges(u *v1alpha1.AccountLedgerSpec, charges ...v1alpha1.PendingCharge) {
	u.Pending = slices.DeleteFunc(slices.Clone(u.Pending), func(p v1alpha1.PendingCharge) bool {
		return slices.ContainsFunc(charges, func(c v1alpha1.PendingCharge) bool { return same(p, c) })
	})
}

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
	minusOne(u, types.NamespacedName{Namespace: p.Workspace, Name: p.Site}, p.Time.Time)
	if m := slices.IndexFunc(u.RecentCallTimes, func(t metav1.MicroTime) bool { return t.Equal(&p.Time) }); m >= 0 {
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

// same reports whether two charges are of one run of one Article. The ids of runs are unique in a workspace among the Articles that
// exist: runs of an earlier Article of the same name had the same ids.
func same(a, b v1alpha1.PendingCharge) bool {
	return a.Workspace == b.Workspace && a.Run == b.Run && a.ArticleUID == b.ArticleUID
}

func returnCredit(u *v1alpha1.AccountLedgerSpec) {
	u.CreditsUsed = max(u.CreditsUsed-1, 0)
}
