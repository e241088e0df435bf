package oauth

import (
	"context"
	"net/http"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

const (
	grantTypeCode = "authorization_code"
	tokenType     = "Bearer"
)

// TokenAnswer is the answer to the exchange of a code (docs/reference/contract.md, Token).
type TokenAnswer struct {
	AccessToken string `json:"access_token" doc:"Sent in the header x-api-key, as an API key is."`
	TokenType   string `json:"token_type" enum:"Bearer"`
	Scope       string `json:"scope" doc:"Scopes granted, separated by blanks." example:"read write"`
	ExpiresIn   int64  `json:"expires_in" doc:"Seconds that the token works: 365 days." example:"31536000"`
}

// token exchanges a code.
func (s *Server) token(ctx context.Context, client *v1alpha1.OAuthClient, p params) (any, error) {
	grantType, err := p.need("grant_type")
	if err != nil {
		return nil, err
	}
	if grantType != grantTypeCode {
		return nil, newError(http.StatusBadRequest, codeUnsupportedGrantType, "grant_type must be "+grantTypeCode)
	}
	if base, _ := s.Addresses(); !Serves(base, p.resources()) {
		return nil, invalidTarget()
	}
	e := exchange{verifier: p["code_verifier"]}
	if e.code, err = p.need("code"); err != nil {
		return nil, err
	}
	if e.redirectURI, err = p.need("redirect_uri"); err != nil {
		return nil, err
	}
	token, grant, err := s.Grants.redeem(ctx, client, e)
	if err != nil {
		return nil, err
	}
	return &TokenAnswer{
		AccessToken: token, TokenType: tokenType, Scope: ScopeText(grant.Spec.Scopes), ExpiresIn: int64(TokenLifetime / time.Second),
	}, nil
}

// revoke ends a token of the client (RFC 7009). A token that is unknown or has ended counts as revoked.
func (s *Server) revoke(ctx context.Context, client *v1alpha1.OAuthClient, p params) (any, error) {
	given, err := p.need("token")
	if err != nil {
		return nil, err
	}
	grant, err := s.Grants.byToken(ctx, given)
	if err != nil || grant == nil {
		return nil, err
	}
	if !grant.GivenTo(client) {
		return nil, newError(http.StatusBadRequest, codeUnauthorizedClient, "the token was issued to another client")
	}
	if err := s.Grants.revoke(ctx, grant); err != nil {
		return nil, err
	}
	s.Grants.AwaitRevoked(ctx, grant.Spec.AccountRef.Name, grant.Name)
	return nil, nil
}

// Introspection describes a token to its client (RFC 7662, section 2.2).
type Introspection struct {
	Active    bool   `json:"active"`
	Scope     string `json:"scope,omitempty"`
	ClientID  string `json:"client_id,omitempty"`
	Username  string `json:"username,omitempty" doc:"Who consented."`
	Subject   string `json:"sub,omitempty" doc:"The account."`
	TokenType string `json:"token_type,omitempty"`
	ExpiresAt int64  `json:"exp,omitempty"`
	IssuedAt  int64  `json:"iat,omitempty"`
	Issuer    string `json:"iss,omitempty"`
}

// introspect describes a token to its client. The token of another client is not active, like junk. Public clients are refused,
// because they cannot authenticate.
func (s *Server) introspect(ctx context.Context, client *v1alpha1.OAuthClient, p params) (any, error) {
	if client.Spec.Type == v1alpha1.OAuthClientPublic {
		return nil, invalidClient()
	}
	given, err := p.need("token")
	if err != nil {
		return nil, err
	}
	grant, err := s.Grants.byToken(ctx, given)
	if err != nil {
		return nil, err
	}
	if grant == nil || !grant.GivenTo(client) {
		return &Introspection{}, nil
	}
	rights, active, err := s.Grants.Clients.lookup.Rights(ctx, grant)
	if err != nil {
		return nil, err
	}
	if !active {
		return &Introspection{}, nil
	}
	base, _ := s.Addresses()
	return &Introspection{
		Active: true, Scope: ScopeText(rights.Scopes), ClientID: client.ClientID(), Username: grant.Spec.Person,
		Subject: grant.Spec.AccountRef.Name, TokenType: tokenType, ExpiresAt: grant.Status.TokenExpirationTime.Unix(),
		IssuedAt: grant.Status.RedemptionTime.Unix(), Issuer: base,
	}, nil
}

// isToken reports whether a token is that of a grant, which may be nil.
func isToken(grant *v1alpha1.OAuthGrant, token credential.Credential) bool {
	hash := ""
	if grant != nil {
		hash = grant.Status.TokenHash
	}
	return token.Matches(hash)
}
