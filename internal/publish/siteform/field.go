package siteform

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Field is one thing that people enter to connect a site.
type Field struct {
	// Name in the REST API. Label and Help are for people.
	Name  string `json:"name"`
	Label string `json:"label"`
	Help  string `json:"help"`
	// Pattern is a regular expression (RE2) that values match; empty for any. Must says it for people.
	Pattern string `json:"pattern"`
	Must    string `json:"must"`
	// MaxLength of values, in characters.
	MaxLength int `json:"maxLength"`
	// Required means that there is no connection without it. That of secrets is decided by the form.
	Required bool `json:"required"`
	// Options are all values that are possible, if they are few. A file has them as the Site does, and the REST API in lower case.
	Options []string `json:"options"`
	// Secret is the key under which a Secret has the value; empty if the Site has it.
	Secret string `json:"secret"`
	// Generated means that a secret is made if none is entered.
	Generated bool `json:"generated"`
	// Free means that a change of it needs no credential: it does not matter for where the credential is sent.
	Free bool `json:"free"`
	// Path leads from spec.cms of a Site to the value, such as wordPress.url; empty for secrets.
	Path string `json:"path"`
	// Number means that the Site has a number, whose field has a pattern of digits, and List that it has texts that people separate by
	// commas.
	Number bool `json:"number"`
	List   bool `json:"list"`
	// Example of a value. Required fields that are not secret have one.
	Example string `json:"example"`

	// stored are the options as the Site has them.
	stored []string
}

// members are a connection as its JSON has it.
type members map[string]any

// membersOf returns the members of a connection; nil if there is none.
func membersOf(cms *v1alpha1.SiteCMS) members {
	if cms == nil {
		return nil
	}
	m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(cms)
	if err != nil {
		return nil // a connection always has a JSON form
	}
	return m
}

// connection returns the connection that has these members.
func (m members) connection() (cms v1alpha1.SiteCMS) {
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(m, &cms); err != nil {
		return v1alpha1.SiteCMS{} // a test makes a connection by each form
	}
	return cms
}

// at returns what a path leads to; nil if there is nothing.
func (m members) at(path string) any {
	value, _, err := unstructured.NestedFieldNoCopy(m, strings.Split(path, ".")...)
	if err != nil {
		return nil
	}
	return value
}

// set sets what a path leads to, and removes it if the value is nil.
func (m members) set(path string, value any) {
	names := strings.Split(path, ".")
	if value == nil {
		unstructured.RemoveNestedField(m, names...)
		return
	}
	// It fails if the path leads through something that has no members, which tests rule out.
	_ = unstructured.SetNestedField(m, value, names...)
}

// get returns the value of a field as people enter it.
func (f Field) get(m members) string {
	switch value := m.at(f.Path).(type) {
	case string:
		if f.Options != nil {
			return strings.ToLower(value)
		}
		return value
	case int64:
		return strconv.FormatInt(value, 10)
	case []any:
		texts := make([]string, 0, len(value))
		for _, text := range value {
			one, _ := text.(string)
			texts = append(texts, one)
		}
		return strings.Join(texts, ",")
	default:
		return ""
	}
}

// set sets the value of a field as people have entered it. An empty value removes it.
func (f Field) set(m members, value string) {
	switch i := slices.Index(f.Options, value); {
	case value == "", f.Options != nil && i < 0:
		m.set(f.Path, nil)
	case f.Options != nil:
		m.set(f.Path, f.stored[i])
	case f.Number:
		// The pattern of the field lets nothing else come.
		number, _ := strconv.ParseInt(value, 10, 64)
		m.set(f.Path, number)
	case f.List:
		var texts []any
		for one := range strings.SplitSeq(value, ",") {
			if one = strings.TrimSpace(one); one != "" && !slices.Contains(texts, any(one)) {
				texts = append(texts, one)
			}
		}
		m.set(f.Path, texts)
	default:
		m.set(f.Path, value)
	}
}

// Fault is what is wrong with a field.
type Fault struct{ Field, Message string }

// fault says what is wrong with a value; empty if it is right, or left out where it may be.
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
	case f.Pattern != "" && !regexp.MustCompile(f.Pattern).MatchString(value):
		return f.Must
	}
	return ""
}
