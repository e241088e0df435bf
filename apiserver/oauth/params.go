package oauth

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxBodyBytes bounds the body of a request. A valid one holds a redirect URI of 2 KiB and little else.
const maxBodyBytes = 16 << 10

// params are the parameters of a request. One without a value counts as absent (RFC 6749, section 3.2).
type params map[string]string

// paramResource may come more than once in a form (RFC 8707, section 2). Its values are joined by blanks, which a URI cannot have.
const paramResource = "resource"

// known are the parameters that are read. Others are ignored, as RFC 6749 demands, but may not come twice either.
var known = []string{
	"grant_type", "code", "redirect_uri", "client_id", "client_secret", "code_verifier", "token", "token_type_hint",
	"client_assertion", "client_assertion_type", paramResource,
}

// readParams reads a body, which is form-encoded as in RFC 6749, or JSON (docs/reference/contract.md, Token).
func readParams(r *http.Request) (params, error) {
	if r.URL.RawQuery != "" {
		return nil, invalidRequest("parameters belong in the body, not in the address")
	}
	if len(r.Header.Values("Content-Type")) > 1 {
		return nil, invalidRequest("the header Content-Type may not come twice")
	}
	media, err := mediaType(r.Header)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBodyBytes))
	if err != nil {
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			return nil, invalidRequest("the body must be at most 16 KiB")
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return nil, invalidRequest("the body did not arrive in time")
		}
		return nil, invalidRequest("the body could not be read")
	}
	if media == "application/json" {
		return fromJSON(body)
	}
	return fromForm(body)
}

// mediaType returns the type of a body, which is in UTF-8 and not compressed.
func mediaType(h http.Header) (string, error) {
	for _, coding := range h.Values("Content-Encoding") {
		if coding != "" && !strings.EqualFold(coding, "identity") {
			return "", invalidRequest("the body must not be compressed")
		}
	}
	media, parameters, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || (media != "application/x-www-form-urlencoded" && media != "application/json") {
		return "", invalidRequest("the Content-Type must be application/json or application/x-www-form-urlencoded")
	}
	if charset, given := parameters["charset"]; given && !strings.EqualFold(charset, "utf-8") && !strings.EqualFold(charset, "utf8") {
		return "", invalidRequest("the body must be in UTF-8")
	}
	return media, nil
}

func fromForm(body []byte) (params, error) {
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, invalidRequest("the body must be form-encoded")
	}
	p := params{}
	for name, all := range values {
		if len(all) > 1 && name != paramResource {
			return nil, invalidRequest("a parameter may not come twice")
		}
		if err := p.set(name, all...); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// fromJSON reads an object. Unlike encoding/json, the package refuses two members of the same name.
func fromJSON(body []byte) (params, error) {
	var members map[string]jsontext.Value
	err := json.Unmarshal(body, &members)
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return nil, invalidRequest("a parameter may not come twice")
	case err != nil || members == nil:
		return nil, invalidRequest("the body must be one JSON object")
	}
	p := params{}
	for name, value := range members {
		var text string
		if slices.Contains(known, name) && json.Unmarshal(value, &text) != nil {
			return nil, invalidRequest(name + " must be a string")
		}
		if err := p.set(name, text); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// set sets a parameter. Only resource may have several values.
func (p params) set(name string, values ...string) error {
	for _, value := range values {
		if !utf8.ValidString(value) {
			return invalidRequest("parameters must be UTF-8")
		}
		if name == paramResource && strings.Contains(value, " ") {
			return invalidTarget()
		}
	}
	values = slices.DeleteFunc(values, func(value string) bool { return value == "" })
	if slices.Contains(known, name) && len(values) > 0 {
		p[name] = strings.Join(values, " ")
	}
	return nil
}

// resources are the resources that a token is wanted for.
func (p params) resources() []string { return strings.Fields(p[paramResource]) }

// need returns a required parameter.
func (p params) need(name string) (string, error) {
	if p[name] == "" {
		return "", invalidRequest(name + " is required")
	}
	return p[name], nil
}

// ValidChallenge reports whether a code challenge has the form of method S256.
func ValidChallenge(challenge string) bool { return challengeForm.MatchString(challenge) }

var (
	// challengeForm is the base64url of 32 bytes (RFC 7636, section 4.2).
	challengeForm = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)
	// verifierForm is that of RFC 7636, section 4.1.
	verifierForm = regexp.MustCompile(`^[A-Za-z0-9._~-]{43,128}$`)
)

// proves reports whether a code verifier belongs to a challenge. A verifier without a challenge is refused, because an attacker may have
// removed the challenge from the request (RFC 9700, section 4.8.2).
func proves(verifier, challenge string) bool {
	if verifier == "" || challenge == "" {
		return verifier == challenge
	}
	sum := sha256.Sum256([]byte(verifier))
	want := base64.RawURLEncoding.EncodeToString(sum[:])
	return subtle.ConstantTimeCompare([]byte(want), []byte(challenge)) == 1 && verifierForm.MatchString(verifier)
}
