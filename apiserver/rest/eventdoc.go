package rest

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
	"github.com/pressroom-dev/pressroom/internal/publish/signedpost"
)

// documentEvents puts the requests that subscribers receive into the document, as its webhooks.
func (s *service) documentEvents() {
	document := s.api.OpenAPI()
	schema := document.Components.Schemas.Schema(reflect.TypeFor[eventhook.Event](), true, "Event")
	articles := document.Components.Schemas.SchemaFromRef(
		document.Components.Schemas.Schema(reflect.TypeFor[eventhook.ArticleData](), true, "ArticleData").Ref)
	document.Webhooks = map[string]*huma.PathItem{}
	for _, kind := range lifecycle.EventKinds {
		articles.Properties["status"].Enum = append(articles.Properties["status"].Enum, kind.Status)
		document.Webhooks[kind.Name] = &huma.PathItem{Post: &huma.Operation{
			OperationID: kind.Name, Tags: []string{tagEvents}, Summary: kind.Summary,
			Description: "Sent to each subscription that wants it. Verify the signature as Standard Webhooks says, and answer 2xx within " +
				"30 seconds; otherwise it is sent up to three times more, with the same webhook-id and body.",
			Parameters: eventHeaders(kind.Name),
			RequestBody: &huma.RequestBody{
				Required: true, Content: map[string]*huma.MediaType{problem.ContentType: {Schema: schema}},
			},
			Responses: map[string]*huma.Response{
				"2XX": {Description: "Taken."},
				"410": {Description: "Not wanted: the event is not sent again."},
			},
		}}
	}
}

func eventHeaders(name string) []*huma.Param {
	header := func(name, description, example string) *huma.Param {
		return &huma.Param{
			Name: name, In: "header", Required: true, Description: description,
			Schema: &huma.Schema{Type: huma.TypeString}, Example: example,
		}
	}
	return []*huma.Param{
		header(signedpost.EventHeader, "The event's name.", name),
		header(eventhook.IDHeader, "The same on every attempt: ignore what you have seen.", "0198f0a1-b2c3-5d4e-95f6-a7b8c9d0e1f2"),
		header(eventhook.TimestampHeader, "When this attempt was sent, in seconds since 1970.", "1795165200"),
		header(eventhook.SignatureHeader, "v1 and the base64 HMAC-SHA256 of id.timestamp.body; after a rotation two, with a space between.",
			"v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="),
	}
}
