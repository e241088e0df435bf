package oauth

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// maxConflicts bounds how often an exchange is tried again because the grant's status was written at the same time. That is the
// controller writing conditions, or another exchange, whose mark the next try finds.
const maxConflicts = 10

// exchange holds the parameters with which a client asks for a token.
type exchange struct {
	code, redirectURI, verifier string
}

// redeem exchanges a code for a token. Everything is checked on the state that the compare-and-swap replaces, so a second valid use
// is always detected: by the mark of the first, or by the conflict with it.
func (g *Grants) redeem(ctx context.Context, oauthClient *v1alpha1.OAuthClient, e exchange) (string, *v1alpha1.OAuthGrant, error) {
	code, err := credential.Parse(e.code)
	if err != nil || code.Type != credential.AuthorizationCode {
		return "", nil, invalidGrant()
	}
	for range maxConflicts {
		grant, err := g.Clients.lookup.ReadGrant(ctx, code.ID, func(cached *v1alpha1.OAuthGrant) bool {
			return !code.Matches(cached.Spec.CodeHash)
		})
		if err != nil {
			return "", nil, err
		}
		if !g.permits(grant, oauthClient, code, e) {
			return "", nil, invalidGrant()
		}
		if grant.Status.RedemptionTime != nil {
			// A second use means that the code was stolen: what the first one gave ends (RFC 6749, section 4.1.2).
			return "", nil, cmp.Or[error](g.revoke(ctx, grant), invalidGrant())
		}
		token, err := g.swap(ctx, grant)
		if !apierrors.IsConflict(err) {
			return token, grant, err
		}
	}
	return "", nil, fmt.Errorf("the grant %s keeps changing: %w", code.ID, ErrUnavailable)
}

// permits reports whether an exchange is valid: code, client, redirect URI, age and PKCE. Whether the code was used before is not
// part of it.
func (g *Grants) permits(grant *v1alpha1.OAuthGrant, oauthClient *v1alpha1.OAuthClient, code credential.Credential, e exchange) bool {
	hash := ""
	if grant != nil {
		hash = grant.Spec.CodeHash
	}
	if !code.Matches(hash) {
		return false
	}
	public := oauthClient.Spec.Type == v1alpha1.OAuthClientPublic
	switch spec := grant.Spec; {
	case !grant.GivenTo(oauthClient):
	case spec.RedirectURI != e.redirectURI:
	// It may have been removed from the client since the consent.
	case CheckRedirect(oauthClient, e.redirectURI) != nil:
	case !g.store.Clock.Now().Before(spec.ExpirationTime.Time):
	case public && spec.CodeChallenge == "":
	case !proves(e.verifier, spec.CodeChallenge):
	default:
		return grant.DeletionTimestamp.IsZero() && grant.Status.RevocationTime == nil
	}
	return false
}

// swap writes the hash of a new token and the mark of the exchange, if the grant has not changed since it was read.
func (g *Grants) swap(ctx context.Context, grant *v1alpha1.OAuthGrant) (string, error) {
	token, err := credential.New(credential.AccessToken, g.store.Cell, rand.Reader)
	if err != nil {
		return "", fmt.Errorf("making a token: %w", err)
	}
	token.ID = grant.Name
	old, now := grant.DeepCopy(), g.store.Clock.Now()
	grant.Status.RedemptionTime = new(v1alpha1.NewMicroTime(now))
	grant.Status.TokenHash = token.Hash()
	grant.Status.TokenExpirationTime = new(v1alpha1.NewMicroTime(now.Add(TokenLifetime)))
	err = g.store.Client.Status().Patch(ctx, grant, client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{}))
	switch {
	case err == nil:
		return token.Reveal(), nil
	case apierrors.IsConflict(err):
		return "", err
	case apierrors.IsNotFound(err):
		return "", invalidGrant()
	default:
		return "", fmt.Errorf("exchanging the code: %w: %w", ErrUnavailable, err)
	}
}
