package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/apiserver/rest/document"
	"github.com/pressroom-dev/pressroom/test/project"
)

func TestTheCommittedDocumentIsFresh(t *testing.T) {
	want, err := generate(filepath.Join(project.Root(), filepath.FromSlash(overlayFile)))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(document.JSON, want) {
		t.Error("apiserver/rest/document/openapi.json is stale: `make openapi` generates it")
	}
}

func TestAnOverlayThatChangesNothingIsRefused(t *testing.T) {
	for name, overlay := range map[string]string{
		"a target that is not there":     `{"overlay": "1.1.0", "info": {"title": "T", "version": "1"}, "actions": [{"target": "$.paths.none", "update": {}}]}`,
		"an update without an effect":    `{"overlay": "1.1.0", "info": {"title": "T", "version": "1"}, "actions": [{"target": "$", "update": {"openapi": "3.1.0"}}]}`,
		"an operation that is not there": `{"overlay": "1.1.0", "info": {"title": "T", "version": "1"}, "x-operations": {"do": {}}, "actions": [{"target": "$", "update": {}}]}`,
	} {
		if _, err := complete([]byte(`{"openapi": "3.1.0", "components": {"schemas": {}}}`), []byte(overlay), nil); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// Answers may get members and values, requests have those of the document alone, and a list of values has one name: in answers it is
// written out if requests refer to it.
func TestAnswersAreOpenAndRequestsAreStrict(t *testing.T) {
	const operations = `{"openapi": "3.1.0", "paths": {"/a": {"post": {"operationId": "do",
		"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/In"}}}},
		"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Out"}}}}}}}},
		"components": {"schemas": {
			"In": {"additionalProperties": false, "properties": {"order": {"type": "string", "enum": ["up", "down"]}}},
			"Out": {"additionalProperties": false, "properties": {
				"order": {"type": "string", "enum": ["up", "down"]}, "was": {"type": "string", "enum": ["up", "down"], "description": "Before."},
				"state": {"type": "string", "enum": ["on", "off"], "description": "Now."}}}}}}`
	const overlay = `{"overlay": "1.1.0", "info": {"title": "T", "version": "1"}, "x-operations": {"do": {"summary": "Do it"}}, "actions": [
		{"target": "$.components.schemas", "update": {
			"Order": {"type": "string", "enum": ["up", "down"], "description": "The order."}, "State": {"type": "string", "enum": ["on", "off"]}}}]}`
	const want = `{
		"In": {"additionalProperties": false, "properties": {"order": {"$ref": "#/components/schemas/Order"}}},
		"Out": {"properties": {
			"order": {"type": "string", "x-extensible-enum": ["up", "down"], "description": "The order."},
			"was": {"type": "string", "x-extensible-enum": ["up", "down"], "description": "Before."},
			"state": {"$ref": "#/components/schemas/State", "description": "Now."}}},
		"Order": {"type": "string", "enum": ["up", "down"], "description": "The order."},
		"State": {"type": "string", "x-extensible-enum": ["on", "off"]}}`
	d, err := complete([]byte(operations), []byte(overlay), nil)
	if err != nil {
		t.Fatal(err)
	}
	var wanted map[string]any
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted, d.schemas()); diff != "" {
		t.Errorf("-want, +got:\n%s", diff)
	}
}

// An object cannot be strict for requests and open for answers.
func TestASchemaOfRequestsAndAnswersIsRefused(t *testing.T) {
	const content = `"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Both"}}}`
	const operations = `{"openapi": "3.1.0", "paths": {"/a": {"post": {"operationId": "do", "requestBody": {` + content + `}, "responses": {"200": {` + content + `}}}}},
		"components": {"schemas": {"Both": {"additionalProperties": false}}}}`
	const overlay = `{"overlay": "1.1.0", "info": {"title": "T", "version": "1"}, "x-operations": {"do": {}}, "actions": [{"target": "$", "update": {"x-a": 1}}]}`
	if _, err := complete([]byte(operations), []byte(overlay), nil); err == nil || !strings.Contains(err.Error(), "Both") {
		t.Errorf("got %v, want an error that names the schema", err)
	}
}

// A schema that nothing refers to is one whose values or whose name the code has changed.
func TestEverySchemaIsUsed(t *testing.T) {
	var d tree
	if err := json.Unmarshal(document.JSON, &d); err != nil {
		t.Fatal(err)
	}
	used := map[any]bool{}
	visit(map[string]any(d), func(o map[string]any) { used[o["$ref"]] = true })
	for name := range d.schemas() {
		if !used[schemaRef+name] {
			t.Errorf("nothing refers to %s: is it still what the overlay says?", name)
		}
	}
}
