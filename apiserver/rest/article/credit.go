package article

import (
	"context"
	"errors"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// credit is one of the day's credits of an API key that has a limit, for a run that a change of an article asks for. The controller charges
// the account for the run, and does not know the key. The credit of a run that fails stays counted.
type credit struct {
	*Articles

	account string
	charge  ledger.Charge
	// taken is when the credit was taken; zero if it was not. A change that conflicts with another one is made again, and takes no other.
	taken time.Time
}

func (s *Articles) creditOf(c *operation.Call) *credit {
	return &credit{
		Articles: s, account: c.Principal.Account, charge: ledger.Charge{Key: c.Principal.LimitedKey, KeyLimit: c.Principal.CreditsPerDay},
	}
}

// take counts the credit once. It returns the error of the limit.
func (k *credit) take(ctx context.Context) error {
	if k.charge.KeyLimit == nil || !k.taken.IsZero() {
		return nil
	}
	now := k.Clock.Now()
	err := k.ledger.Apply(ctx, k.account, func(u *v1alpha1.AccountLedgerSpec) error { return ledger.CountKey(u, k.charge, now) })
	if err == nil {
		k.taken = now
	}
	return problem.FromLedger(err)
}

// giveBack counts the credit no more if the change was refused. If it may have been made, the credit stays taken.
func (k *credit) giveBack(ctx context.Context, refused error) {
	_, here := errors.AsType[*problem.APIError](refused)
	byKubernetes := problem.StatusOf(refused) != nil && !problem.IsUnavailable(refused)
	if k.taken.IsZero() || !here && !byKubernetes {
		return
	}
	err := k.ledger.Apply(context.WithoutCancel(ctx), k.account, func(u *v1alpha1.AccountLedgerSpec) error {
		ledger.UncountKey(u, k.charge, k.taken)
		return nil
	})
	if err != nil {
		k.Log.Info("a credit of a key stays counted for a change that was refused", "key", k.charge.Key, "error", err.Error())
	}
}
