// Package siteform describes what people enter to connect a site, and makes a connection of it.
package siteform

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Form is how people connect sites of one type of CMS: what they enter, and what of it is secret. The package of the CMS has it in a file.
type Form struct {
	Type v1alpha1.CMSType `json:"type"`
	// Label and Help are for people.
	Label  string  `json:"label"`
	Help   string  `json:"help"`
	Fields []Field `json:"fields"`
	// SecretRef leads from spec.cms of a Site to the reference of the Secret.
	SecretRef string `json:"secretRef"`
	// Begins are values, by their paths, that a connection has unless something else is entered.
	Begins map[string]string `json:"begins"`
	// Keeps are the paths of values that no field has and that stay when the connection changes.
	Keeps []string `json:"keeps"`
	// Credentials are the sets of secret fields of which one must be entered in full.
	Credentials [][]string `json:"credentials"`
}

// Parse reads a form from a file of YAML. The files are part of the program: a test makes a connection by each.
func Parse(file []byte) Form {
	var f Form
	if err := yaml.UnmarshalStrict(file, &f); err != nil {
		return Form{}
	}
	for i := range f.Fields {
		x := &f.Fields[i]
		x.stored = x.Options
		x.Options = nil
		for _, option := range x.stored {
			x.Options = append(x.Options, strings.ToLower(option))
		}
	}
	return f
}

// Entered is what was entered into a form.
type Entered struct {
	// CMS is the connection, which names the Secret.
	CMS v1alpha1.SiteCMS
	// Secrets are the values of the Secret by their keys; empty if no credential was entered.
	Secrets map[string]string
}

// Read makes a connection of what was entered, over the values of an earlier one of the same type, if there is one; credentials are
// never taken over. It returns every fault. An empty value is that of a field that was left out, or removes one.
func (f Form) Read(values map[string]string, earlier *v1alpha1.SiteCMS, secret string) (Entered, []Fault) {
	before := membersOf(earlier)
	cms, secrets, faults := f.begin(before, secret), map[string]string{}, f.unknown(values)
	for _, x := range f.Fields {
		value, entered := values[x.Name]
		if !entered && x.Secret == "" {
			value = x.get(before)
		}
		message := x.fault(value)
		if message != "" {
			faults = append(faults, Fault{x.Name, message})
		}
		if message == "" && value != "" && x.Secret != "" {
			secrets[x.Secret] = value
		}
		if x.Secret == "" && (value != "" || entered) {
			x.set(cms, value)
		}
	}
	slices.SortFunc(faults, func(a, b Fault) int { return strings.Compare(a.Field, b.Field) })
	return Entered{CMS: cms.connection(), Secrets: secrets}, faults
}

// begin returns a connection that names a Secret, with what it takes over of an earlier one. If that names the same Secret, its reference
// stays as it is: somebody else may have chosen another key.
func (f Form) begin(earlier members, secret string) members {
	cms := members{"type": string(f.Type)}
	if f.SecretRef == "" {
		return cms
	}
	cms.set(f.SecretRef+".name", secret)
	for path, value := range f.Begins {
		cms.set(path, value)
	}
	for _, path := range f.Keeps {
		cms.set(path, earlier.at(path))
	}
	if earlier.at(f.SecretRef+".name") == any(secret) {
		cms.set(f.SecretRef, earlier.at(f.SecretRef))
	}
	return cms
}

// unknown returns the faults of values that are of no field.
func (f Form) unknown(values map[string]string) (faults []Fault) {
	for name := range values {
		if !slices.ContainsFunc(f.Fields, func(x Field) bool { return x.Name == name }) {
			faults = append(faults, Fault{name, "sites of this cms_type have no such field"})
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

// Values returns what a connection has, without secrets.
func (f Form) Values(cms *v1alpha1.SiteCMS) map[string]string {
	m, out := membersOf(cms), map[string]string{}
	for _, x := range f.Fields {
		if x.Secret == "" {
			out[x.Name] = x.get(m)
		}
	}
	return out
}

// Same reports whether two connections of the form's type are the same, apart from what is free: whether the credential of one may
// serve the other, as config/policy/site-facade.yaml decides it.
func (f Form) Same(a, b v1alpha1.SiteCMS) bool {
	one, other := membersOf(&a), membersOf(&b)
	for _, x := range f.Fields {
		if x.Free {
			one.set(x.Path, nil)
			other.set(x.Path, nil)
		}
	}
	return a.Type == f.Type && equality.Semantic.DeepEqual(one, other)
}
