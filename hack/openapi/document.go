package main

import (
	"fmt"
	"maps"
	"strings"
)

const schemaRef = "#/components/schemas/"

// tree is an OpenAPI document.
type tree map[string]any

func (d tree) schemas() map[string]any { return object(object(d["components"])["schemas"]) }

// object returns a value as a JSON object; nil if it is none.
func object(value any) map[string]any {
	o, _ := value.(map[string]any)
	return o
}

// visit calls do for every object in a value, the outer ones first.
func visit(value any, do func(map[string]any)) {
	switch v := value.(type) {
	case map[string]any:
		do(v)
		for _, member := range v {
			visit(member, do)
		}
	case []any:
		for _, item := range v {
			visit(item, do)
		}
	}
}

// prose says of an operation what it does.
type prose struct {
	Summary     string `json:"summary"`
	Description string `json:"description"`
}

// describeOperations describes each operation, by its id.
func (d tree) describeOperations(descriptions map[string]prose) error {
	described := 0
	for path, item := range object(d["paths"]) {
		for method, value := range object(item) {
			operation := object(value)
			id, _ := operation["operationId"].(string)
			text, ok := descriptions[id]
			if !ok {
				return fmt.Errorf("the overlay does not say what %s %s does, which is %s", method, path, id)
			}
			operation["summary"], operation["description"] = text.Summary, text.Description
			described++
		}
	}
	if described != len(descriptions) {
		return fmt.Errorf("the overlay describes %d operations, of which there are %d", len(descriptions), described)
	}
	return nil
}

// nameEnums refers to the schema that is an enumeration wherever one with the same values is written out.
func (d tree) nameEnums() {
	names, named := map[string]string{}, map[string]any{}
	for name, schema := range d.schemas() {
		if values := object(schema)["enum"]; values != nil {
			names[fmt.Sprint(values)], named[name] = name, schema
			delete(d.schemas(), name)
		}
	}
	visit(map[string]any(d), func(o map[string]any) {
		name, ok := names[fmt.Sprint(o["enum"])]
		if !ok {
			return
		}
		if _, nullable := o["type"].([]any); nullable {
			o["oneOf"] = []any{map[string]any{"$ref": schemaRef + name}, map[string]any{"type": "null"}}
		} else {
			o["$ref"] = schemaRef + name
		}
		delete(o, "type")
		delete(o, "enum")
	})
	maps.Copy(d.schemas(), named)
}

// openAnswers allows unknown members and values in what clients receive, because answers and events may grow within /v1/. Requests are
// strict: a list of values that they refer to is written out in answers, open.
func (d tree) openAnswers() error {
	o := opener{d.schemas(), map[string]bool{}, map[string]bool{}, nil}
	for _, item := range object(d["paths"]) {
		for _, operation := range object(item) {
			o.close(object(operation)["parameters"])
			o.close(object(operation)["requestBody"])
		}
	}
	visit(d["paths"], func(operation map[string]any) {
		o.open(operation["responses"])
		visit(operation["callbacks"], func(callback map[string]any) { o.open(callback["requestBody"]) })
	})
	o.open(object(d["components"])["responses"])
	visit(d["webhooks"], func(operation map[string]any) { o.open(operation["requestBody"]) })
	if len(o.shared) > 0 {
		return fmt.Errorf("requests and answers share %s: requests need schemas of their own, because they are strict", o.shared)
	}
	return nil
}

// opener opens schemas, each once.
type opener struct {
	schemas map[string]any
	// closed are the schemas of requests.
	closed, opened map[string]bool
	// shared are schemas of requests, other than lists of values, which an answer has as well.
	shared []string
}

// close notes the schemas that a value refers to as those of requests.
func (o *opener) close(value any) {
	visit(value, func(s map[string]any) {
		if name := refOf(s); name != "" && !o.closed[name] {
			o.closed[name] = true
			o.close(o.schemas[name])
		}
	})
}

// open opens the schemas in a value, and those that it refers to.
func (o *opener) open(value any) {
	visit(value, func(s map[string]any) {
		name := refOf(s)
		if values := object(o.schemas[name])["enum"]; o.closed[name] && values != nil {
			delete(s, "$ref")
			s["type"], s["enum"] = "string", values
			if s["description"] == nil {
				s["description"] = object(o.schemas[name])["description"]
			}
		}
		if open, ok := s["additionalProperties"].(bool); ok && !open {
			delete(s, "additionalProperties")
		}
		if values, ok := s["enum"]; ok {
			delete(s, "enum")
			s["x-extensible-enum"] = values
		}
		if name := refOf(s); name != "" && !o.opened[name] {
			o.opened[name] = true
			if o.closed[name] {
				o.shared = append(o.shared, name)
			}
			o.open(o.schemas[name])
		}
	})
}

// refOf returns the name of the schema that an object refers to; empty if it refers to none.
func refOf(o map[string]any) string {
	ref, _ := o["$ref"].(string)
	name, isSchema := strings.CutPrefix(ref, schemaRef)
	if !isSchema {
		return ""
	}
	return name
}
