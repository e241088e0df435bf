// Package siteform describes what people enter to connect a site, and makes a connection of it.
package siteform

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Form is how people connect sites of one type of CMS: what they enter, and what of it is secret.
type Form struct {
	Type v1alpha1.CMSType
	// Label and Help are for people.
	Label, Help string
	Fields      []Field
	// Connect sets the member of the type, which names the Secret. The connection that it takes the place of is nil if it was of another
	// type.
	Connect func(cms, earlier *v1alpha1.SiteCMS, secret string)
	// Credentials are the sets of secret fields of which one must be entered in full.
	Credentials [][]string
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
	f.Connect(&out.CMS, earlier, secret)
	faults := f.unknown(values)
	for _, x := range f.Fields {
		value, entered := values[x.Name]
		if !entered && earlier != nil && x.Secret == "" {
			value = x.Place.get(earlier)
		}
		message := x.fault(value)
		if message != "" {
			faults = append(faults, Fault{x.Name, message})
		}
		if message == "" && value != "" && x.Secret != "" {
			out.Secrets[x.Secret] = value
		}
		if x.Secret == "" && (value != "" || entered) {
			x.Place.set(&out.CMS, value)
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
	out := map[string]string{}
	for _, x := range f.Fields {
		if x.Secret == "" {
			out[x.Name] = x.Place.get(cms)
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
	for _, cms := range []*v1alpha1.SiteCMS{&a, &b} {
		*cms = *cms.DeepCopy()
		for _, x := range f.Fields {
			if x.Free {
				x.Place.set(cms, "")
			}
		}
	}
	return equality.Semantic.DeepEqual(a, b)
}

// The longest values of fields that several forms have, in characters.
const (
	MaxURL    = 2048
	MaxSecret = 4096
	MaxTexts  = 4096
)

// What values of several forms must be.
var (
	HTTPURL = Rule{
		`^https?://[^/?#@\s]+([/?#]\S*)?$`,
		"must be a URL with a host that begins with https:// or http://, without user information",
	}
	UpTo20 = Rule{`^[^,]+(,[^,]+){0,19}$`, "must be at most 20 texts, separated by commas"}
)

// FAQ returns the field that says what becomes of the questions and answers.
func FAQ() Field {
	return Choice("faq", "FAQ", "What becomes of the questions and answers: append to the body, or omit. Append by default.",
		func(c *v1alpha1.SiteCMS) *v1alpha1.FAQPlacement { return &c.FAQ }, v1alpha1.FAQAppend, v1alpha1.FAQOmit)
}

// Field is one thing that people enter to connect a site.
type Field struct {
	// Name in the REST API. Label and Help are for people.
	Name, Label, Help string
	Rule
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
	// Free means that a change of it needs no credential: it does not matter for where the credential is sent.
	Free bool
	// Place is where the Site has the value; unset for secrets.
	Place Place
	// Example of a value. Required fields that are not secret have one.
	Example string
}

// Rule is what values must be.
type Rule struct {
	// Pattern is a regular expression (RE2) that values match; empty for any. Must says it for people.
	Pattern, Must string
}

// Place is where a Site has a value.
type Place struct {
	get func(*v1alpha1.SiteCMS) string
	set func(*v1alpha1.SiteCMS, string)
}

// Text is the place of a text.
func Text[T ~string](at func(*v1alpha1.SiteCMS) *T) Place {
	return Place{
		get: func(c *v1alpha1.SiteCMS) string { return string(*at(c)) },
		set: func(c *v1alpha1.SiteCMS, value string) { *at(c) = T(value) },
	}
}

// Number is the place of a number, whose field has a pattern of digits. Zero is no number.
func Number(at func(*v1alpha1.SiteCMS) *int64) Place {
	return Place{
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

// List is the place of texts that people separate by commas.
func List(at func(*v1alpha1.SiteCMS) *[]string) Place {
	return Place{
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

// Choice returns a field with few values, which the REST API writes in lower case.
func Choice[T ~string](name, label, help string, at func(*v1alpha1.SiteCMS) *T, values ...T) Field {
	f := Field{Name: name, Label: label, Help: help, MaxLength: 20}
	for _, v := range values {
		f.Options = append(f.Options, strings.ToLower(string(v)))
	}
	f.Place = Place{
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
		return f.Must
	}
	return ""
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
