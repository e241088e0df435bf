package login

import (
	"context"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/internal/grant"
)

// maxEmail is the most that a grant takes as a person, in characters.
const maxEmail = 180

// Membership is an account that somebody is a member of.
type Membership struct {
	Account, AccountName string
	// Groups of the person that the account names.
	Groups []string
}

// Memberships returns the accounts that have an address, which the issuer has verified, or one of the groups as a member. They
// may lag behind a change by a moment: Find reads the account that somebody acts for.
func (d Directory) Memberships(ctx context.Context, email string, groups []string) ([]Membership, error) {
	var found []Membership
	if !validEmail(email) {
		return nil, nil
	}
	accounts, err := d.accountsOf(ctx, email, groups)
	if err != nil {
		return nil, err
	}
	for _, account := range accounts {
		scopes, named := rights(account, email, groups)
		if len(scopes) == 0 || !account.DeletionTimestamp.IsZero() {
			continue
		}
		p := personOf(account)
		found = append(found, Membership{Account: p.Account, AccountName: p.AccountName, Groups: named})
	}
	return found, nil
}

// rights returns the scopes that an account gives to an address and its groups, in their order, and which of the groups it names.
func rights(account *v1alpha1.Account, email string, groups []string) (scopes []v1alpha1.Scope, named []string) {
	scopes, named = grant.MemberScopes(account, email, groups)
	return auth.SortScopes(scopes), named
}

// validEmail accepts visible ASCII only: with other letters, two addresses may look the same, or become the same in lower case.
func validEmail(email string) bool {
	for _, c := range []byte(email) {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	local, domain, ok := strings.Cut(email, "@")
	return ok && local != "" && domain != "" && !strings.Contains(domain, "@") && len(email) <= maxEmail
}

func lower(email string) string { return strings.ToLower(email) }
