package oauth

import (
	"errors"
	"regexp"
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// ErrRedirect says that an app has not registered a redirect URI, or may not have one like it. Nobody may be sent there.
var ErrRedirect = errors.New("the redirect URI is not registered")

var (
	// redirectForm is what the CRD takes: it holds here too, because a schema may be older than an object.
	redirectForm = regexp.MustCompile(
		`^(https://[A-Za-z0-9.:\[\]-]+|http://(127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?)([/?][^\x00-\x20"#\\\x7f-\x{10ffff}]*)?$`)
	// loopback splits a redirect URI on the loopback interface into what is before the port, the port, and what follows.
	loopback = regexp.MustCompile(`^(http://(?:127\.0\.0\.1|\[::1\]))(:[0-9]{1,5})?([/?].*)?$`)
)

// CheckRedirect returns ErrRedirect where an app may not send people to a redirect URI. URIs are compared byte for byte;
// where the app has opted in, the port of one on the loopback interface may be any (RFC 8252, section 7.3).
func CheckRedirect(app *v1alpha1.OAuthClient, redirectURI string) error {
	if !redirectForm.MatchString(redirectURI) {
		return ErrRedirect
	}
	if slices.Contains(app.Spec.RedirectURIs, redirectURI) {
		return nil
	}
	if app.Spec.LoopbackPort != v1alpha1.LoopbackPortAny {
		return ErrRedirect
	}
	for _, registered := range app.Spec.RedirectURIs {
		if portless(registered) == portless(redirectURI) {
			return nil
		}
	}
	return ErrRedirect
}

// portless returns a redirect URI on the loopback interface without its port, and any other as it is.
func portless(uri string) string { return loopback.ReplaceAllString(uri, "$1$3") }
