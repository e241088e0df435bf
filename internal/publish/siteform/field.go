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
