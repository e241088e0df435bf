package ledger

import (
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Known returns a *LimitError if an account has limited credits and its usage was lost: nothing may be charged then.
func Known(a *v1alpha1.Account) error {
	if a.Spec.Credits != nil && v1alpha1.Restored(a) {
		return &LimitError{Code: UsageUnknown}
	}
	return nil
}

// reserve takes a credit of an account whose usage is known.
func reserve(a *v1alpha1.Account, c Charge, now time.Time) error {
	if err := Known(a); err != nil {
		return err
	}
	return Reserve(&a.Status.Usage, a.Spec, c, now)
}
