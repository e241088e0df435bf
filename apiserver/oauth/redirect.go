package oauth

import (
	"errors"
	"regexp"
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// ErrRedirect means that a client has not registered a redirect URI, or that no client may. Nobody may be sent there.
var ErrRedirect = errors.New("the redirect URI is not registered")

var (
	// redirectForm is also the pattern of the CRD. It is checked again, because objects may be older than the schema.
	redirectForm = regexp.MustCompile(
		`^(https://[A-Za-z0-9.:\[\]-]+|http://(127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?)([/?][^\x00-\x20"#\\\x7f-\x{10ffff}]*)?$`)
	// loopback splits a redirect URI on the loopback interface into the part before the port, the port, and the rest.
	loopback = regexp.MustCompile(`^(http://(?:127\.0\.0\.1|\[::1\]))(:[0-9]{1,5})?([/?].*)?$`)
)

// CheckRedirect returns ErrRedirect if a client may not send people to a redirect URI. URIs are compared byte for byte. If the client
// has opted in, a URI on the loopback interface may have any port (RFC 8252, section 7.3).
func CheckRedirect(client *v1alpha1.OAuthClient, redirectURI string) error {
	if !redirectForm.MatchString(redirectURI) {
		return ErrRedirect
	}
	if slices.Contains(client.Spec.RedirectURIs, redirectURI) {
		return nil
	}
	if client.Spec.LoopbackPort != v1alpha1.LoopbackPortAny {
		return ErrRedirect
	}
	for _, registered := range client.Spec.RedirectURIs {
		if portless(registered) == portless(redirectURI) {
			return nil
		}
	}
	return ErrRedirect
}

// portless returns a redirect URI on the loopback interface without its port, and any other as it is.
func portless(uri string) string { return loopback.ReplaceAllString(uri, "$1$3") }
