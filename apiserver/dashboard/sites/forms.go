package sites

import (
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

// fieldView is a field of a form. Values of secrets are never shown.
type fieldView struct {
	restsite.CMSField

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

func connectionFields(form *restsite.CMSForm, values, problems map[string]string) []fieldView {
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
func connectionOf(v *page.Visit, form *restsite.CMSForm, withEmpty bool) restsite.ConnectionFields {
	out := restsite.ConnectionFields{}
	for _, f := range form.Fields {
		if value := v.Form(connectionPrefix + f.Name); value != "" || (withEmpty && !f.Secret) {
			out[f.Name] = value
		}
	}
	return out
}

// siteForm is the data of the forms of a site: what was typed, and what is wrong with it.
type siteForm struct {
	page.FormProblems

	Site *restsite.SiteAnswer
	// Read and ConnectionRead are the settings as they were read, for the requests that change them.
	Read, ConnectionRead string
	// Types can be chosen, and Type is the one of the form; nil while it is to be chosen.
	Types  []restsite.CMSForm
	Type   *restsite.CMSForm
	Fields []fieldView
	// Domain and Name as they were typed.
	Domain, Name string
	// MayApprove means that the person may change who approves.
	MayApprove bool
	Settings   settings
}

// Text is a field of the form of voice and policies.
func (f siteForm) Text(id, label, value string, most int, hint string) fieldView {
	field := restsite.CMSField{Name: id, Label: label, Help: hint, MaxLength: most, Required: id == "domain"}
	return fieldView{CMSField: field, ID: id, Value: value, Problem: f.Problems[id]}
}

// takeRefusal takes the problems from the error of an operation, and reports whether the person can correct the form.
func (f *siteForm) takeRefusal(err error) bool {
	refused := f.Refused(err)
	if refused && f.Type != nil {
		values := map[string]string{}
		for _, field := range f.Fields {
			values[field.Name] = field.Value
		}
		f.Fields = connectionFields(f.Type, values, f.Problems)
	}
	return refused
}
