package login

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/internal/grant"
)

// maxEmail is the most that a grant takes as a person, in characters.
const maxEmail = 180

// Membership is an account of which a person is a member.
type Membership struct {
	Account, AccountName string
	// Groups of the person that the account names.
	Groups []string
}

// Memberships returns the accounts that have an address, which the issuer has verified, or one of the groups as a member. They
// may lag behind a change by a moment: Find reads the account that the person acts for.
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

// rights returns the scopes that an account grants to an e-mail address and its groups, sorted, and which of the groups it names.
func rights(account *v1alpha1.Account, email string, groups []string) (scopes []v1alpha1.Scope, named []string) {
	scopes, named = grant.MemberScopes(account, email, groups)
	return auth.SortScopes(scopes), named
}

// validEmail accepts visible ASCII only: with other letters, two addresses may look the same, or become the same in lower case.
func validEmail(email string) bool {
	local, domain, ok := strings.Cut(email, "@")
	hidden := strings.ContainsFunc(email, func(r rune) bool { return r <= ' ' || r > '~' })
	return ok && !hidden && local != "" && domain != "" && !strings.Contains(domain, "@") && len(email) <= maxEmail
}

// MembersIndex is the cache's index of accounts by their members.
const MembersIndex = "members"

// IndexMembers makes the index by which Memberships finds accounts, once for each cache: anybody whom the issuer knows may ask, and
// the cost depends on what they are a member of, not on how many accounts there are.
func IndexMembers(ctx context.Context, indexer client.FieldIndexer) error {
	if err := indexer.IndexField(ctx, &v1alpha1.Account{}, MembersIndex, MembersOf); err != nil {
		return fmt.Errorf("indexing the members of accounts: %w", err)
	}
	return nil
}

// MembersOf returns the values of MembersIndex for an account.
func MembersOf(o client.Object) []string {
	account, ok := o.(*v1alpha1.Account)
	if !ok {
		return nil
	}
	var values []string
	for _, m := range account.Spec.Members {
		values = append(values, memberValue(m.Kind, m.Name))
	}
	return values
}

func memberValue(kind v1alpha1.MemberKind, name string) string { return string(kind) + "/" + name }

// accountsOf returns the accounts that name an address or one of the groups as a member, by name. They are shared with the cache:
// read them only.
func (d Directory) accountsOf(ctx context.Context, email string, groups []string) ([]*v1alpha1.Account, error) {
	values := append(make([]string, 0, 1+len(groups)), memberValue(v1alpha1.MemberUser, strings.ToLower(email)))
	for _, group := range groups {
		values = append(values, memberValue(v1alpha1.MemberGroup, group))
	}
	var found []*v1alpha1.Account
	for _, value := range values {
		var accounts v1alpha1.AccountList
		err := d.Accounts.List(ctx, &accounts, client.MatchingFields{MembersIndex: value}, client.UnsafeDisableDeepCopy)
		if err != nil {
			return nil, fmt.Errorf("looking for accounts: %w", err)
		}
		for i := range accounts.Items {
			found = append(found, &accounts.Items[i])
		}
	}
	byName := func(a, b *v1alpha1.Account) int { return strings.Compare(a.Name, b.Name) }
	slices.SortFunc(found, byName)
	return slices.CompactFunc(found, func(a, b *v1alpha1.Account) bool { return a.Name == b.Name }), nil
}
