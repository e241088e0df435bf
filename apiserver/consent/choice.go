package consent

import (
	"net/url"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
)

// maxWorkspaces is the most that a grant takes.
const maxWorkspaces = 100

// The fields of the consent form.
const (
	fieldScope     = "scope"
	fieldReach     = "reach"
	fieldWorkspace = "workspace"
)

// choice holds the ticks of a consent form.
type choice struct {
	scopes []v1alpha1.Scope
	// all means all workspaces of the account, future ones included.
	all        bool
	workspaces []string
}

// choiceIn reads a form. It knows only the scopes that exist.
func choiceIn(form url.Values) choice {
	scopes, _ := oauth.ScopesOf(form[fieldScope])
	return choice{scopes: scopes, all: form.Get(fieldReach) == "all", workspaces: form[fieldWorkspace]}
}

// values is the form that choiceIn reads as this choice.
func (ch choice) values() url.Values {
	form := url.Values{
		fieldScope: strings.Fields(oauth.ScopeText(ch.scopes)), fieldReach: {"some"}, fieldWorkspace: ch.workspaces,
	}
	if ch.all {
		form.Set(fieldReach, "all")
	}
	return form
}

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
