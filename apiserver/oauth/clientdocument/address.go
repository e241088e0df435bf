// Package clientdocument reads Client ID Metadata Documents (draft-ietf-oauth-client-id-metadata-document): a client that nobody has
// registered has the https URL of a document as its client id, and the document describes it.
package clientdocument

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// MaxURL is the most bytes of a client id that is a URL. The caches of the facade hold an annotation of that length as it is.
const MaxURL = 128

// urlForm is that of a client id: in lower case up to the path, which it must have, and without user information, query, fragment and
// escapes. A client has therefore one spelling, and a name that is not ASCII is shown as it is looked up (xn--).
var urlForm = regexp.MustCompile(`^https://([a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(:[1-9][0-9]{0,4})?(/[A-Za-z0-9._~!$'()*+,;=:@-]*)+$`)

// IsURL reports whether a client id is the URL of a document. It looks nothing up.
func IsURL(clientID string) bool {
	if len(clientID) > MaxURL || !urlForm.MatchString(clientID) {
		return false
	}
	u, err := url.Parse(clientID)
	if err != nil || u.Port() == "443" {
		return false
	}
	return !slices.ContainsFunc(strings.Split(u.Path, "/"), func(segment string) bool { return segment == "." || segment == ".." })
}

// Host returns the host of a client id that is a URL, with its port if it names one. It is all that is known for sure of who runs the
// client.
func Host(clientID string) string {
	u, err := url.Parse(clientID)
	if err != nil {
		return clientID
	}
	return u.Host
}
