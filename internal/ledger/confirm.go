package ledger

import (
	"slices"

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

// same reports whether two charges are of one run of one Article. The ids of runs are unique in a workspace among the Articles that
// exist: runs of an earlier Article of the same name had the same ids.
func same(a, b v1alpha1.PendingCharge) bool {
	return a.Workspace == b.Workspace && a.Run == b.Run && a.ArticleUID == b.ArticleUID
}
