package siteform

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Field is one thing that people enter to connect a site.
type Field struct {
	// Name in the REST API. Label and Help are for people.
	Name, Label, Help string
	Rule
	// MaxLength of values, in characters.
	MaxLength int
	// Required means that there is no connection without it. That of secrets is decided by the form.
	Required bool
	// Example of a value. Required fields that are not secret have one.
	Example string
	// Options are all values that are possible, if they are few.
	Options []string
	// Free means that a change of it needs no credential: it does not matter for where the credential is sent.
	Free bool

	// Secret is the key under which a Secret has the value; empty if the Site has it.
	Secret string
	// Generated means that a secret is made if none is entered.
	Generated bool

	// Accessor reaches the value in the Site; unset for secrets.
	Accessor
}

// Rule is a regular expression that values match. The zero Rule takes any value.
type Rule struct {
	pattern *regexp.Regexp
	must    string
}

// Matches returns the rule of a regular expression (RE2), and of a sentence that says it for people, such as "must be a number".
func Matches(pattern, must string) Rule { return Rule{regexp.MustCompile(pattern), must} }

// Pattern returns the regular expression; empty if there is none.
func (r Rule) Pattern() string {
	if r.pattern == nil {
		return ""
	}
	return r.pattern.String()
}

// Accessor gets and sets a value of a connection, which has the settings of its type.
type Accessor struct {
	// Get returns the value as people enter it; empty if there is none.
	Get func(*v1alpha1.SiteCMS) string
	// Set sets the value as people have entered it. An empty one removes it.
	Set func(cms *v1alpha1.SiteCMS, value string)
}

// Text accesses a text.
func Text[T ~string](at func(*v1alpha1.SiteCMS) *T) Accessor {
	return Accessor{
		Get: func(cms *v1alpha1.SiteCMS) string { return string(*at(cms)) },
		Set: func(cms *v1alpha1.SiteCMS, value string) { *at(cms) = T(value) },
	}
}

// Number accesses a number, whose field has a rule for digits. Zero is no number.
func Number(at func(*v1alpha1.SiteCMS) *int64) Accessor {
	return Accessor{
		Get: func(cms *v1alpha1.SiteCMS) string {
			if *at(cms) == 0 {
				return ""
			}
			return strconv.FormatInt(*at(cms), 10)
		},
		// What the rule refuses is 0.
		Set: func(cms *v1alpha1.SiteCMS, value string) { *at(cms), _ = strconv.ParseInt(value, 10, 64) },
	}
}

// List accesses texts that people separate by commas.
func List(at func(*v1alpha1.SiteCMS) *[]string) Accessor {
	return Accessor{
		Get: func(cms *v1alpha1.SiteCMS) string { return strings.Join(*at(cms), ",") },
		Set: func(cms *v1alpha1.SiteCMS, value string) {
			var texts []string
			for one := range strings.SplitSeq(value, ",") {
				if one = strings.TrimSpace(one); one != "" && !slices.Contains(texts, one) {
					texts = append(texts, one)
				}
			}
			*at(cms) = texts
		},
	}
}

// Choice returns a field with few values, which the REST API has in lower case.
func Choice[T ~string](name, label, help string, at func(*v1alpha1.SiteCMS) *T, values ...T) Field {
	options := make([]string, 0, len(values))
	for _, v := range values {
		options = append(options, strings.ToLower(string(v)))
	}
	return Field{Name: name, Label: label, Help: help, MaxLength: 20, Options: options, Accessor: Accessor{
		Get: func(cms *v1alpha1.SiteCMS) string { return strings.ToLower(string(*at(cms))) },
		Set: func(cms *v1alpha1.SiteCMS, value string) {
			*at(cms) = ""
			if i := slices.Index(options, value); i >= 0 {
				*at(cms) = values[i]
			}
		},
	}}
}

// Bounds of fields that several forms have, in characters.
const (
	MaxURL    = 2048
	MaxSecret = 4096
	MaxList   = 4096
)

// Rules of fields that several forms have.
var (
	HTTPURL = Matches(`^https?://[^/?#@\s]+([/?#]\S*)?$`,
		"must be a URL with a host that begins with https:// or http://, without user information")
	UpTo20 = Matches(`^[^,]+(,[^,]+){0,19}$`, "must be at most 20 texts, separated by commas")
)

// FAQ returns the field that says what becomes of the questions and answers of articles.
func FAQ() Field {
	return Choice("faq", "FAQ", "What becomes of the questions and answers: append to the body, or omit. Append by default.",
		func(cms *v1alpha1.SiteCMS) *v1alpha1.FAQPlacement { return &cms.FAQ }, v1alpha1.FAQAppend, v1alpha1.FAQOmit)
}

// Fault is a problem of a field.
type Fault struct{ Field, Message string }

// fault returns the problem of a value; empty if it is right, or absent and optional.
func (f Field) fault(value string) string {
	switch {
	case value == "" && f.Required:
		return "is required"
	case value == "":
		return ""
	case utf8.RuneCountInString(value) > f.MaxLength:
		return "must have at most " + strconv.Itoa(f.MaxLength) + " characters"
	case f.Options != nil && !slices.Contains(f.Options, value):
		return "must be one of " + strings.Join(f.Options, ", ")
	case f.pattern != nil && !f.pattern.MatchString(value):
		return f.must
	}
	return ""
}
