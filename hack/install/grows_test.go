//go:build e2e

package install

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/test/project"
)

// docs/how-to/upgrade.md promises it to clients.
func TestV1OnlyEverGrows(t *testing.T) {
	older := openAPI(t, olderVersion(t).folder)
	if paths, ok := older["paths"].(map[string]any); !ok || len(paths) < 10 {
		t.Fatalf("the older document has the paths %v", older["paths"])
	}
	for _, problem := range broken(older, openAPI(t, project.Root())) {
		t.Error(problem)
	}
}

func TestWhatBreaksClientsIsFound(t *testing.T) {
	const document = `{"paths": {"/v1/sites": {"post": {
		"parameters": [{"name": "limit", "in": "query"}, {"name": "status", "in": "query", "explode": false, "schema": {"type": "array"}}],
		"requestBody": {"schema": {"$ref": "#/components/schemas/Ask"}}, "responses": {"200": {"schema": {"$ref": "#/components/schemas/Site"}}}}}},
		"components": {"schemas": {
		"Ask": {"properties": {"order": {"type": ["string", "null"], "enum": ["up"]}, "title": {"type": "string"}}, "required": ["title"]},
		"Order": {"type": "string", "enum": ["up"]},
		"Site": {"properties": {"name": {"type": "string", "enum": ["a", "b"]}, "parent": {"$ref": "#/components/schemas/Site"}}, "required": ["name"]}}}}`
	for _, tt := range []struct{ name, from, to, want string }{
		{name: "nothing"},
		{name: "a field more", from: `"properties": {`, to: `"properties": {"new": {"type": "string"}, `},
		{name: "a field of an answer that is always there", from: `["name"]`, to: `["name", "domain"]`},
		{name: "a value more", from: `"b"]`, to: `"b", "c"]`},
		{name: "another name for a schema", from: "Ask", to: "Request"},
		{name: "another way to write a list", from: `"explode": false, "schema": {"type": "array"}`, to: `"schema": {"type": "string"}`},
		{name: "a list with a parameter for each item", from: `"explode": false, `, to: "", want: "type"},
		{
			name: "another way to write null", from: `"order": {"type": ["string", "null"], "enum": ["up"]}`,
			to: `"order": {"oneOf": [{"$ref": "#/components/schemas/Order"}, {"type": "null"}]}`,
		},
		{name: "a path less", from: "/v1/sites", to: "/v1/site", want: "/v1/sites"},
		{name: "an operation less", from: "post", to: "get", want: "post"},
		{name: "a parameter less", from: "limit", to: "most", want: "limit"},
		{name: "an answer less", from: `"200"`, to: `"201"`, want: "200"},
		{name: "a field less", from: `{"name": {`, to: `{"title": {`, want: "name"},
		{name: "another type", from: `"string"}}`, to: `"integer"}}`, want: "type"},
		{name: "a value less", from: `"a", `, to: "", want: "enum"},
		{name: "a field that must be given", from: `["title"]`, to: `["title", "domain"]`, want: "required"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			changed := strings.ReplaceAll(document, tt.from, tt.to)
			if tt.from == "" {
				changed = document
			}
			got := strings.Join(broken(parse(t, document), parse(t, changed)), "\n")
			if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

// comparison is of two OpenAPI documents.
type comparison struct {
	older, newer map[string]any
	// seen schemas are not compared again: they may contain themselves.
	seen     map[string]bool
	problems []string
}

// broken returns what a client of the older document may miss in the newer one. What is for people may change.
func broken(older, newer map[string]any) []string {
	c := &comparison{older: older, newer: newer, seen: map[string]bool{}}
	for _, part := range []string{"paths", "webhooks"} {
		c.compare(part, older[part], newer[part])
	}
	return c.problems
}

func (c *comparison) compare(path string, older, newer any) {
	older, newer = c.resolve(path, nullable(c.older, older), nullable(c.newer, newer))
	old, isMap := older.(map[string]any)
	if !isMap {
		return
	}
	now, isMap := newer.(map[string]any)
	if !isMap {
		c.problems = append(c.problems, path+" is gone")
		return
	}
	for name, value := range old {
		at := path + " " + name
		switch name {
		case "example", "examples", "default":
		case "type", "format":
			// A member may have such a name.
			if _, isSchema := value.(map[string]any); isSchema {
				c.compare(at, value, now[name])
			} else if fmt.Sprint(value) != fmt.Sprint(now[name]) {
				c.problems = append(c.problems, fmt.Sprintf("%s is %v, and was %v", at, now[name], value))
			}
		case "enum":
			c.mustHave(at, value, now[name])
		case "parameters":
			c.compare(at, parametersByName(value), parametersByName(now[name]))
		default:
			c.compare(at, value, now[name])
		}
	}
	if strings.Contains(path, "requestBody") || strings.Contains(path, "parameters") {
		c.mustHave(path+" required", now["required"], old["required"])
	}
}

// resolve follows references. The answer is nil for schemas that were compared.
func (c *comparison) resolve(path string, older, newer any) (old, now any) {
	reference := func(value any) string {
		object, _ := value.(map[string]any)
		name, _ := object["$ref"].(string)
		return strings.TrimPrefix(name, "#/components/schemas/")
	}
	was, is := reference(older), reference(newer)
	if was == "" || is == "" {
		return older, newer
	}
	key := fmt.Sprint(was, is, strings.Contains(path, "requestBody"))
	if c.seen[key] {
		return nil, nil
	}
	c.seen[key] = true
	return schema(c.older, was), schema(c.newer, is)
}

func schema(document map[string]any, name string) any {
	components, _ := document["components"].(map[string]any)
	schemas, _ := components["schemas"].(map[string]any)
	return schemas[name]
}

// nullable returns a value that is a schema or null as one schema, which is another way to write it.
func nullable(document map[string]any, value any) any {
	object, _ := value.(map[string]any)
	choices, _ := object["oneOf"].([]any)
	if len(choices) != 2 || fmt.Sprint(choices[1]) != "map[type:null]" {
		return value
	}
	choice, _ := choices[0].(map[string]any)
	if name, ok := choice["$ref"].(string); ok {
		choice, _ = schema(document, strings.TrimPrefix(name, "#/components/schemas/")).(map[string]any)
	}
	if choice["enum"] == nil {
		return value
	}
	return map[string]any{"type": []any{choice["type"], "null"}, "enum": choice["enum"]}
}

// mustHave holds that one list has all values of another.
func (c *comparison) mustHave(path string, values, in any) {
	list, _ := values.([]any)
	others, _ := in.([]any)
	for _, value := range list {
		if !slices.ContainsFunc(others, func(one any) bool { return fmt.Sprint(one) == fmt.Sprint(value) }) {
			c.problems = append(c.problems, fmt.Sprintf("%s differs by %v", path, value))
		}
	}
}

// parametersByName makes an object of a list of parameters. A list with commas in the query is a text.
func parametersByName(list any) map[string]any {
	all := map[string]any{}
	parameters, _ := list.([]any)
	for _, one := range parameters {
		if parameter, ok := one.(map[string]any); ok {
			explode, isList := parameter["explode"].(bool)
			if s, _ := parameter["schema"].(map[string]any); s["type"] == "array" && isList && !explode {
				parameter["schema"] = map[string]any{"type": "string"}
			}
			all[fmt.Sprint(parameter["$ref"], parameter["in"], " ", parameter["name"])] = parameter
		}
	}
	return all
}

func openAPI(t *testing.T, tree string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(tree, "apiserver", "rest", "document", "openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(text))
}

func parse(t *testing.T, text string) map[string]any {
	t.Helper()
	var document map[string]any
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	return document
}
