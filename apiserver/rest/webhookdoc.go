package rest

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
	"github.com/pressroom-dev/pressroom/internal/publish/signedpost"
	"github.com/pressroom-dev/pressroom/internal/publish/webhook"
)

// PublishPayload documents the request by which a site receives an article (contract, section 2).
type PublishPayload struct {
	Title           string     `json:"title" example:"Trail running shoes"`
	Slug            string     `json:"slug" doc:"The receiver's unique key: upsert by it." example:"trail-running-shoes"`
	MetaTitle       string     `json:"meta_title,omitempty"`
	MetaDescription string     `json:"meta_description,omitempty"`
	Excerpt         string     `json:"excerpt,omitempty" doc:"The same as meta_description."`
	FAQ             []FAQEntry `json:"faq,omitempty" doc:"Not part of the body."`
	Status          string     `json:"status" enum:"publish"`
	ContentFormat   string     `json:"content_format" enum:"json,markdown,html"`
	ContentMarkdown string     `json:"content_markdown,omitempty" doc:"If content_format is json."`
	ContentHTML     string     `json:"content_html,omitempty" doc:"If content_format is json."`
	Content         string     `json:"content,omitempty" doc:"If content_format is markdown or html."`
}

// ConnectionTestPayload documents the request that tests a site's connection.
type ConnectionTestPayload struct {
	Type    string `json:"type" enum:"connection.test"`
	Test    bool   `json:"test" enum:"true"`
	Message string `json:"message" doc:"What this is, for people who read the receiver's log."`
	Nonce   string `json:"nonce" doc:"As test-site-connection returned it."`
	SiteUID string `json:"site_uid" format:"uuid"`
	Domain  string `json:"domain" example:"blog.example.com"`
}

// PublishAccepted documents what a receiver may answer.
type PublishAccepted struct {
	ID  string `json:"id,omitempty" doc:"Id of the post: the slug if absent."`
	URL string `json:"url,omitempty" doc:"Live URL of the post."`
}

// documentWebhooks puts the requests that sites receive into the document, and the test of a subscription.
func (s *service) documentWebhooks() {
	document := s.api.OpenAPI()
	test := s.webhook(lifecycle.TestEvent, "A test of the subscription", reflect.TypeFor[eventhook.Test]())
	test.Tags, test.Parameters = []string{tagEvents}, eventHeaders(lifecycle.TestEvent)
	test.Description = "Sent if test-event-subscription asks for it, to this subscription alone, and repeated as every event."
	publish := s.webhook(webhook.Event, "An article is published", reflect.TypeFor[PublishPayload]())
	publish.Description = "Sent to the webhook of a headless site. Verify the signature over the raw body, " +
		"and answer 2xx within 30 seconds; otherwise it is " +
		"sent up to three times more. Posts are neither updated nor deleted by it."
	publish.Responses["2XX"].Content = map[string]*huma.MediaType{problem.ContentType: {
		Schema: document.Components.Schemas.Schema(reflect.TypeFor[PublishAccepted](), true, "PublishAccepted"),
	}}
	connection := s.webhook(webhook.TestEvent, "A test of a site's connection", reflect.TypeFor[ConnectionTestPayload]())
	connection.Description = "Sent once to the webhook of a site if test-site-connection asks for it. It is no article: answer 2xx."
	for _, op := range []*huma.Operation{test, publish, connection} {
		document.Webhooks[op.OperationID] = &huma.PathItem{Post: op}
	}
}

// webhook returns a request to a site's webhook, which has the contract's headers (section 5).
func (s *service) webhook(event, summary string, body reflect.Type) *huma.Operation {
	header := func(name, description, example string) *huma.Param {
		return &huma.Param{
			Name: name, In: "header", Required: true, Description: description,
			Schema: &huma.Schema{Type: huma.TypeString}, Example: example,
		}
	}
	schema := s.api.OpenAPI().Components.Schemas.Schema(body, true, body.Name())
	return &huma.Operation{
		OperationID: event, Tags: []string{tagSites}, Summary: summary,
		Parameters: []*huma.Param{
			header(signedpost.EventHeader, "The event's name.", event),
			header(webhook.SignatureHeader, "Lower-case hex HMAC-SHA256 of the raw body.",
				"97c2ab5c8a1d2d6e2f6d7f4f0b9e4c3d1a0f5e6b7c8d9eaf0b1c2d3e4f5a6b7c"),
		},
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{problem.ContentType: {Schema: schema}}},
		Responses:   map[string]*huma.Response{"2XX": {Description: "Taken."}},
	}
}
