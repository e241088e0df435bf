package rest

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
	"github.com/pressroom-dev/pressroom/internal/publish/signedpost"
)

// documentEvents puts the requests that subscribers receive into the document, as its webhooks.
func (s *service) documentEvents() {
	document := s.api.OpenAPI()
	schema := document.Components.Schemas.Schema(reflect.TypeFor[eventhook.Event](), true, "Event")
	document.Webhooks = map[string]*huma.PathItem{}
	for _, t := range eventTypes {
		name := v1alpha1.EventName(t)
		document.Webhooks[name] = &huma.PathItem{Post: &huma.Operation{
			OperationID: name, Tags: []string{"Events"}, Summary: eventSummaries[t],
			Description: "Sent to each subscription that wants it. Verify the signature as Standard Webhooks says, and answer 2xx within " +
				"30 seconds; otherwise it is sent up to three times more, with the same webhook-id and body.",
			Parameters: eventHeaders(name),
			RequestBody: &huma.RequestBody{
				Required: true, Content: map[string]*huma.MediaType{jsonType: {Schema: schema}},
			},
			Responses: map[string]*huma.Response{
				"2XX": {Description: "Taken."},
				"410": {Description: "Not wanted: it is not sent again."},
			},
		}}
	}
}

var eventSummaries = map[v1alpha1.ArticleEventType]string{
	v1alpha1.EventReadyForReview: "An article reached review",
	v1alpha1.EventApproved:       "An article was approved",
	v1alpha1.EventRejected:       "An article was rejected",
	v1alpha1.EventPublished:      "An article was published",
	v1alpha1.EventFailed:         "Generating or delivering an article failed",
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
