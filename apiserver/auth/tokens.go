package auth

import (
	"context"
	"slices"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// accessToken returns the principal of a token: its grant must have given it, and neither be revoked nor over, and its app
// and its account must still be there.
func (a *Authenticator) accessToken(ctx context.Context, c credential.Credential) (Principal, error) {
	grant, err := a.grant(ctx, c)
	if err != nil {
		return Principal{}, err
	}
	hash := dummyHash
	if grant != nil && grant.Status.TokenHash != "" {
		hash = grant.Status.TokenHash
	}
	if !c.Matches(hash) || grant == nil || !a.gives(grant) {
		return Principal{}, ErrUnauthorized
	}
	if err := a.granted(ctx, grant); err != nil {
		return Principal{}, err
	}
	if err := a.owned(ctx, grant.Spec.AccountRef.Name); err != nil {
		return Principal{}, err
	}
	if a.used != nil {
		a.used(grant)
	}
	return tokenPrincipal(grant), nil
}

// grant returns the grant that a token names, nil where there is none. Where the cache has it as it was before its code was
// exchanged, another replica may have done so a moment ago: the API server knows.
func (a *Authenticator) grant(ctx context.Context, c credential.Credential) (*v1alpha1.OAuthGrant, error) {
	key := client.ObjectKey{Namespace: a.namespace, Name: c.ID}
	found, err := a.lookup.Get(ctx, key, &v1alpha1.OAuthGrant{})
	if err != nil {
		return nil, err
	}
	grant, ok := found.(*v1alpha1.OAuthGrant)
	if !ok || grant.Status.TokenHash != "" || grant.Status.RevokedAt != nil {
		return grant, nil
	}
	// Remembered by the token, so that no made-up one hides the real one.
	found, err = a.lookup.Live(ctx, key, &v1alpha1.OAuthGrant{}, c.Hash(), func(o client.Object) bool {
		live, ok := o.(*v1alpha1.OAuthGrant)
		return ok && c.Matches(live.Status.TokenHash)
	})
	grant, _ = found.(*v1alpha1.OAuthGrant)
	return grant, err
}

// gives reports whether the token of a grant works, as far as the grant tells.
func (a *Authenticator) gives(grant *v1alpha1.OAuthGrant) bool {
	s := grant.Status
	return s.RevokedAt == nil && s.TokenExpiresAt != nil && a.clock.Now().Before(s.TokenExpiresAt.Time) &&
		grant.DeletionTimestamp.IsZero()
}

// granted returns ErrUnauthorized where the app that the grant was given to does not exist, or only another one of its name.
func (a *Authenticator) granted(ctx context.Context, grant *v1alpha1.OAuthGrant) error {
	key := client.ObjectKey{Namespace: a.namespace, Name: grant.Spec.ClientRef.Name}
	found, err := a.lookup.Get(ctx, key, &v1alpha1.OAuthClient{})
	if err != nil {
		return err
	}
	if found == nil || !found.GetDeletionTimestamp().IsZero() || !grant.GivenTo(found) {
		return ErrUnauthorized
	}
	return nil
}

// tokenPrincipal copies out of the grant, which is shared with the cache. A review names the person and, by the name that
// nobody but the installation gives, the app.
func tokenPrincipal(grant *v1alpha1.OAuthGrant) Principal {
	app := grant.Spec.ClientRef.Name
	return Principal{
		ID: grant.Name, Account: grant.Spec.AccountRef.Name, Name: grant.Spec.Person + " (app " + app + ")", App: app,
		Scopes: slices.Clone(grant.Spec.Scopes), Workspaces: slices.Clone(grant.Spec.Workspaces),
	}
}
