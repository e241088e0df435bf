package consent

import (
	"net/url"
	"strings"
	"unicode"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// explanation says a scope in plain words.
type explanation struct {
	Scope v1alpha1.Scope
	// Name over OAuth.
	Name string
	// Title and Text for people.
	Title, Text string
}

// explained holds all scopes, from the least to the most.
var explained = []explanation{
	{v1alpha1.ScopeRead, "read", "Read your sites and articles", "See your sites, and all articles with their texts, drafts included."},
	{v1alpha1.ScopeWrite, "write", "Write and publish articles",
		"Generate articles, which uses credits. Edit, publish what has been approved, archive and delete."},
	{v1alpha1.ScopeApprove, "approve", "Approve and reject articles in your name",
		"Decide in your place that a text may be published."},
}

// shown returns a name that an app or an account gave itself, without what could make it look like something else:
// control characters, marks that change the direction of writing, and invisible letters.
func shown(name string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs), r == unicode.ReplacementChar:
			return -1
		default:
			return r
		}
	}, name)
	if clean = strings.Join(strings.Fields(clean), " "); clean == "" {
		return "An app without a name"
	}
	return clean
}

// destination says in words where a redirect URI leads.
func destination(uri string) string {
	u, err := url.Parse(uri)
	if err != nil {
		return uri
	}
	if u.Scheme == "http" {
		return "a program on your own computer (" + u.Host + ")"
	}
	return u.Host
}
