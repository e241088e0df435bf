// Package grant says what an OAuth grant opens now. A person can grant what they hold, for as long as they hold it: a grant ends
// with the API key or the membership that it was given with, and never opens more than those do.
package grant

import (
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// keyPrefix begins the person of a grant that was given with an API key. No e-mail address begins with it.
const keyPrefix = "api-key:"

// PersonOfKey returns the person of grants that are given with an API key.
func PersonOfKey(id string) string { return keyPrefix + id }

// KeyOf returns the id of the API key that a person has signed in with, and false for a member of an account.
func KeyOf(person string) (id string, ok bool) { return strings.CutPrefix(person, keyPrefix) }

// PersonBehind returns who stands behind a name under which a decision is recorded: an API key counts once under all its display names, and
// a person once for themselves and all their apps. It is for comparing names, not for people.
func PersonBehind(name string) string {
	if id, ok := strings.CutSuffix(name, ")"); ok {
		if at := strings.LastIndex(id, " ("+PersonOfKey("")); at >= 0 {
			return id[at+len(" ("):]
		}
		if at := strings.LastIndex(id, " (app "); at >= 0 {
			return id[:at]
		}
	}
	return name
}

// Scopes returns the scopes that can be granted, from the least to the most. Manage is not among them: with it a client could make
// itself keys, which outlive its grant.
func Scopes() []v1alpha1.Scope {
	return []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove}
}

// Giver has the present rights of the person or key that gave a grant.
type Giver struct {
	// Account that the grant gives access to; nil if there is none, or if it is being deleted.
	Account *v1alpha1.Account
	// Key that the grant was given with; nil if there is none, if it is being deleted, or if a member gave the grant.
	Key *v1alpha1.APIKey
}

// Rights are the rights that a grant gives.
type Rights struct {
	Scopes []v1alpha1.Scope
	// Workspaces that the grant is limited to; empty for all of the account.
	Workspaces []string
	// CreditsPerDay is how many credits the key that gave the grant may take in a UTC day; nil without a limit.
	CreditsPerDay *int32
}

// Of returns what a grant opens now, and true; or false and the reason for which it has ended. Rights without scopes open nothing,
// but the grant has not ended: the key or the member may get the scopes back. Whether the token of the grant has expired, was
// revoked, or belongs to a client that exists is not part of it.
func Of(g *v1alpha1.OAuthGrant, giver Giver) (rights Rights, reason string, valid bool) {
	if giver.Account == nil || !g.BelongsTo(giver.Account) {
		return Rights{}, v1alpha1.ReasonAccountNotFound, false
	}
	id, byKey := KeyOf(g.Spec.Person)
	if !byKey {
		held, _ := MemberScopes(giver.Account, g.Spec.Person, g.Spec.Groups)
		if len(held) == 0 {
			return Rights{}, v1alpha1.ReasonMembershipEnded, false
		}
		return narrow(g, Rights{Scopes: held}), "", true
	}
	// An expired key ends nothing: tokens last 365 days (docs/reference/contract.md, Limits).
	if k := giver.Key; k == nil || k.Name != id || !g.GivenWith(k) || !k.BelongsTo(giver.Account) {
		return Rights{}, v1alpha1.ReasonKeyRevoked, false
	}
	return narrow(g, Rights{
		Scopes: giver.Key.Spec.Scopes, Workspaces: giver.Key.Spec.Workspaces, CreditsPerDay: giver.Key.Spec.Limits.CreditsPerDay,
	}), "", true
}

// narrow returns the rights that both a grant and its giver have. It shares no memory with either.
func narrow(g *v1alpha1.OAuthGrant, held Rights) Rights {
	out := Rights{Scopes: both(both(g.Spec.Scopes, Scopes()), held.Scopes)}
	if held.CreditsPerDay != nil {
		out.CreditsPerDay = new(*held.CreditsPerDay)
	}
	switch {
	case len(held.Workspaces) == 0:
		out.Workspaces = slices.Clone(g.Spec.Workspaces)
	case len(g.Spec.Workspaces) == 0:
		out.Workspaces = slices.Clone(held.Workspaces)
	default:
		// An empty list would mean all workspaces.
		if out.Workspaces = both(g.Spec.Workspaces, held.Workspaces); len(out.Workspaces) == 0 {
			return Rights{}
		}
	}
	return out
}

func both[T comparable](a, b []T) []T {
	return slices.DeleteFunc(slices.Clone(a), func(x T) bool { return !slices.Contains(b, x) })
}

// MemberScopes returns the scopes that an account gives to an address and its groups, which may repeat, and which of the groups it
// names, each once. Upper and lower case of an address are the same: that of members is lower.
func MemberScopes(account *v1alpha1.Account, email string, groups []string) (scopes []v1alpha1.Scope, named []string) {
	user := strings.ToLower(email)
	for _, m := range account.Spec.Members {
		switch {
		case m.Kind == v1alpha1.MemberUser && m.Name == user:
		case m.Kind == v1alpha1.MemberGroup && slices.Contains(groups, m.Name):
			named = append(named, m.Name)
		default:
			continue
		}
		scopes = append(scopes, m.Scopes...)
	}
	return scopes, named
}
