package oauth

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// maxSecrets is the number of secrets that an app may have at a time.
const maxSecrets = 2

// claim is who an app says it is.
type claim struct {
	clientID, secret string
	// header says that it came in the header Authorization.
	header bool
}

// readClaim reads who asks: from the body or from the header Authorization, but not from both (RFC 6749, section 2.3).
func readClaim(r *http.Request, p params) (claim, error) {
	body := claim{clientID: p["client_id"], secret: p["client_secret"]}
	headers := r.Header.Values("Authorization")
	if p["client_assertion"] != "" || p["client_assertion_type"] != "" {
		return claim{}, invalidClient(len(headers) > 0)
	}
	switch {
	case len(headers) == 0:
		return body, nil
	case len(headers) > 1:
		return claim{}, invalidRequest("the header Authorization may not come twice")
	case body.secret != "":
		return claim{}, invalidRequest("the client may authenticate by the header or by the body, not by both")
	}
	header, err := basic(r)
	if err != nil {
		return claim{}, err
	}
	if body.clientID != "" && body.clientID != header.clientID {
		return claim{}, invalidRequest("client_id must be the client of the header Authorization")
	}
	return header, nil
}

// basic reads the header Authorization. Both parts are form-encoded in it (RFC 6749, section 2.3.1).
func basic(r *http.Request) (claim, error) {
	user, password, ok := r.BasicAuth()
	if !ok {
		return claim{}, invalidClient(true)
	}
	clientID, err := url.QueryUnescape(user)
	if err != nil {
		return claim{}, invalidClient(true)
	}
	secret, err := url.QueryUnescape(password)
	if err != nil {
		return claim{}, invalidClient(true)
	}
	return claim{clientID: clientID, secret: secret, header: true}, nil
}

// caller is the app that asks.
type caller struct {
	*v1alpha1.OAuthClient
	// header says that it told who it is in the header Authorization.
	header bool
}

// authenticate returns the app that asks. A public one has nothing to prove it with, and may not try.
func (s *Server) authenticate(ctx context.Context, r *http.Request, p params) (*caller, error) {
	who, err := readClaim(r, p)
	if err != nil {
		return nil, err
	}
	app, err := s.clients.Get(ctx, who.clientID)
	if err != nil && !errors.Is(err, ErrUnknownClient) {
		return nil, err
	}
	if !proven(app, who.secret) {
		app, err = s.clients.refreshForSecret(ctx, app, who.secret)
	}
	switch {
	case errors.Is(err, ErrUnknownClient):
		return nil, invalidClient(who.header)
	case err != nil:
		return nil, err
	}
	return &caller{app, who.header}, nil
}

// proven compares a secret with those of an app. It compares as often for an app that does not exist.
func proven(app *v1alpha1.OAuthClient, secret string) bool {
	c, err := credential.Parse(secret)
	matched := 0
	for i := range maxSecrets {
		hash := ""
		if app != nil && i < len(app.Spec.SecretHashes) {
			hash = app.Spec.SecretHashes[i]
		}
		if c.Matches(hash) {
			matched++
		}
	}
	switch {
	case app == nil:
		return false
	case app.Spec.Type == v1alpha1.OAuthClientPublic:
		return strings.TrimSpace(secret) == ""
	default:
		return err == nil && c.Type == credential.ClientSecret && matched > 0
	}
}
