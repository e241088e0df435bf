package oauth

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// maxSecrets is the most secrets that a client may have at a time.
const maxSecrets = 2

// claim is who a client says it is.
type claim struct{ clientID, secret string }

// readClaim reads who asks, from the body or from the header Authorization, but not from both (RFC 6749, section 2.3).
func readClaim(r *http.Request, p params) (claim, error) {
	body := claim{clientID: p["client_id"], secret: p["client_secret"]}
	headers := r.Header.Values("Authorization")
	if p["client_assertion"] != "" || p["client_assertion_type"] != "" {
		return claim{}, invalidClient()
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

// basic reads the header Authorization, in which both parts are form-encoded (RFC 6749, section 2.3.1).
func basic(r *http.Request) (claim, error) {
	user, password, ok := r.BasicAuth()
	if !ok {
		return claim{}, invalidClient()
	}
	clientID, err := url.QueryUnescape(user)
	if err != nil {
		return claim{}, invalidClient()
	}
	secret, err := url.QueryUnescape(password)
	if err != nil {
		return claim{}, invalidClient()
	}
	return claim{clientID: clientID, secret: secret}, nil
}

// authenticate returns the client that asks. A public client has no secret, and may not send one.
func (s *Server) authenticate(ctx context.Context, r *http.Request, p params) (*v1alpha1.OAuthClient, error) {
	who, err := readClaim(r, p)
	if err != nil {
		return nil, err
	}
	client, err := s.Grants.Clients.Get(ctx, who.clientID)
	switch {
	case errors.Is(err, ErrSuspended):
		return nil, invalidClient()
	case err != nil && !errors.Is(err, ErrUnknownClient):
		return nil, err
	}
	if !proven(client, who.secret, s.Clock.Now()) {
		client, err = s.Grants.Clients.refreshForSecret(ctx, client, who.secret, s.Clock.Now())
	}
	if errors.Is(err, ErrUnknownClient) {
		return nil, invalidClient()
	}
	return client, err
}

// proven reports whether a client is who it claims to be. It compares as many hashes for a client that does not exist.
func proven(client *v1alpha1.OAuthClient, secret string, now time.Time) bool {
	c, err := credential.Parse(secret)
	matched := 0
	for i := range maxSecrets {
		hash := ""
		if client != nil && i < len(client.Spec.Secrets) && client.Spec.Secrets[i].ValidAt(now) {
			hash = client.Spec.Secrets[i].Hash
		}
		if c.Matches(hash) {
			matched++
		}
	}
	switch {
	case client == nil:
		return false
	case client.Spec.Type == v1alpha1.OAuthClientPublic:
		return strings.TrimSpace(secret) == ""
	default:
		return err == nil && c.Type == credential.ClientSecret && matched > 0
	}
}
