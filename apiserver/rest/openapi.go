package rest

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/apiserver/jsonbody"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
)

// Version of the contract, which is also the prefix of every path. It only ever grows.
const Version = "1.0.0"

// config is the framework's configuration: one format, nothing added to answers, and no documentation pages.
func config() huma.Config {
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0", Info: &huma.Info{Title: "Pressroom API", Version: Version}, Components: &huma.Components{Schemas: schemas()},
		},
		Formats:       map[string]huma.Format{problem.ContentType: jsonbody.Format()},
		DefaultFormat: problem.ContentType,
	}
}

// schemas begins with those that the overlay refers to.
func schemas() huma.Registry {
	r := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	for _, t := range []reflect.Type{reflect.TypeFor[problem.APIError](), reflect.TypeFor[eventhook.ArticleData]()} {
		r.Schema(t, true, t.Name())
	}
	return r
}
