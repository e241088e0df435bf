package rest

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/apiserver/middleware"
)

// Envelope is embedded in every answer that is 2xx.
type Envelope struct {
	Success bool `json:"success" enum:"true"`
}

// succeeded is the Envelope of every answer.
var succeeded = Envelope{Success: true}

// operations calls visit for every operation of the document.
func operations(document *huma.OpenAPI, visit func(*huma.Operation)) {
	for _, path := range document.Paths {
		for _, op := range []*huma.Operation{path.Get, path.Post, path.Patch, path.Delete} {
			if op != nil {
				visit(op)
			}
		}
	}
}

// documentRequestID documents the header of every answer on those that are not errors.
func documentRequestID(document *huma.OpenAPI) {
	operations(document, func(op *huma.Operation) {
		response := op.Responses[strconv.Itoa(op.DefaultStatus)]
		if response.Headers == nil {
			response.Headers = map[string]*huma.Header{}
		}
		response.Headers[middleware.RequestIDHeader] = requestIDParam()
	})
}

// documentConditional documents that every operation of GET has an entity tag (middleware.Conditional).
func documentConditional(document *huma.OpenAPI) {
	text := &huma.Schema{Type: huma.TypeString}
	operations(document, func(op *huma.Operation) {
		if op.Method != http.MethodGet {
			return
		}
		op.Parameters = append(op.Parameters, &huma.Param{
			Name: "If-None-Match", In: "header", Schema: text,
			Description: "The ETag of the answer that you have: 304 if it is still the same.",
		})
		tag := &huma.Header{Description: "Entity tag of the answer, for If-None-Match.", Schema: text}
		op.Responses[strconv.Itoa(op.DefaultStatus)].Headers["ETag"] = tag
		op.Responses[strconv.Itoa(http.StatusNotModified)] = &huma.Response{
			Description: "Not modified.", Headers: map[string]*huma.Header{"ETag": tag, middleware.RequestIDHeader: requestIDParam()},
		}
	})
}

// openAnswers allows unknown members in everything that clients receive: answers and events may grow within /v1/ (design,
// section 4), while requests are strict.
func openAnswers(document *huma.OpenAPI) {
	o := opener{document.Components.Schemas}
	operations(document, func(op *huma.Operation) { o.responses(op.Responses) })
	o.responses(document.Components.Responses)
	for _, hook := range document.Webhooks {
		o.content(hook.Post.RequestBody.Content)
	}
}

// opener allows unknown members in the schemas of a document.
type opener struct{ schemas huma.Registry }

func (o opener) responses(responses map[string]*huma.Response) {
	for _, response := range responses {
		o.content(response.Content)
	}
}

func (o opener) content(content map[string]*huma.MediaType) {
	for _, media := range content {
		o.schema(media.Schema)
	}
}

func (o opener) schema(s *huma.Schema) {
	if s == nil {
		return
	}
	if s.Ref != "" {
		s = o.schemas.SchemaFromRef(s.Ref)
	}
	if s.Type == huma.TypeObject {
		open, isBool := s.AdditionalProperties.(bool)
		if open || !isBool {
			// The schema was visited before, or is a map.
			return
		}
		s.AdditionalProperties = true
	}
	for _, property := range s.Properties {
		o.schema(property)
	}
	o.schema(s.Items)
	for _, alternative := range slices.Concat(s.OneOf, s.AnyOf, s.AllOf) {
		o.schema(alternative)
	}
}
