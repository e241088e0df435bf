package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pressroom-dev/pressroom/apiserver/rest/document"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// object is a JSON object, such as a schema.
type object = map[string]any

// openAPI is the part of the OpenAPI document that tools are made of. Its texts are those of the overlay, which the code does not have.
type openAPI struct {
	Info struct {
		Version string `json:"version"`
	} `json:"info"`
	Paths      map[string]map[string]json.RawMessage `json:"paths"`
	Components map[string]map[string]object          `json:"components"`
}

// documented is what the document says of an operation.
type documented struct {
	Summary     string                `json:"summary"`
	Description string                `json:"description"`
	Parameters  []object              `json:"parameters"`
	Security    []map[string][]string `json:"security"`
	RequestBody *struct {
		Required bool `json:"required"`
		Content  map[string]struct {
			Schema object `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`
}

// tool is a row with what the document says of its operation.
type tool struct {
	row
	operation.Endpoint

	name, title, text string
	arguments         map[string]argument
	// needsBody means that the operation has a body even without members.
	needsBody bool
	schema    json.RawMessage
}

// tools returns all tools in the order of rows, and the version of the contract. They are made once.
var tools = sync.OnceValues(func() ([]*tool, string) {
	var doc openAPI
	must(json.Unmarshal(document.JSON, &doc))
	made := make([]*tool, 0, len(rows))
	for _, r := range rows {
		to := r.operation.Endpoint()
		var found documented
		must(json.Unmarshal(doc.Paths[to.Path][strings.ToLower(to.Method)], &found))
		made = append(made, doc.tool(r, to, &found))
	}
	return made, doc.Info.Version
})

// must ends the program if the document, which is part of it, cannot be read: a test reads it.
func must(err error) {
	if err != nil {
		panic(fmt.Errorf("reading the OpenAPI document: %w", err)) //nolint:forbidigo // see above
	}
}

// tool makes the tool of a row.
func (doc *openAPI) tool(r row, to operation.Endpoint, found *documented) *tool {
	t := &tool{
		row: r, Endpoint: to, name: nameOf(to.ID), title: found.Summary, text: r.description, arguments: map[string]argument{},
	}
	if t.text == "" {
		t.text = toolNames(found.Description)
	}
	properties, required := object{}, []string{}
	add := func(name string, a argument, schema object) {
		t.arguments[name] = a
		properties[name] = schema
		if a.required {
			required = append(required, name)
		}
	}
	if body := found.RequestBody; body != nil {
		t.needsBody = body.Required
		schema := doc.schema(body.Content["application/json"].Schema)
		members, _ := schema["properties"].(object)
		needed, _ := schema["required"].([]any)
		for name, member := range members {
			s, _ := member.(object)
			if value, has := r.preset[name]; has {
				s["default"] = value
			}
			add(name, argument{in: inBody, param: name, required: slices.Contains(needed, any(name))}, s)
		}
	}
	for _, p := range found.Parameters {
		doc.parameter(t, p, add)
	}
	// Beside the credential, the document has the workspace among what opens an operation.
	if slices.ContainsFunc(found.Security, func(s map[string][]string) bool { _, has := s["workspaceID"]; return has }) {
		doc.parameter(t, object{"name": operation.WorkspaceHeader, "in": "header", "schema": object{"type": "string"}}, add)
	}
	if r.partly {
		add(offsetArgument, argument{in: inResult, kind: "integer"}, object{
			"type": "integer", "minimum": 0, "default": 0, "description": "Byte at which content_markdown begins.",
		})
	}
	slices.Sort(required)
	whole := object{"type": "object", "properties": properties}
	if len(required) > 0 {
		whole["required"] = required
	}
	var err error
	t.schema, err = json.Marshal(whole)
	must(err)
	return t
}

// The arguments that are header fields over HTTP, and the one that is no parameter of an operation.
const (
	workspaceArgument = "workspace_id"
	keyArgument       = "idempotency_key"
	keyHeader         = "Idempotency-Key"
	offsetArgument    = "text_offset"
)

// headers has the arguments that are header fields over HTTP. Tools take no other header fields: a precondition on a text is the argument
// digest.
var headers = map[string]struct{ argument, description string }{
	operation.WorkspaceHeader: {workspaceArgument, "From list_workspaces; needed if there are several."},
	keyHeader:                 {keyArgument, "A repeat with the same key and arguments does nothing again."},
}

// parameter adds a parameter of the operation to a tool.
func (doc *openAPI) parameter(t *tool, p object, add func(string, argument, object)) {
	p = doc.resolve(p)
	name, _ := p["name"].(string)
	schema, _ := p["schema"].(object)
	a := argument{param: name, uid: schema["format"] == "uuid"}
	a.required, _ = p["required"].(bool)
	schema = doc.schema(schema)
	a.kind, _ = schema["type"].(string)
	switch p["in"] {
	case "path":
		a.in = inPath
	case "query":
		a.in = inQuery
		if slices.Contains(t.without, name) {
			return
		}
	default:
		h, known := headers[name]
		if !known {
			return
		}
		// The workspace is filled in if there is only one.
		a.in, a.required, name, schema["description"] = inHeader, false, h.argument, h.description
	}
	add(name, a, schema)
}

// resolve follows a reference. Members beside it come first.
func (doc *openAPI) resolve(o object) object {
	ref, _ := o["$ref"].(string)
	if ref == "" {
		return o
	}
	parts := strings.Split(strings.TrimPrefix(ref, "#/components/"), "/")
	out := maps.Clone(doc.resolve(doc.Components[parts[0]][parts[1]]))
	maps.Copy(out, o)
	delete(out, "$ref")
	return out
}

// kept are the members of a schema that a tool has. The others, such as lengths and patterns, take more of an agent's context than they are
// worth: the operation checks them, and says what must be.
var kept = []string{"type", "default", "minimum", "maximum", "enum", "required"}

// schema returns a schema for a tool: without references, examples, patterns and lengths.
func (doc *openAPI) schema(o object) object {
	o = doc.resolve(o)
	out := object{}
	for _, name := range kept {
		if value, has := o[name]; has {
			out[name] = value
		}
	}
	if text, _ := o["description"].(string); text != "" {
		out["description"] = toolNames(text)
	}
	// A later version may add values to answers, and an operation takes those that it knows.
	if values, has := o["x-extensible-enum"]; has {
		out["enum"] = values
	}
	if o["format"] == "date-time" {
		out["format"] = "date-time"
	}
	if items, has := o["items"].(object); has {
		out["items"] = doc.schema(items)
	}
	if members, has := o["properties"].(object); has {
		properties := object{}
		for name, member := range members {
			m, _ := member.(object)
			properties[name] = doc.schema(m)
		}
		out["properties"] = properties
	}
	return out
}

// operationID finds what may be an operationId in a text.
var operationID = regexp.MustCompile(`\b[a-z]+(-[a-z]+)+\b`)

// toolNames writes the operations of a text that are tools as the tools are named.
func toolNames(text string) string {
	return operationID.ReplaceAllStringFunc(text, func(word string) string {
		if slices.ContainsFunc(rows, func(r row) bool { return r.operation.Endpoint().ID == word }) {
			return nameOf(word)
		}
		return word
	})
}
