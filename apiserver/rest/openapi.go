package rest

import (
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	jsonv2 "github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
)

// Version of the contract, whose major number is the prefix of every path. It only ever grows (docs/reference/contract.md, Versions).
const Version = "1.0.0"

// config is the framework's configuration: one format, nothing added to answers, and no documentation pages.
func config() huma.Config {
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0", Info: &huma.Info{Title: "Pressroom API", Version: Version}, Components: &huma.Components{Schemas: schemas()},
		},
		Formats:       map[string]huma.Format{problem.ContentType: {Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: decode}},
		DefaultFormat: problem.ContentType,
	}
}

// decode decodes a body that has been validated. Of one that is wrong, it decodes what it can: the input has more checks, and all errors
// are reported together.
func decode(data []byte, v any) error {
	return jsonv2.Unmarshal(data, v, jsonv1.ReportErrorsWithLegacySemantics(true))
}

// schemas begins with those that the overlay refers to.
func schemas() huma.Registry {
	r := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	for _, t := range []reflect.Type{reflect.TypeFor[problem.APIError](), reflect.TypeFor[eventhook.ArticleEventData]()} {
		r.Schema(t, true, t.Name())
	}
	return r
}

// allowNullObjects documents members that are an object or null: the framework documents a pointer to a struct as an object. A
// pointer that is left out if it is nil is never null.
func allowNullObjects(schemas huma.Registry) {
	for name, schema := range schemas.Map() {
		if t := schemas.TypeFromRef("#/components/schemas/" + name); t != nil {
			allowNullMembers(schema, t)
		}
	}
}

func allowNullMembers(schema *huma.Schema, t reflect.Type) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return
	}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		property := schema.Properties[name]
		if f.Type.Kind() != reflect.Pointer || property == nil || property.Ref == "" || strings.Contains(options, "omitempty") {
			continue
		}
		*property = huma.Schema{
			Description: property.Description,
			OneOf:       []*huma.Schema{{Ref: property.Ref}, {Type: "null"}},
		}
	}
}
