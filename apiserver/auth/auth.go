// Package auth finds out who a credential belongs to. It reads the informers' cache and asks kube-apiserver only about
// credentials whose id the cache does not have yet (docs/contributing/design.md, Credentials).
package auth

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/internal/grant"
)

// ErrUnauthorized is the answer to every credential that opens nothing. It never says why.
var ErrUnauthorized = errors.New("unauthorized")

// Principal is who a credential belongs to, and what it opens.
type Principal struct {
	// ID of the credential.
	ID string
	// KeyUID is the metadata.uid of the API key that it is, or that a person has signed in with: another key can have its id later.
	KeyUID types.UID
	// Account that it belongs to.
	Account string
	// Name under which a review is recorded; never empty.
	Name string
	// Scopes that it carries.
	Scopes []v1alpha1.Scope
	// Workspaces that it is limited to; empty for all of the account.
	Workspaces []string
	// Client is the name of the OAuthClient that the credential was given to; empty for an API key.
	Client string
	// ExpiresAt is when the credential ends; the zero time if it does not.
	ExpiresAt time.Time
	// CreditsPerDay is how many credits the API key that it is, or that a person has signed in with or gave a grant with, may take in a UTC
	// day; nil without a limit. LimitedKey is the id of that key, and empty without a limit.
	CreditsPerDay *int32
	LimitedKey    string
}

// Has reports whether the credential carries a scope.
func (p Principal) Has(s v1alpha1.Scope) bool { return slices.Contains(p.Scopes, s) }

// Opens reports whether the credential opens a workspace of its account.
func (p Principal) Opens(workspace string) bool {
	return len(p.Workspaces) == 0 || slices.Contains(p.Workspaces, workspace)
}

// Creator is the principal as the maker of an object: an API key, or a person who was signed in with OpenID Connect; nil for the token of
// a client, which ends with its grant.
func (p Principal) Creator() *v1alpha1.CreatorReference {
	if p.Client != "" {
		return nil
	}
	id, byKey := grant.KeyOf(p.ID)
	if byKey || credential.IsID(p.ID) {
		return &v1alpha1.CreatorReference{Kind: v1alpha1.CreatorAPIKey, Name: id}
	}
	return &v1alpha1.CreatorReference{Kind: v1alpha1.CreatorUser, Name: p.ID}
}

// Actor is the principal as articles record who has created and changed them (v1alpha1.CreatedByAnnotation). It has no display name, which
// can change.
func (p Principal) Actor() string {
	switch by := p.Creator(); {
	case by == nil:
		return p.Name
	case by.Kind == v1alpha1.CreatorAPIKey:
		return grant.PersonOfKey(by.Name)
	default:
		return by.Name
	}
}

// Authenticator finds the principals of credentials. Its methods may be called from any goroutine.
type Authenticator struct {
	Lookup *Lookup
	// Clock ends keys and tokens at their time.
	Clock clock.PassiveClock
	// Used is called with each grant whose token was accepted, within the request: it must not block. It may be nil.
	Used func(*v1alpha1.OAuthGrant)
}

// Authenticate returns the principal of a credential, or ErrUnauthorized, or an error that wraps ErrUnavailable.
func (a *Authenticator) Authenticate(ctx context.Context, given string) (Principal, error) {
	c, err := credential.Parse(given)
	if err != nil {
		return Principal{}, ErrUnauthorized
	}
	switch c.Type {
	case credential.APIKey:
		return a.apiKey(ctx, c)
	case credential.AccessToken:
		return a.accessToken(ctx, c)
	default:
		return Principal{}, ErrUnauthorized
	}
}

// Known reports whether the cache has the API key that a credential names, so that nobody need ask kube-apiserver.
func (a *Authenticator) Known(ctx context.Context, key credential.Credential) bool {
	return a.Lookup.cache.Get(ctx, client.ObjectKey{Name: key.ID}, &v1alpha1.APIKey{}, client.UnsafeDisableDeepCopy) == nil
}

func (a *Authenticator) apiKey(ctx context.Context, c credential.Credential) (Principal, error) {
	key, err := a.Lookup.Key(ctx, c.ID)
	if err != nil {
		return Principal{}, err
	}
	hash := ""
	if key != nil {
		hash = key.Spec.SecretHash
	}
	if !c.Matches(hash) {
		return Principal{}, ErrUnauthorized
	}
	account, err := a.Lookup.Account(ctx, key.Spec.AccountRef.Name)
	if err != nil {
		return Principal{}, err
	}
	if opens, err := a.Lookup.Opens(ctx, key, key.UID, account); err != nil || !opens {
		return Principal{}, cmp.Or(err, ErrUnauthorized)
	}
	return keyPrincipal(key), nil
}

// KeyValid reports whether an API key has neither expired nor is being deleted.
func KeyValid(key *v1alpha1.APIKey, now time.Time) bool {
	expired := key.Spec.ExpirationTime != nil && !now.Before(key.Spec.ExpirationTime.Time)
	return !expired && key.DeletionTimestamp.IsZero()
}

// keyPrincipal copies out of the key, which is shared with the cache.
func keyPrincipal(key *v1alpha1.APIKey) Principal {
	p := Principal{
		ID: key.Name, KeyUID: key.UID, Account: key.Spec.AccountRef.Name, Name: NameOfKey(key),
		Scopes: slices.Clone(key.Spec.Scopes), Workspaces: slices.Clone(key.Spec.Workspaces),
		ExpiresAt: ptr.Deref(key.Spec.ExpirationTime, v1alpha1.Time{}).Time,
	}
	p.limit(key.Name, key.Spec.Limits.CreditsPerDay)
	return p
}

// limit sets how many credits a key may take in a day, for which nil is any number.
func (p *Principal) limit(key string, creditsPerDay *int32) {
	if creditsPerDay != nil {
		p.CreditsPerDay, p.LimitedKey = new(*creditsPerDay), key
	}
}

// NameOfKey returns the name under which reviews with an API key are recorded. It ends with the id, which only this key has: a display
// name can be that of a person or of another key.
func NameOfKey(key *v1alpha1.APIKey) string {
	id := grant.PersonOfKey(key.Name)
	name := content.Label(key.Spec.DisplayName)
	if name == "" {
		return id
	}
	return name + " (" + id + ")"
}

// Scopes returns all scopes in their order, from the least to the most.
func Scopes() []v1alpha1.Scope { return append(grant.Scopes(), v1alpha1.ScopeManage) }

// SortScopes returns the known scopes among some, in their order and each once.
func SortScopes(scopes []v1alpha1.Scope) []v1alpha1.Scope {
	return slices.DeleteFunc(Scopes(), func(s v1alpha1.Scope) bool { return !slices.Contains(scopes, s) })
}
