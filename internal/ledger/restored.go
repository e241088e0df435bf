package ledger

import (
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// known returns a *LimitError if an account has limited credits and its usage was lost: nothing may be charged then.
func known(a *v1alpha1.Account) error {
	if a.Spec.Credits != nil && v1alpha1.Copied(a) {
		return &LimitError{Code: UsageUnknown}
	}
	return nil
}

// Check returns the error that Reserve would return for an account, and changes nothing.
func Check(a *v1alpha1.Account, c Charge, now time.Time) error { return reserve(a.DeepCopy(), c, now) }

// reserve takes a credit of an account whose usage is known.
func reserve(a *v1alpha1.Account, c Charge, now time.Time) error {
	if err := known(a); err != nil {
		return err
	}
	return Reserve(&a.Status.Usage, a.Spec, c, now)
}
