package connectors

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// Field is one thing that people enter to connect a site.
type Field struct {
	// Name in the REST API. Label and Help are for people.
	Name, Label, Help string
	// Pattern is a regular expression (RE2) that values match; empty for any.
	Pattern string
	// MaxLength of values, in characters.
	MaxLength int
	// Required means that there is no connection without it. That of secrets is decided by the form.
	Required bool
	// Options are all values that are possible, if they are few.
	Options []string
	// Secret is the key under which a Secret has the value; empty if the Site has it.
	Secret string
	// Generated means that a secret is made if none is entered.
	Generated bool

	place place
}

// place is where a Site has a value. Lists are separated by commas.
type place struct {
	get func(*v1alpha1.SiteCMS) string
	set func(*v1alpha1.SiteCMS, string)
}

func text[T ~string](at func(*v1alpha1.SiteCMS) *T) place {
	return place{
		get: func(c *v1alpha1.SiteCMS) string { return string(*at(c)) },
		set: func(c *v1alpha1.SiteCMS, value string) { *at(c) = T(value) },
	}
}

func number(at func(*v1alpha1.SiteCMS) *int64) place {
	return place{
		get: func(c *v1alpha1.SiteCMS) string {
			if *at(c) == 0 {
				return ""
			}
			return strconv.FormatInt(*at(c), 10)
		},
		// The pattern of the field lets nothing else come.
		set: func(c *v1alpha1.SiteCMS, value string) { *at(c), _ = strconv.ParseInt(value, 10, 64) },
	}
}

func list(at func(*v1alpha1.SiteCMS) *[]string) place {
	return place{
		get: func(c *v1alpha1.SiteCMS) string { return strings.Join(*at(c), ",") },
		set: func(c *v1alpha1.SiteCMS, value string) {
			*at(c) = nil
			for one := range strings.SplitSeq(value, ",") {
				if one = strings.TrimSpace(one); one != "" && !slices.Contains(*at(c), one) {
					*at(c) = append(*at(c), one)
				}
			}
		},
	}
}

// choice is a field with few values, which the REST API writes in lower case.
func choice[T ~string](name, label, help string, at func(*v1alpha1.SiteCMS) *T, values ...T) Field {
	f := Field{Name: name, Label: label, Help: help, MaxLength: 20}
	for _, v := range values {
		f.Options = append(f.Options, strings.ToLower(string(v)))
	}
	f.place = place{
		get: func(c *v1alpha1.SiteCMS) string { return strings.ToLower(string(*at(c))) },
		set: func(c *v1alpha1.SiteCMS, value string) {
			*at(c) = ""
			if i := slices.Index(f.Options, value); i >= 0 {
				*at(c) = values[i]
			}
		},
	}
	return f
}

// Fault is what is wrong with a field.
type Fault struct{ Field, Message string }

// check returns what is wrong with a value that is not empty.
func (f Field) check(value string) string {
	switch {
	case utf8.RuneCountInString(value) > f.MaxLength:
		return "must have at most " + strconv.Itoa(f.MaxLength) + " characters"
	case f.Options != nil && !slices.Contains(f.Options, value):
		return "must be one of " + strings.Join(f.Options, ", ")
	case f.Pattern != "" && !regexp.MustCompile(f.Pattern).MatchString(value):
		return "must be: " + f.Help
	}
	return ""
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
	out := Entered{CMS: v1alpha1.SiteCMS{Type: f.Type}, Secrets: map[string]string{}}
	f.make(&out.CMS, secret)
	if earlier != nil && earlier.Headless != nil && earlier.Headless.SigningSecretRef.Name == secret {
		// Somebody else may have chosen another key.
		out.CMS.Headless.SigningSecretRef = earlier.Headless.SigningSecretRef
	}
	faults := f.unknown(values)
	for _, x := range f.Fields {
		value, entered := values[x.Name]
		if !entered && earlier != nil && x.Secret == "" {
			value = x.place.get(earlier)
		}
		message := x.fault(value)
		if message != "" {
			faults = append(faults, Fault{x.Name, message})
		}
		if message == "" && value != "" && x.Secret != "" {
			out.Secrets[x.Secret] = value
		}
		if x.Secret == "" && (value != "" || entered) {
			x.place.set(&out.CMS, value)
		}
	}
	slices.SortFunc(faults, func(a, b Fault) int { return strings.Compare(a.Field, b.Field) })
	return out, faults
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

// fault says what is wrong with a value; empty if it is right, or left out where it may be.
func (f Field) fault(value string) string {
	switch {
	case value != "":
		return f.check(value)
	case f.Required:
		return "is required"
	default:
		return ""
	}
}

// Missing returns the secret fields that must be entered for a connection, or nothing if they were. Those that can be made are not
// missed.
func (f Form) Missing(secrets map[string]string) []Fault {
	if len(f.credentials) == 0 {
		return nil
	}
	for _, set := range f.credentials {
		if !slices.ContainsFunc(set, func(name string) bool {
			x := f.field(name)
			return secrets[x.Secret] == "" && !x.Generated
		}) {
			return nil
		}
	}
	var faults []Fault
	for _, name := range f.credentials[0] {
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
	out := map[string]string{}
	for _, x := range f.Fields {
		if x.Secret == "" {
			out[x.Name] = x.place.get(cms)
		}
	}
	return out
}

// SameButFormat reports whether two connections are the same, apart from the format of a webhook's body: whether the credential of
// one may serve the other, as config/policy/site-facade.yaml decides it.
func SameButFormat(a, b v1alpha1.SiteCMS) bool {
	for _, cms := range []*v1alpha1.SiteCMS{&a, &b} {
		if cms.Headless != nil {
			headless := *cms.Headless
			headless.PayloadFormat = ""
			cms.Headless = &headless
		}
	}
	return equality.Semantic.DeepEqual(a, b)
}

// SecretOf returns the name of the Secret of a connection; empty if the type has none.
func SecretOf(site *v1alpha1.Site) string {
	if ModeOf(site) != lifecycle.Push {
		return ""
	}
	return For(site).Connection(site).Secrets[0].Name
}
