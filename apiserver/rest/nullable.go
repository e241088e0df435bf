package rest

import (
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// typeNull is the type of null in JSON Schema.
const typeNull = "null"

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
			OneOf:       []*huma.Schema{{Ref: property.Ref}, {Type: typeNull}},
		}
	}
}
