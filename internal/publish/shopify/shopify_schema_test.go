//go:build e2e

package shopify_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/shopify"
	"github.com/pressroom-dev/pressroom/test/npm"
)

// published is Shopify's own schema of the version that Pressroom speaks, from Shopify's package on npm.
func published(t *testing.T) *ast.Schema {
	t.Helper()
	folder := npm.Unpack(t, "@shopify/dev-mcp", "1.16.0")
	file, err := os.Open(filepath.Join(folder, "dist", "data", "admin_"+shopify.APIVersion+".json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Data struct {
			Schema introspection `json:"__schema"`
		} `json:"data"`
	}
	if err := json.NewDecoder(unpacked).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	document, err := validator.LoadSchema(validator.Prelude)
	if err != nil {
		t.Fatal(err)
	}
	return answer.Data.Schema.build(t, document)
}

// introspection is the answer to an introspection query: what validation needs of it.
type introspection struct {
	QueryType    named   `json:"queryType"`
	MutationType named   `json:"mutationType"`
	Types        []given `json:"types"`
}

type named struct {
	Name string `json:"name"`
}

type given struct {
	Kind          string      `json:"kind"`
	Name          string      `json:"name"`
	Fields        []typed     `json:"fields"`
	InputFields   []typed     `json:"inputFields"`
	EnumValues    []named     `json:"enumValues"`
	Interfaces    []reference `json:"interfaces"`
	PossibleTypes []reference `json:"possibleTypes"`
}

type typed struct {
	Name         string    `json:"name"`
	Type         reference `json:"type"`
	Args         []typed   `json:"args"`
	DefaultValue *string   `json:"defaultValue"`
}

type reference struct {
	Kind   string     `json:"kind"`
	Name   string     `json:"name"`
	OfType *reference `json:"ofType"`
}

func (r reference) build() *ast.Type {
	switch r.Kind {
	case "NON_NULL":
		inner := *r.OfType.build()
		inner.NonNull = true
		return &inner
	case "LIST":
		return ast.ListType(r.OfType.build(), nil)
	default:
		return ast.NamedType(r.Name, nil)
	}
}

func (s introspection) build(t *testing.T, prelude *ast.Schema) *ast.Schema {
	t.Helper()
	schema := prelude
	for _, g := range s.Types {
		if known := prelude.Types[g.Name]; strings.HasPrefix(g.Name, "__") || known != nil && known.BuiltIn {
			continue
		}
		d := g.build()
		schema.Types[d.Name] = d
		schema.AddPossibleType(d.Name, d)
	}
	for name, d := range schema.Types {
		for _, i := range d.Interfaces {
			schema.AddPossibleType(i, d)
			schema.AddImplements(name, schema.Types[i])
		}
	}
	schema.Query, schema.Mutation = schema.Types[s.QueryType.Name], schema.Types[s.MutationType.Name]
	if schema.Query == nil || schema.Mutation == nil {
		t.Fatal("the introspection names no query or no mutation type")
	}
	return schema
}

func (g given) build() *ast.Definition {
	d := &ast.Definition{Kind: ast.DefinitionKind(g.Kind), Name: g.Name}
	for _, f := range slices.Concat(g.Fields, g.InputFields) {
		field := &ast.FieldDefinition{Name: f.Name, Type: f.Type.build(), DefaultValue: f.value()}
		for _, a := range f.Args {
			field.Arguments = append(field.Arguments, &ast.ArgumentDefinition{Name: a.Name, Type: a.Type.build(), DefaultValue: a.value()})
		}
		d.Fields = append(d.Fields, field)
	}
	for _, v := range g.EnumValues {
		d.EnumValues = append(d.EnumValues, &ast.EnumValueDefinition{Name: v.Name})
	}
	for _, i := range g.Interfaces {
		d.Interfaces = append(d.Interfaces, i.Name)
	}
	for _, p := range g.PossibleTypes {
		d.Types = append(d.Types, p.Name)
	}
	return d
}

// value says that there is a default, which makes an argument optional. Its value is of no interest here.
func (f typed) value() *ast.Value {
	if f.DefaultValue == nil {
		return nil
	}
	return &ast.Value{Raw: *f.DefaultValue, Kind: ast.NullValue}
}

// Shopify's own schema accepts every document that is sent, with its variables, and the excerpt that the other tests execute invents
// nothing.
func TestShopifysOwnSchema(t *testing.T) {
	whole := published(t)
	t.Run("accepts what is sent", func(t *testing.T) { accepts(t, whole) })
	t.Run("has the excerpt as a part", func(t *testing.T) { contains(t, whole, excerpt()) })
}

func accepts(t *testing.T, whole *ast.Schema) {
	t.Helper()
	c := newConnection(t)
	c.schema = whole
	if o := c.connector.Test(t.Context(), c.target(c.transport), "n1"); o.Outcome != v1alpha1.AttemptAccepted {
		t.Fatalf("%+v", o)
	}
	first := c.publish(t, article())
	again := article()
	again.ExternalID = first.ID
	if second := c.publish(t, again); first.Outcome != v1alpha1.AttemptAccepted || second.Outcome != v1alpha1.AttemptAccepted {
		t.Fatalf("%+v, %+v", first, second)
	}
}

// contains compares the types, fields, arguments and enum values of a part with those of the whole.
func contains(t *testing.T, whole, part *ast.Schema) {
	t.Helper()
	for name, d := range part.Types {
		full := whole.Types[name]
		switch {
		case d.BuiltIn:
		case full == nil || full.Kind != d.Kind:
			t.Errorf("the schema has no %s %s", d.Kind, name)
		default:
			containsType(t, full, d)
		}
	}
}

func containsType(t *testing.T, full, part *ast.Definition) {
	t.Helper()
	for _, field := range part.Fields {
		got := full.Fields.ForName(field.Name)
		switch {
		case strings.HasPrefix(field.Name, "__"):
		case got == nil || got.Type.String() != field.Type.String():
			t.Errorf("the schema has no %s.%s: %s", part.Name, field.Name, field.Type)
		default:
			for _, a := range field.Arguments {
				if known := got.Arguments.ForName(a.Name); known == nil || known.Type.String() != a.Type.String() {
					t.Errorf("the schema has no argument %s: %s of %s.%s", a.Name, a.Type, part.Name, field.Name)
				}
			}
		}
	}
	names := func(values ast.EnumValueList) (result []string) {
		for _, v := range values {
			result = append(result, v.Name)
		}
		return slices.Sorted(slices.Values(result))
	}
	if got, want := names(full.EnumValues), names(part.EnumValues); !slices.Equal(got, want) {
		t.Errorf("the values of %s are %v, not %v", part.Name, got, want)
	}
}
