package dashboard

import (
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// cmsTypes returns the types of CMS, with what a site of each needs.
func (v *visit) cmsTypes() ([]rest.CMSForm, error) {
	list, err := call[rest.CMSTypeList](v, rest.Request{Operation: "list-cms-types"})
	return list.Data, err
}

// cmsType returns the type of CMS of a name; nil if there is none.
func cmsType(types []rest.CMSForm, name string) *rest.CMSForm {
	for i := range types {
		if types[i].CMSType == name {
			return &types[i]
		}
	}
	return nil
}

// fieldView is a field of a form. Values of secrets are never shown.
type fieldView struct {
	rest.CMSField

	ID, Value, Problem string
}

// Kind is the type of the input: text, password, or url.
func (f fieldView) Kind() string {
	switch {
	case f.Secret:
		return "password"
	case f.Name == "url":
		return "url"
	default:
		return "text"
	}
}

// connectionPrefix begins the names of the fields of a connection in a form, and in the problems of an operation.
const connectionPrefix = "connection."

// connectionFields are the fields of a connection, with values and problems by name.
func connectionFields(form *rest.CMSForm, values, problems map[string]string) []fieldView {
	fields := make([]fieldView, 0, len(form.Fields))
	for _, f := range form.Fields {
		view := fieldView{CMSField: f, ID: connectionPrefix + f.Name, Problem: problems[connectionPrefix+f.Name]}
		if !f.Secret {
			view.Value = values[f.Name]
		}
		fields = append(fields, view)
	}
	return fields
}

// connectionOf returns what was typed into the fields of a connection. Empty ones are left out, unless they can remove a value.
func (v *visit) connectionOf(form *rest.CMSForm, withEmpty bool) rest.ConnectionFields {
	out := rest.ConnectionFields{}
	for _, f := range form.Fields {
		if value := v.form(connectionPrefix + f.Name); value != "" || (withEmpty && !f.Secret) {
			out[f.Name] = value
		}
	}
	return out
}

// siteForm is the data of the forms of a site: what was typed, and what is wrong with it.
type siteForm struct {
	Site *rest.SiteSettingsAnswer
	// Types can be chosen, and Type is the one of the form; nil while it is to be chosen.
	Types  []rest.CMSForm
	Type   *rest.CMSForm
	Fields []fieldView
	// Domain and Name as they were typed.
	Domain, Name string
	Problem      string
	Problems     map[string]string
	// MayApprove means that the person may change who approves.
	MayApprove bool
	Policies   policyView
}

// policyView has the voice and the policies of a site as they were typed.
type policyView struct {
	Tone, Language, Audience, AvoidWords, Guide, Review, MinimumScore, Publishing string
}

// Text is a field of the form of voice and policies.
func (f siteForm) Text(id, label, value string, most int, hint string) fieldView {
	field := rest.CMSField{Name: id, Label: label, Help: hint, MaxLength: most, Required: id == "domain"}
	return fieldView{CMSField: field, ID: id, Value: value, Problem: f.Problems[id]}
}

// refusedBy returns the form with what an operation has refused.
func (f siteForm) refusedBy(err error) siteForm {
	f.Problems = byField(fieldProblems(err))
	f.Problem = problemOf(err)
	if len(f.Problems) > 0 {
		f.Problem = notDone
	}
	if f.Type != nil {
		values := map[string]string{}
		for _, field := range f.Fields {
			values[field.Name] = field.Value
		}
		f.Fields = connectionFields(f.Type, values, f.Problems)
	}
	return f
}

// lines returns the lines of a text, without empty ones.
func lines(text string) []string {
	out := []string{}
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}
