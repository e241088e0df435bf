// Package openapitest checks requests and answers against the OpenAPI document of the REST API.
package openapitest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// Document is an OpenAPI document of version 3.1.
type Document struct {
	model  *openapi3.T
	router routers.Router
}

// Read reads a document. One that is not valid fails the test.
func Read(t *testing.T, text []byte) *Document {
	t.Helper()
	model, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := model.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	// The document names the servers of a real installation.
	model.Servers = nil
	router, err := gorillamux.NewRouter(model)
	if err != nil {
		t.Fatal(err)
	}
	return &Document{model, router}
}

// options check answers that the document does not describe as wrong. Credentials are not checked: a request with a wrong one fits as well.
var options = &openapi3filter.Options{
	IncludeResponseStatus: true, MultiError: true, AuthenticationFunc: openapi3filter.NoopAuthenticationFunc,
}

// input finds the operation of a request.
func (d *Document) input(r *http.Request) (*openapi3filter.RequestValidationInput, error) {
	route, parameters, err := d.router.FindRoute(r)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", r.Method, r.URL.Path, err)
	}
	return &openapi3filter.RequestValidationInput{Request: r, PathParams: parameters, Route: route, Options: options}, nil
}

// CheckRequest returns an error if a request is not as the document says.
func (d *Document) CheckRequest(r *http.Request) error {
	input, err := d.input(r)
	if err != nil {
		return err
	}
	return openapi3filter.ValidateRequest(r.Context(), input)
}

// CheckAnswer returns an error if the answer to a request is not as the document says.
func (d *Document) CheckAnswer(r *http.Request, status int, header http.Header, body []byte) error {
	request, err := d.input(r)
	if err != nil {
		return err
	}
	answer := &openapi3filter.ResponseValidationInput{RequestValidationInput: request, Status: status, Header: header, Options: options}
	return openapi3filter.ValidateResponse(r.Context(), answer.SetBodyBytes(body))
}

// CheckWebhook returns an error if a body is not as the document says of a webhook, or has a member that the document lacks.
func (d *Document) CheckWebhook(name string, body []byte) error {
	item := d.model.Webhooks[name]
	if item == nil {
		return fmt.Errorf("the document lacks the webhook %s", name)
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return err
	}
	schema := item.Post.RequestBody.Value.Content["application/json"].Schema.Value
	if err := schema.VisitJSON(value, openapi3.EnableJSONSchema2020(), openapi3.MultiErrors()); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return unknownMember(name, schema, value)
}

// unknownMember returns an error that names a member of an object, or of an object in it, that a schema lacks.
func unknownMember(name string, schema *openapi3.Schema, value any) error {
	object, _ := value.(map[string]any)
	for member, below := range object {
		of := schema.Properties[member]
		if of == nil {
			return fmt.Errorf("%s: the document lacks the member %s", name, member)
		}
		if !of.Value.Type.Is(openapi3.TypeObject) {
			continue
		}
		if err := unknownMember(strings.Join([]string{name, member}, "."), of.Value, below); err != nil {
			return err
		}
	}
	return nil
}
