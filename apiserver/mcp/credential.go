package mcp

import (
	"net/http"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// The header fields of which one carries the credential: an API key or an access token.
const (
	authorizationHeader = "Authorization"
	keyCredentialHeader = "X-Api-Key" //nolint:gosec // The name of a header field.
	bearerScheme        = "Bearer"
)

// credentialOf returns the credential of a request; empty if it has none. Clients of the protocol send Authorization, and those of the REST
// API x-api-key. A request with two credentials is refused: it would depend on the server whose rights it has.
func credentialOf(h http.Header) (string, *problem.APIError) {
	keys, authorizations := h.Values(keyCredentialHeader), h.Values(authorizationHeader)
	switch {
	case len(keys) > 1:
		return "", refusedHeader("x-api-key", "must not come twice")
	case len(authorizations) > 1:
		return "", refusedHeader(authorizationHeader, "must not come twice")
	case len(keys) > 0 && len(authorizations) > 0:
		return "", refusedHeader(authorizationHeader, "must not come together with x-api-key: send one credential")
	case len(keys) == 1:
		return keys[0], nil
	case len(authorizations) == 0:
		return "", nil
	}
	// The name of a scheme is the same in upper and lower case (RFC 9110, section 11.1).
	scheme, token, _ := strings.Cut(authorizations[0], " ")
	if !strings.EqualFold(scheme, bearerScheme) {
		return "", refusedHeader(authorizationHeader, "must be Bearer, a space, and an API key or an access token")
	}
	return strings.TrimLeft(token, " "), nil
}

func refusedHeader(name, message string) *problem.APIError {
	return problem.Invalid(problem.ErrorDetail{Field: name, Message: message})
}

// challenge is the value of WWW-Authenticate in a 401: where a client reads how it gets a token (RFC 9728, section 5.1). A credential that
// was given and does not work is named as RFC 6750, section 3.1, does.
func challenge(base, given string) string {
	params := []string{`realm="Pressroom"`}
	if base != "" {
		params = []string{`resource_metadata="` + base + metadataPath + `"`}
	}
	if given != "" {
		params = append(params, `error="invalid_token"`)
	}
	return bearerScheme + " " + strings.Join(params, ", ")
}
