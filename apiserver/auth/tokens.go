package auth

import (
	"context"
	"slices"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// accessToken returns the principal of a token: its grant must be valid, and its client and its account must still exist.
func (a *Authenticator) accessToken(ctx context.Context, c credential.Credential) (Principal, error) {
	grant, err := a.grant(ctx, c)
	if err != nil {
		return Principal{}, err
	}
	hash := ""
	if grant != nil {
		hash = grant.Status.TokenHash
	}
	if !c.Matches(hash) || !TokenValid(grant, a.clock.Now()) {
		return Principal{}, ErrUnauthorized
	}
	if err := a.requireClient(ctx, grant); err != nil {
		return Principal{}, err
	}
	if err := a.requireAccount(ctx, grant.Spec.AccountRef.Name); err != nil {
		return Principal{}, err
	}
	if a.used != nil {
		a.used(grant)
	}
	return tokenPrincipal(grant), nil
}

// grant returns the grant of a token, or nil if there is none. If the cached copy predates the exchange of its code, another
// replica may have exchanged it a moment ago: then kube-apiserver is asked.
func (a *Authenticator) grant(ctx context.Context, c credential.Credential) (*v1alpha1.OAuthGrant, error) {
	grant, err := a.lookup.Grant(ctx, c.ID)
	if err != nil || grant == nil || grant.Status.TokenHash != "" || grant.Status.RevokedAt != nil {
		return grant, err
	}
	// The version is the token's own, so that a made-up token never hides the real one.
	return a.lookup.RefreshGrant(ctx, c.ID, c.Hash(), func(g *v1alpha1.OAuthGrant) bool { return c.Matches(g.Status.TokenHash) })
}

// TokenValid reports whether the token of a grant was issued, and has neither expired nor been revoked. Whether client and
// account still exist is not part of it.
func TokenValid(grant *v1alpha1.OAuthGrant, now time.Time) bool {
	s := grant.Status
	return s.RedeemedAt != nil && s.RevokedAt == nil && grant.DeletionTimestamp.IsZero() &&
		s.TokenExpiresAt != nil && now.Before(s.TokenExpiresAt.Time)
}

// requireClient returns ErrUnauthorized if the client that the grant was given to does not exist, or is another one of the same
// name.
func (a *Authenticator) requireClient(ctx context.Context, grant *v1alpha1.OAuthGrant) error {
	found, err := a.lookup.Client(ctx, grant.Spec.ClientRef.Name)
	if err != nil {
		return err
	}
	if found == nil || !found.DeletionTimestamp.IsZero() || !grant.GivenTo(found) {
		return ErrUnauthorized
	}
	return nil
}

// tokenPrincipal copies out of the grant, which is shared with the cache. Its name, under which reviews are recorded, holds the
// person and the client's object name, which only the installation gives.
func tokenPrincipal(grant *v1alpha1.OAuthGrant) Principal {
	client := grant.Spec.ClientRef.Name
	return Principal{
		ID: grant.Name, Account: grant.Spec.AccountRef.Name, Name: grant.Spec.Person + " (app " + client + ")", Client: client,
		Scopes: slices.Clone(grant.Spec.Scopes), Workspaces: slices.Clone(grant.Spec.Workspaces),
		ExpiresAt: grant.Status.TokenExpiresAt.Time,
	}
}
