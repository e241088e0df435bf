package main

import (
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/publish/siteform"
)

// connections are the schemas of the types of CMS: CMSType, and how a site is connected, in requests and in answers. Each is one object
// with the fields of all types, because no member says which type it is of: a choice of objects could not be told apart by its members.
func connections() map[string]any {
	forms := connectors.Forms()
	types, request, answer := make([]any, 0, len(forms)), map[string]any{}, map[string]any{}
	byName := map[string][]field{}
	for _, form := range forms {
		cmsType := strings.ToLower(string(form.Type))
		types = append(types, cmsType)
		for _, f := range form.Fields {
			byName[f.Name] = append(byName[f.Name], field{f, cmsType})
		}
	}
	for name, fields := range byName {
		request[name] = property(fields)
		if fields[0].Secret == "" {
			answer[name] = property(fields)
		}
	}
	return map[string]any{
		"CMSType": map[string]any{"type": "string", "enum": types, "description": "How a site receives its articles."},
		"SiteConnectionRequest": map[string]any{
			"type": "object", "additionalProperties": false, "properties": request,
			"description": "How a site is to be connected: the fields that list-cms-types has for its cms_type.",
		},
		"SiteConnection": map[string]any{
			"type": "object", "properties": answer, "description": "How a site is connected: the fields of its cms_type, without secrets.",
		},
	}
}

// field is a field of the form of a type of CMS.
type field struct {
	siteform.Field

	cmsType string
}

// property describes the fields of one name. What not all of them have in common is in their descriptions alone.
func property(fields []field) map[string]any {
	first := fields[0]
	out := map[string]any{"type": "string", "description": describe(fields)}
	same := func(equal func(siteform.Field) bool) bool {
		return !slices.ContainsFunc(fields, func(f field) bool { return !equal(f.Field) })
	}
	switch {
	case len(first.Options) > 0 && same(func(f siteform.Field) bool { return slices.Equal(f.Options, first.Options) }):
		out["enum"] = anys(first.Options)
		return out
	case first.Pattern() != "" && same(func(f siteform.Field) bool { return f.Pattern() == first.Pattern() }):
		out["pattern"] = first.Pattern()
	}
	out["maxLength"] = slices.MaxFunc(fields, func(a, b field) int { return a.MaxLength - b.MaxLength }).MaxLength
	if first.Example != "" {
		out["examples"] = []any{first.Example}
	}
	if first.Secret != "" {
		out["writeOnly"] = true
	}
	return out
}

// describe says which types of CMS have a field, and what it is for each.
func describe(fields []field) string {
	types := map[string][]string{}
	for _, f := range fields {
		help := f.Help
		if f.Required {
			help = "Required to connect. " + help
		}
		types[help] = append(types[help], f.cmsType)
	}
	sentences := make([]string, 0, len(types))
	for help, of := range types {
		sentences = append(sentences, strings.Join(of, ", ")+": "+help)
	}
	slices.Sort(sentences)
	return strings.Join(sentences, " ")
}

func anys(values []string) (all []any) {
	for _, value := range values {
		all = append(all, value)
	}
	return all
}
