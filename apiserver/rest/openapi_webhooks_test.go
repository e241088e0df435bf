package rest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/document"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
	"github.com/pressroom-dev/pressroom/test/openapitest"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/project"
)

// fits fails the test if a body is not as the document says of a webhook.
func fits(t *testing.T, d *openapitest.Document, webhook string, body []byte) {
	t.Helper()
	if err := d.CheckWebhook(webhook, body); err != nil {
		t.Error(err)
	}
}

func TestEveryEventIsAsTheDocumentSays(t *testing.T) {
	d := openapitest.Read(t, document.JSON)
	for _, kind := range lifecycle.EventKinds {
		var event eventhook.Body = eventhook.Event{
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
		fits(t, d, kind.Name, body)
	}
	body, err := eventhook.Encode(v1alpha1.FormatStandard, eventhook.Test{
		Type: lifecycle.TestEvent, Timestamp: "2026-11-20T09:00:00.000Z",
		Data: eventhook.TestData{SubscriptionUID: operationtest.AnyUID, WorkspaceID: operationtest.Workspace},
	}, eventhook.Notice{})
	if err != nil {
		t.Fatal(err)
	}
	fits(t, d, lifecycle.TestEvent, body)
}

func TestThePublishPayloadIsAsTheDocumentSays(t *testing.T) {
	d := openapitest.Read(t, document.JSON)
	payloads, err := filepath.Glob(filepath.Join(project.Root(), "internal", "publish", "webhook", "testdata", "*.payload"))
	if err != nil || len(payloads) < 9 {
		t.Fatalf("there are %d golden payloads, %v, want 9 at least", len(payloads), err)
	}
	for _, payload := range payloads {
		body, err := os.ReadFile(payload)
		if err != nil {
			t.Fatal(err)
		}
		fits(t, d, "post.publish", body)
	}
}
