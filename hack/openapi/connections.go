package main

import (
	"strings"

	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/publish/siteform"
)

// connections are the schemas of the types of CMS: CMSType, one for each that has fields, and SiteConnection, which is any of those.
func connections() map[string]any {
	schemas, alternatives, types := map[string]any{}, []any{}, []any{}
	for _, form := range connectors.Forms() {
		types = append(types, strings.ToLower(string(form.Type)))
		if len(form.Fields) == 0 {
			continue
		}
		name := string(form.Type) + "Connection"
		alternatives = append(alternatives, map[string]any{"$ref": schemaRef + name})
		schemas[name] = map[string]any{
			"type": "object", "additionalProperties": false, "properties": fields(form.Fields),
			"description": "The connection of a site with the cms_type " + strings.ToLower(string(form.Type)) + ". " + form.Help,
		}
	}
	schemas["CMSType"] = map[string]any{"type": "string", "enum": types, "description": "How a site receives its articles."}
	schemas["SiteConnection"] = map[string]any{
		"anyOf":       alternatives,
		"description": "How a site is connected: the fields of its cms_type. No answer has those that are write-only.",
	}
	return schemas
}

func fields(all []siteform.Field) map[string]any {
	properties := map[string]any{}
	for _, f := range all {
		property := map[string]any{"type": "string", "maxLength": f.MaxLength, "description": f.Help}
		if f.Required {
			property["description"] = "Required to connect. " + f.Help
		}
		if pattern := f.Pattern(); pattern != "" {
			property["pattern"] = pattern
		}
		if f.Example != "" {
			property["examples"] = []any{f.Example}
		}
		if f.Secret != "" {
			property["writeOnly"] = true
		}
		if len(f.Options) > 0 {
			property["enum"] = anys(f.Options)
		}
		properties[f.Name] = property
	}
	return properties
}

func anys(values []string) (all []any) {
	for _, value := range values {
		all = append(all, value)
	}
	return all
}
