package rest

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// maxBodyExtension is the member of an operation in the OpenAPI document that says how many bytes its body may have.
const maxBodyExtension = "x-max-body-bytes"

// documentBodies says in the document how large bodies may be.
func documentBodies(document *huma.OpenAPI) {
	for _, path := range document.Paths {
		for _, op := range []*huma.Operation{path.Post, path.Patch} {
			if op != nil && op.RequestBody != nil {
				op.Extensions = map[string]any{maxBodyExtension: operation.MaxBody(op.OperationID)}
			}
		}
	}
}
