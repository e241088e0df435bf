package consent

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/oauth/clientdocument"
)

// maxState bounds the state of a request, and maxCarried the query that is carried over a sign-in before it is checked, in bytes.
const maxState, maxCarried = 2 << 10, 8 << 10

// The parameters of an authorization request (RFC 6749, section 4.1.1, and RFC 7636, section 4.3).
const (
	paramClient          = "client_id"
	paramRedirect        = "redirect_uri"
	paramState           = "state"
	paramScope           = "scope"
	paramResponseType    = "response_type"
	paramResponseMode    = "response_mode"
	paramChallenge       = "code_challenge"
	paramChallengeMethod = "code_challenge_method"
	// paramResource may come more than once (RFC 8707, section 2).
	paramResource = "resource"
)

// request is an authorization request of a client.
type request struct {
	client      *v1alpha1.OAuthClient
	clientID    string
	redirectURI string
	// state is returned byte for byte.
	state string
	// scopes that are asked for and that the client may have, in their order.
	scopes    []v1alpha1.Scope
	challenge string
	// query asks for the same, with known parameters only: the pages carry it instead of an address of any length.
	query string
}

// refusal is the answer to a request that must not be redirected: nobody may be sent to an address that is not registered.
type refusal struct {
	status  int
	message string
}

func (r *refusal) Error() string { return r.message }

// fault is an error that is sent to the client by a redirect (RFC 6749, section 4.1.2.1).
type fault struct{ code, description string }

func (f *fault) Error() string { return f.code + ": " + f.description }

// The codes of faults.
const (
	codeInvalidRequest  = "invalid_request"
	codeInvalidScope    = "invalid_scope"
	codeInvalidTarget   = "invalid_target"
	codeAccessDenied    = "access_denied"
	codeUnsupportedType = "unsupported_response_type"
	codeUnavailable     = "temporarily_unavailable"
)

// parse reads a request from the query of its address and checks all of it that does not depend on the person. The document of a client is
// read for the person. With a fault it returns the request too, whose redirect URI the fault is sent to.
func (p *Pages) parse(ctx context.Context, query string, person login.Person) (*request, error) {
	params, malformed := parameters(query)
	r := &request{}
	if err := p.identify(ctx, params, person, r); err != nil {
		return nil, err
	}
	// Even a state that is too long is returned, so that the client knows what failed.
	r.state = params.Get(paramState)
	if malformed != nil {
		return r, &fault{codeInvalidRequest, "the query must be percent-encoded"}
	}
	if !oauth.Serves(p.Issuer(), named(params[paramResource])) {
		return r, &fault{codeInvalidTarget, "resource must be the address of the REST API or of its endpoint /mcp"}
	}
	err := r.read(params)
	return r, err
}

// named returns the values of a parameter that are not empty, since one without a value counts as absent (RFC 6749, section 3.1).
func named(values []string) []string {
	return slices.DeleteFunc(slices.Clone(values), func(value string) bool { return value == "" })
}

// identify finds the client and the redirect URI.
func (p *Pages) identify(ctx context.Context, params url.Values, person login.Person, r *request) error {
	id, ok := one(params, paramClient)
	if !ok {
		return &refusal{http.StatusBadRequest, "The request does not say which app it comes from."}
	}
	client, err := p.find(ctx, id, person)
	if err != nil {
		return err
	}
	redirect, ok := one(params, paramRedirect)
	if !ok {
		return &refusal{http.StatusBadRequest, "The request does not say where to send you back to."}
	}
	if err := oauth.CheckRedirect(client, redirect); err != nil {
		return &refusal{http.StatusBadRequest, "The request wants to send you to an address that the app has not registered."}
	}
	r.client, r.clientID, r.redirectURI = client, id, redirect
	return nil
}

// find returns the client of an id.
func (p *Pages) find(ctx context.Context, id string, person login.Person) (client *v1alpha1.OAuthClient, err error) {
	if p.Clients.HasDocument(id) {
		client, err = p.Clients.Open(ctx, id, person.Account, person.ID)
	} else {
		client, err = p.Clients.Get(ctx, id)
	}
	unusable, _ := errors.AsType[*clientdocument.Error](err)
	switch {
	case errors.Is(err, oauth.ErrUnknownClient):
		return nil, &refusal{http.StatusBadRequest, "No app is registered under the client ID of this request."}
	case errors.Is(err, oauth.ErrSuspended):
		return nil, &refusal{http.StatusForbidden, "The app of this request is turned off."}
	case errors.Is(err, oauth.ErrTooManyDocuments):
		return nil, &refusal{http.StatusTooManyRequests, "Too many apps are being looked up. Wait a minute, and start again."}
	case unusable != nil:
		return nil, &refusal{
			http.StatusBadRequest, "The app describes itself at " + clientdocument.Host(id) + ", and " + unusable.Error() + ".",
		}
	}
	return client, err
}

