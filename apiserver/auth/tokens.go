package auth

import (
	"context"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/internal/grant"
)

// accessToken returns the principal of a token: its grant must be valid, and its client, its account and its giver must still be
// what they were.
func (a *Authenticator) accessToken(ctx context.Context, c credential.Credential) (Principal, error) {
	found, err := a.grant(ctx, c)
	if err != nil {
		return Principal{}, err
	}
	hash := ""
	if found != nil {
		hash = found.Status.TokenHash
	}
	if !c.Matches(hash) {
		return Principal{}, ErrUnauthorized
	}
	rights, valid, err := a.Lookup.Rights(ctx, found)
	if err != nil {
		return Principal{}, err
	}
	if !valid {
		return Principal{}, ErrUnauthorized
	}
	if a.Used != nil {
		a.Used(found)
	}
	return tokenPrincipal(found, rights), nil
}

// grant returns the grant of a token, or nil if there is none. If the cached copy predates the exchange of its code, another
// replica may have exchanged it a moment ago: then kube-apiserver is asked.
func (a *Authenticator) grant(ctx context.Context, c credential.Credential) (*v1alpha1.OAuthGrant, error) {
	grant, err := a.Lookup.Grant(ctx, c.ID)
	if err != nil || grant == nil || grant.Status.TokenHash != "" || grant.Status.RevocationTime != nil {
		return grant, err
	}
	// The version is the token's own, so that a made-up token never hides the real one.
	return Refresh(ctx, a.Lookup, c.ID, c.Hash(), func(g *v1alpha1.OAuthGrant) bool { return c.Matches(g.Status.TokenHash) })
}

// TokenValid reports whether the token of a grant was issued, and has neither expired nor been revoked. Whether client and
// account still exist is not part of it.
func TokenValid(grant *v1alpha1.OAuthGrant, now time.Time) bool {
	s := grant.Status
	return s.RedemptionTime != nil && s.RevocationTime == nil && grant.DeletionTimestamp.IsZero() &&
		s.TokenExpirationTime != nil && now.Before(s.TokenExpirationTime.Time)
}

// tokenPrincipal copies out of the grant, which is shared with the cache. Its name, under which reviews are recorded, holds the
// person and the client's object name, which only the installation gives.
func tokenPrincipal(g *v1alpha1.OAuthGrant, rights grant.Rights) Principal {
	client := g.Spec.ClientRef.Name
	p := Principal{
		ID: g.Name, Account: g.Spec.AccountRef.Name, Name: g.Spec.Person + " (app " + client + ")", Client: client,
		Scopes: rights.Scopes, Workspaces: rights.Workspaces,
		ExpiresAt: g.Status.TokenExpirationTime.Time,
	}
	key, _ := grant.KeyOf(g.Spec.Person)
	p.limit(key, rights.CreditsPerDay)
	return p
}
