package operation

import (
	"context"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// Account returns the call's account, from memory: read it only.
func (s *Core) Account(ctx context.Context, c *Call) (*v1alpha1.Account, error) {
	account, err := s.Accounts.Account(ctx, c.Principal.Account)
	if err != nil {
		return nil, problem.MarkUnreachable(err)
	}
	if account == nil {
		// The account was deleted while its key was still cached.
		return nil, problem.Unauthorized()
	}
	return account, nil
}

// AccountLimits returns the limits of the call's account.
func (s *Core) AccountLimits(ctx context.Context, c *Call) (v1alpha1.AccountLimits, error) {
	account, err := s.Account(ctx, c)
	if err != nil {
		return v1alpha1.AccountLimits{}, err
	}
	return account.Spec.Limits, nil
}