// carried is the query of a request whose client is not known yet, with known parameters only.
func carried(params url.Values) string {
	q := url.Values{}
	for _, name := range []string{
		paramClient, paramRedirect, paramState, paramScope, paramResponseType, paramResponseMode, paramChallenge, paramChallengeMethod,
		paramResource,
	} {
		if values := params[name]; len(values) > 0 {
			q[name] = values
		}
	}
	return q.Encode()
}

// read checks what is left, now that there is a client to send faults to.
func (r *request) read(params url.Values) error {
	for _, name := range []string{
		paramState, paramScope, paramResponseType, paramResponseMode, paramChallenge, paramChallengeMethod,
	} {
		if len(params[name]) > 1 {
			return &fault{codeInvalidRequest, name + " may be given once only"}
		}
	}
	if len(r.state) > maxState {
		return &fault{codeInvalidRequest, "state may have at most 2048 bytes"}
	}
	// Clients need not send a response_type (docs/reference/contract.md, Consent).
	if t := params.Get(paramResponseType); t != "" && t != "code" {
		return &fault{codeUnsupportedType, "response_type must be code"}
	}
	if m := params.Get(paramResponseMode); m != "" && m != "query" {
		return &fault{codeInvalidRequest, "response_mode must be query"}
	}
	if err := r.readChallenge(params.Get(paramChallenge), params.Get(paramChallengeMethod)); err != nil {
		return err
	}
	if err := r.readScope(params.Get(paramScope)); err != nil {
		return err
	}
	r.query = r.shorten(params)
	return nil
}

// path returns the path of the request's page.
func (r *request) path() string { return ConsentPath + "?" + r.query }

// shorten returns a query without unknown parameters and repeated scopes.
func (r *request) shorten(params url.Values) string {
	q := url.Values{paramClient: {r.clientID}, paramRedirect: {r.redirectURI}}
	for _, name := range []string{paramState, paramResponseType, paramResponseMode, paramChallenge, paramChallengeMethod} {
		if v := params.Get(name); v != "" {
			q.Set(name, v)
		}
	}
	if asked, _ := oauth.ScopesOf(strings.Fields(params.Get(paramScope))); len(asked) > 0 {
		q.Set(paramScope, oauth.ScopeText(asked))
	}
	return q.Encode()
}

func (r *request) readChallenge(challenge, method string) error {
	switch {
	case challenge == "" && method != "":
		return &fault{codeInvalidRequest, "code_challenge_method needs a code_challenge"}
	case challenge == "" && r.client.Spec.Type == v1alpha1.OAuthClientPublic:
		return &fault{codeInvalidRequest, "a public client must send a code_challenge"}
	case challenge == "":
		return nil
	case method != "S256":
		return &fault{codeInvalidRequest, "code_challenge_method must be S256"}
	case !oauth.ValidChallenge(challenge):
		return &fault{codeInvalidRequest, "code_challenge must be the base64url of a SHA-256"}
	}
	r.challenge = challenge
	return nil
}

// readScope takes what the client may have of what it asks for. If it asks for nothing, that is read and write.
func (r *request) readScope(scope string) error {
	names := strings.Fields(scope)
	if len(names) == 0 {
		names = []string{"read", "write"}
	}
	asked, known := oauth.ScopesOf(names)
	if !known {
		return &fault{codeInvalidScope, "scope must be of read, write and approve"}
	}
	r.scopes = slices.DeleteFunc(asked, func(s v1alpha1.Scope) bool { return !slices.Contains(r.client.Spec.Scopes, s) })
	if len(r.scopes) == 0 {
		return &fault{codeInvalidScope, "the app may not ask for any of these scopes"}
	}
	return nil
}

// answer returns the address that sends the person back with parameters. The registered query and the state stay as they
// are, byte for byte. Names and values come in pairs.
func (r *request) answer(issuer string, pairs ...string) string {
	var b strings.Builder
	b.WriteString(r.redirectURI)
	separator := "?"
	if _, query, ok := strings.Cut(r.redirectURI, "?"); ok {
		separator = "&"
		if query == "" || strings.HasSuffix(query, "&") {
			separator = ""
		}
	}
	if r.state != "" {
		pairs = append(pairs, paramState, r.state)
	}
	// It proves to the client which server has answered (RFC 9207).
	pairs = append(pairs, "iss", issuer)
	for i := 0; i+1 < len(pairs); i += 2 {
		b.WriteString(separator + pairs[i] + "=" + url.QueryEscape(pairs[i+1]))
		separator = "&"
	}
	return b.String()
}

// parameters splits a query. Unlike net/url it accepts a semicolon, since a state may hold one. The error says that something is
// malformed; the parameters that can be read are returned anyway, and a value that cannot be decoded is empty.
func parameters(query string) (params url.Values, malformed error) {
	params = url.Values{}
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(rawName)
		if err != nil {
			malformed = err
			continue
		}
		value, err := url.QueryUnescape(rawValue)
		malformed = cmp.Or(malformed, err)
		params[name] = append(params[name], value)
	}
	return params, malformed
}

// one returns the value of a parameter that must be there once.
func one(params url.Values, name string) (string, bool) {
	v := params[name]
	if len(v) != 1 {
		return "", false
	}
	return v[0], true
}
