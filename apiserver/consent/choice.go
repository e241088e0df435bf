package consent

import (
	"net/url"
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
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
	ch := choice{all: form.Get(fieldReach) == "all", workspaces: form[fieldWorkspace]}
	for _, e := range explained {
		if slices.Contains(form[fieldScope], e.Name) {
			ch.scopes = append(ch.scopes, e.Scope)
		}
	}
	return ch
}

// values is the form that choiceIn reads as this choice.
func (ch choice) values() url.Values {
	form := url.Values{fieldReach: {"some"}, fieldWorkspace: ch.workspaces}
	if ch.all {
		form.Set(fieldReach, "all")
	}
	for _, e := range explain(ch.scopes) {
		form.Add(fieldScope, e.Name)
	}
	return form
}
