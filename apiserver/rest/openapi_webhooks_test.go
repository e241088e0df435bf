package rest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/pb33f/libopenapi"
	"github.com/pb33f/libopenapi-validator/schema_validation"
	"github.com/pb33f/libopenapi/datamodel/high/base"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/document"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/project"
)

// webhookSchemas returns the schemas of what receivers are sent, by the names of the webhooks.
func webhookSchemas(t *testing.T) map[string]*base.Schema {
	t.Helper()
	described, err := libopenapi.NewDocument(document.JSON)
	if err != nil {
		t.Fatal(err)
	}
	model, err := described.BuildV3Model()
	if err != nil {
		t.Fatal(err)
	}
	schemas := map[string]*base.Schema{}
	for name, item := range model.Model.Webhooks.FromOldest() {
		schemas[name] = item.Post.RequestBody.Content.GetOrZero("application/json").Schema.Schema()
	}
	return schemas
}

// fits validates a body, whose members must all be in its schema.
func fits(t *testing.T, name string, schema *base.Schema, body []byte) {
	t.Helper()
	if schema == nil {
		t.Errorf("the document lacks the webhook %s", name)
		return
	}
	if valid, errs := schema_validation.NewSchemaValidator().ValidateSchemaBytes(schema, body); !valid {
		for _, e := range errs {
			t.Errorf("%s: %s %s %v", name, e.Message, e.Reason, e.SchemaValidationErrors)
		}
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		t.Fatal(err)
	}
	for member, value := range members {
		of := schema.Properties.GetOrZero(member)
		if of == nil {
			t.Errorf("%s: the document lacks the member %s", name, member)
			continue
		}
		if below := of.Schema(); len(below.Type) == 1 && below.Type[0] == "object" {
			fits(t, name+"."+member, below, value)
		}
	}
}

func TestEveryEventIsAsTheDocumentSays(t *testing.T) {
	schemas := webhookSchemas(t)
	for _, kind := range lifecycle.EventKinds {
		var event any = eventhook.Event{
			Type: kind.Name, Timestamp: "2026-11-20T09:00:00.000Z",
			Data: eventhook.ArticleEventData{UID: operationtest.AnyUID, SiteUID: operationtest.SiteUID, Status: kind.Status},
		}
		if kind.Status == "" {
			event = eventhook.SiteEvent{Type: kind.Name, Timestamp: "2026-11-20T09:00:00.000Z", Data: eventhook.SiteData{SiteUID: operationtest.SiteUID}}
		}
		body, err := eventhook.Encode(v1alpha1.FormatStandard, event, eventhook.Notice{})
		if err != nil {
			t.Fatal(err)
		}
		fits(t, kind.Name, schemas[kind.Name], body)
	}
	body, err := eventhook.Encode(v1alpha1.FormatStandard, eventhook.Test{
		Type: lifecycle.TestEvent, Timestamp: "2026-11-20T09:00:00.000Z",
		Data: eventhook.TestData{SubscriptionUID: operationtest.AnyUID, WorkspaceID: operationtest.Workspace},
	}, eventhook.Notice{})
	if err != nil {
		t.Fatal(err)
	}
	fits(t, lifecycle.TestEvent, schemas[lifecycle.TestEvent], body)
}

func TestThePublishPayloadIsAsTheDocumentSays(t *testing.T) {
	schema := webhookSchemas(t)["post.publish"]
	payloads, err := filepath.Glob(filepath.Join(project.Root(), "internal", "publish", "webhook", "testdata", "*.payload"))
	if err != nil || len(payloads) < 9 {
		t.Fatalf("there are %d golden payloads, %v, want 9 at least", len(payloads), err)
	}
	for _, payload := range payloads {
		body, err := os.ReadFile(payload)
		if err != nil {
			t.Fatal(err)
		}
		fits(t, "post.publish", schema, body)
	}
}
