package sites

import (
	"cmp"
	"slices"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// cmsTypes returns the types of CMS, with what a site of each needs.
func cmsTypes(v *page.Visit) ([]restsite.CMSForm, error) {
	list, err := page.Call(v, restsite.ListCMSTypes, struct{}{})
	return list.Body.Data, err
}

// cmsType returns the type of CMS of a name; nil if there is none.
func cmsType[T ~string](types []restsite.CMSForm, name T) *restsite.CMSForm {
	for i := range types {
		if string(types[i].CMSType) == string(name) {
			return &types[i]
		}
	}
	return nil
}

// fieldView is a field of a form. Values of secrets are never shown again, but for a login name while the form is not right.
type fieldView struct {
	restsite.CMSField

	ID, Value, Problem string
	// Was is the setting as it was seen; nil in forms of connections.
	Was *seenField
}

// shownSecrets are the fields that a Secret stores and that are no secrets, by their names: a person who types a login name sees it.
var shownSecrets = []string{"username", "client_id"}

// Kind is the type of the input: text, password, or url.
func (f fieldView) Kind() string {
	switch {
	case f.Secret && !slices.Contains(shownSecrets, f.Name):
		return "password"
	case f.Name == "url":
		return "url"
	default:
		return "text"
	}
}

// Hint says what must be entered.
func (f fieldView) Hint() string { return cmp.Or(page.Words.Options[f.Name].Hint, f.Help) }

// Word is a value of the field in words.
func (f fieldView) Word(option string) string {
	return cmp.Or(page.Words.Options[f.Name].Values[option], option)
}

// connectionPrefix begins the names of the fields of a connection in a form, and in the problems of an operation.
const connectionPrefix = "connection."

func connectionFields(form *restsite.CMSForm, values, problems map[string]string) []fieldView {
	fields := make([]fieldView, 0, len(form.Fields))
	for _, f := range form.Fields {
		view := fieldView{CMSField: f, ID: connectionPrefix + f.Name, Problem: problems[connectionPrefix+f.Name]}
		if view.Kind() != "password" {
			view.Value = values[f.Name]
		}
		fields = append(fields, view)
	}
	return fields
}

// siteForm is the data of the forms of a site: what was typed, and what is wrong with it.
type siteForm struct {
	page.FormProblems

	// Site as it is now; nil for a new one.
	Site *restsite.SiteAnswer
	// Seen has the type and the connection that the form of the connection was shown with.
	Seen restsite.ExpectedSite
	// Types can be chosen, and Type is the one of the form; nil while it is to be chosen.
	Types  []restsite.CMSForm
	Type   *restsite.CMSForm
	Fields []fieldView
	// Domain and Name of a new site as they were typed, and when its form was shown.
	Domain, Name, Shown string
	// Brief of a site's articles.
	Brief page.BriefSelect
	// MayApprove means that the person may change who approves.
	MayApprove bool
	// typed are the texts that somebody has changed in the form of voice and policies, by the names of their fields.
	typed map[string]string
}

// Typed is what a field shows: what somebody has typed, otherwise what the site has now. Who sends the form again changes no more than
// that.
func (f siteForm) Typed(name, now string) string {
	if typed, ok := f.typed[name]; ok {
		return typed
	}
	return now
}

// seenField is the hidden field with what another one was shown with.
type seenField struct{ Name, Value string }

// Was is what somebody who sends the form has seen of a setting: what the site has now, if the page says so.
func (f siteForm) Was(name, now string) seenField {
	name = "expected." + name
	return seenField{name, f.Typed(name, now)}
}

// Text is a field of the form of voice and policies.
func (f siteForm) Text(id, label, now string, most int, hint string) fieldView {
	field := restsite.CMSField{Name: id, Label: label, Help: hint, MaxLength: most, Required: id == "domain"}
	return fieldView{CMSField: field, ID: id, Value: f.Typed(id, now), Problem: f.Problems[id], Was: new(f.Was(id, now))}
}
