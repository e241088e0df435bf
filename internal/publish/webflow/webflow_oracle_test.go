//go:build e2e

package webflow_test

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/pressroom-dev/pressroom/test/npm"
)

// Webflow's own client shows that the fake behaves as Webflow does: it gets through it with every call that the connector makes, and reads
// the answers as it reads Webflow's. Its types throw if a member is missing or of another type.
func TestTheOfficialClientGetsThroughTheFake(t *testing.T) {
	folder := npm.Install(t, "webflow-api", "3.3.4")
	server := httptest.NewServer(newFake())
	defer server.Close()
	script, err := filepath.Abs("testdata/oracle.mjs")
	if err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), "node", script, folder, server.URL+"/v2", token, siteID, collectionID)
	var problems bytes.Buffer
	run.Stderr = &problems
	output, err := run.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, problems.String())
	}
	var got map[string]any
	if err := json.Unmarshal(output, &got); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	want := map[string]any{
		"domain": "www.example.com", "shortName": "acme-blog", "collectionSlug": "post",
		"fields": []any{"name", "slug", "post-body", "post-summary", "seo-title", "seo-description"},
		"listed": []any{true}, "nothing": []any{}, "before": 0.0, "after": []any{true}, "published": []any{true},
		"created": map[string]any{"name": "Trail shoes", "slug": "trail-shoes", "post-body": "<p>x</p>"},
		"updated": map[string]any{"name": "Trail shoes 2", "slug": "trail-shoes", "post-body": "<p>y</p>"},
		"failure": map[string]any{"status": 400.0, "code": "validation_error"},
		"missing": map[string]any{"status": 404.0, "code": "resource_not_found"},
	}
	for name := range want {
		if !reflect.DeepEqual(got[name], want[name]) {
			t.Errorf("Webflow's client read %s as %v, want %v", name, got[name], want[name])
		}
	}
}
