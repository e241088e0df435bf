// Package siteform describes what people enter to connect a site, and makes a connection of it.
package siteform

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Form is how people connect sites of one type of CMS: what they enter, and what of it is secret.
type Form struct {
	Type v1alpha1.CMSType
	// Label and Help are for people.
	Label, Help string
	Fields      []Field
	// Connect sets the settings of the type in a connection, which name the Secret. The connection that it takes the place of is nil if it
	// was of another type. Unset for a type without settings.
	Connect func(cms, earlier *v1alpha1.SiteCMS, secret string)
	// Credentials are the sets of secret fields of which one must be entered in full.
	Credentials [][]string
}

// Entered has the values that were entered into a form.
type Entered struct {
	// CMS is the connection, which names the Secret.
	CMS v1alpha1.SiteCMS
	// Secrets are the values of the Secret by their keys; empty if no credential was entered.
	Secrets map[string]string
}

// Read makes a connection of what was entered, over the values of an earlier one of the same type, if there is one; credentials are
// never taken over. It returns every fault. An empty value is that of a field that was left out, or removes one.
func (f Form) Read(values map[string]string, earlier *v1alpha1.SiteCMS, secret string) (Entered, []Fault) {
	out, faults := Entered{CMS: v1alpha1.SiteCMS{Type: f.Type}, Secrets: map[string]string{}}, f.unknown(values)
	if f.Connect != nil {
		f.Connect(&out.CMS, earlier, secret)
	}
	for _, x := range f.Fields {
		value, entered := values[x.Name]
		if !entered && x.Secret == "" && earlier != nil {
			value = x.Get(earlier)
		}
		message := x.fault(value)
		if message != "" {
			faults = append(faults, Fault{x.Name, message})
		}
		if message == "" && value != "" && x.Secret != "" {
			out.Secrets[x.Secret] = value
		}
		if x.Secret == "" && (value != "" || entered) {
			x.Set(&out.CMS, value)
		}
	}
	slices.SortFunc(faults, func(a, b Fault) int { return strings.Compare(a.Field, b.Field) })
	return out, faults
}

// unknown returns the faults of values that are of no field.
func (f Form) unknown(values map[string]string) (faults []Fault) {
	for name := range values {
		if !slices.ContainsFunc(f.Fields, func(x Field) bool { return x.Name == name }) {
			faults = append(faults, Fault{name, "is not a known field of this cms_type"})
		}
	}
	return faults
}

// Missing returns the secret fields that must be entered for a connection, or nothing if they were. Those that can be made are not
// missed.
func (f Form) Missing(secrets map[string]string) []Fault {
	if len(f.Credentials) == 0 {
		return nil
	}
	for _, set := range f.Credentials {
		if !slices.ContainsFunc(set, func(name string) bool {
			x := f.field(name)
			return secrets[x.Secret] == "" && !x.Generated
		}) {
			return nil
		}
	}
	var faults []Fault
	for _, name := range f.Credentials[0] {
		if secrets[f.field(name).Secret] == "" {
			faults = append(faults, Fault{name, "must be entered: credentials are never taken over from another connection"})
		}
	}
	return faults
}

// Generated returns the key of the secret that can be made; empty if the type has none.
func (f Form) Generated() string {
	for _, x := range f.Fields {
		if x.Generated {
			return x.Secret
		}
	}
	return ""
}

func (f Form) field(name string) Field {
	return f.Fields[slices.IndexFunc(f.Fields, func(x Field) bool { return x.Name == name })]
}

// Values returns the values of a connection, without secrets.
func (f Form) Values(cms *v1alpha1.SiteCMS) map[string]string {
	out := map[string]string{}
	for _, x := range f.Fields {
		if x.Secret == "" {
			out[x.Name] = x.Get(cms)
		}
	}
	return out
}

// Same reports whether two connections of the form's type are the same, apart from what is free: whether the credential of one may
// serve the other, as config/policy/site-facade.yaml decides it.
func (f Form) Same(a, b v1alpha1.SiteCMS) bool {
	if a.Type != f.Type || b.Type != f.Type {
		return false
	}
	one, other := a.DeepCopy(), b.DeepCopy()
	for _, x := range f.Fields {
		if x.Free {
			x.Set(one, "")
			x.Set(other, "")
		}
	}
	return equality.Semantic.DeepEqual(one, other)
}
