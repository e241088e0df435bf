package consent

import (
	"net/url"
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// explanation describes a scope for people.
type explanation struct {
	Scope v1alpha1.Scope
	// Name over OAuth.
	Name string
	// Title and Text for people.
	Title, Text string
}

// explained holds the scopes that a client can get, from the least to the most.
var explained = []explanation{
	{v1alpha1.ScopeRead, "read", "Read your sites and articles", "See your sites, and all articles with their texts, drafts included."},
	{v1alpha1.ScopeWrite, "write", "Write and publish articles",
		"Generate articles, which uses credits. Edit, publish what has been approved, archive and delete. " +
			"Have news of your articles sent to itself while it has access."},
	{v1alpha1.ScopeApprove, "approve", "Approve and reject articles in your name",
		"Decide in your place that a text may be published."},
}

// explain returns the explanations of some scopes, in their order.
func explain(scopes []v1alpha1.Scope) []explanation {
	return slices.DeleteFunc(slices.Clone(explained), func(e explanation) bool { return !slices.Contains(scopes, e.Scope) })
}

// destination describes for people where a redirect URI leads.
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
