// Package auth says who a credential belongs to. It asks the informers' cache and, only where that does not know the
// credential's id yet, the API server (design, section 4).
package auth

import (
	"context"
	"errors"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/lookup"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

var (
	// ErrUnauthorized is the answer to every credential that does not open anything. It never says why.
	ErrUnauthorized = errors.New("unauthorized")
	// ErrUnavailable says that nothing is known of the credential, because the API server could not be asked.
	ErrUnavailable = lookup.ErrUnavailable
)

// dummyHash is compared with where there is no key, so that this takes as long. No secret is known to have it.
const dummyHash = "0000000000000000000000000000000000000000000000000000000000000000"

// Principal is who a credential belongs to, and what it opens.
type Principal struct {
	// ID of the credential.
	ID string
	// Account that it belongs to.
	Account string
	// Name under which a review is recorded; never empty.
	Name string
	// Scopes that it carries.
	Scopes []v1alpha1.Scope
	// Workspaces that it is limited to; empty for all of the account.
	Workspaces []string
	// App is the name of the OAuthClient that the credential was given to; empty for an API key.
	App string
}

// Has reports whether the credential carries a scope.
func (p Principal) Has(s v1alpha1.Scope) bool { return slices.Contains(p.Scopes, s) }

// Opens reports whether the credential opens a workspace of its account.
func (p Principal) Opens(workspace string) bool {
	return len(p.Workspaces) == 0 || slices.Contains(p.Workspaces, workspace)
}

// Options say where an Authenticator finds what it needs.
type Options struct {
	// Cache reads what the informers have seen.
	Cache client.Reader
	// Live reads from the API server.
	Live client.Reader
	// Namespace is the system namespace, in which API keys live.
	Namespace string
	// Clock ends keys at their time.
	Clock clock.PassiveClock
	// Used is told of grants whose token let somebody in, in the request's way: it must not wait. Nil for nobody.
	Used func(*v1alpha1.OAuthGrant)
}

// Authenticator finds the principals of credentials. Its methods may be called from any goroutine.
type Authenticator struct {
	namespace string
	clock     clock.PassiveClock
	lookup    *lookup.Lookup
	used      func(*v1alpha1.OAuthGrant)
	informed
}

// New returns an Authenticator. Register makes its cache hold what it needs before the first request.
func New(o Options) *Authenticator {
	return &Authenticator{
		namespace: o.Namespace, clock: o.Clock, used: o.Used,
		lookup: lookup.New(lookup.Options{Cache: o.Cache, Live: o.Live, Clock: o.Clock}),
	}
}

// Authenticate returns the principal of a credential, or ErrUnauthorized, or an error that ErrUnavailable is in.
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

func (a *Authenticator) apiKey(ctx context.Context, c credential.Credential) (Principal, error) {
	found, err := a.lookup.Get(ctx, client.ObjectKey{Namespace: a.namespace, Name: c.ID}, &v1alpha1.APIKey{})
	if err != nil {
		return Principal{}, err
	}
	key, ok := found.(*v1alpha1.APIKey)
	hash := dummyHash
	if ok {
		hash = key.Spec.SecretHash
	}
	if !c.Matches(hash) || !ok || !a.valid(key) {
		return Principal{}, ErrUnauthorized
	}
	if err := a.owned(ctx, key.Spec.AccountRef.Name); err != nil {
		return Principal{}, err
	}
	return principal(key), nil
}

// valid reports whether the key is neither over nor on its way out.
func (a *Authenticator) valid(key *v1alpha1.APIKey) bool {
	over := key.Spec.ExpiresAt != nil && !a.clock.Now().Before(key.Spec.ExpiresAt.Time)
	return !over && key.DeletionTimestamp.IsZero()
}

// owned returns ErrUnauthorized where the account does not exist, or not for long.
func (a *Authenticator) owned(ctx context.Context, account string) error {
	found, err := a.lookup.Get(ctx, client.ObjectKey{Name: account}, accountMetadata())
	if err != nil {
		return err
	}
	if found == nil || !found.GetDeletionTimestamp().IsZero() {
		return ErrUnauthorized
	}
	return nil
}

// accountMetadata is the form in which accounts are held: only that they exist matters here, and their ledgers are large
// and change all the time.
func accountMetadata() *metav1.PartialObjectMetadata {
	m := &metav1.PartialObjectMetadata{}
	m.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Account"))
	return m
}

// principal copies out of the key, which is shared with the cache.
func principal(key *v1alpha1.APIKey) Principal {
	name := key.Spec.DisplayName
	if name == "" {
		name = "api-key:" + key.Name
	}
	return Principal{
		ID: key.Name, Account: key.Spec.AccountRef.Name, Name: name,
		Scopes: slices.Clone(key.Spec.Scopes), Workspaces: slices.Clone(key.Spec.Workspaces),
	}
}
