package mcp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestTheDefinitionsFitIntoAnAgentsContext(t *testing.T) {
	e := serve(t)
	for credential, most := range map[string]int{operationtest.ReadOnlyKey: 10_000, operationtest.WriterKey: 22_000} {
		list, err := e.connect(key(credential), "").ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(list.Tools)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > most {
			t.Errorf("%s: the definitions have %d bytes, want %d at most", credential, len(data), most)
		}
		t.Logf("%s: %d tools in %d bytes", credential, len(list.Tools), len(data))
	}
}

func TestADefinitionSaysAllThatAnAgentNeeds(t *testing.T) {
	e := serve(t)
	list, err := e.connect(key(operationtest.WriterKey), "").ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		data, err := json.Marshal(tool)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"$ref", "example", "pattern", "maxLength", "minLength", "maxItems", "x-extensible", "x-workspace-id", "If-Match", "outputSchema"} {
			if strings.Contains(string(data), word) {
				t.Errorf("%s has %s: %s", tool.Name, word, data)
			}
		}
		if tool.Description == "" || tool.Annotations == nil || tool.Annotations.Title == "" {
			t.Errorf("%s does not say what it is for", tool.Name)
		}
		wantReadOnly := !isWriter(tool.Name) || tool.Name == "preview_text"
		if tool.Annotations.ReadOnlyHint != wantReadOnly {
			t.Errorf("%s: the hint that it only reads is %v", tool.Name, tool.Annotations.ReadOnlyHint)
		}
		for name, property := range properties(t, tool) {
			if property["description"] == nil || (property["type"] == nil && property["enum"] == nil) {
				t.Errorf("the argument %s of %s has no description or no type: %v", name, tool.Name, property)
			}
		}
	}
}

func isWriter(tool string) bool {
	return slices.Contains(writers, tool)
}

// properties returns the arguments of a tool.
func properties(t *testing.T, tool *sdk.Tool) map[string]map[string]any {
	t.Helper()
	data, err := json.Marshal(tool.InputSchema)
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Properties map[string]map[string]any `json:"properties"`
	}
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	return schema.Properties
}

func TestAnArticleIsADraftUnlessTheAgentSaysOtherwise(t *testing.T) {
	e := serve(t)
	session := e.connect(key(operationtest.WriterKey), "")
	for name, c := range map[string]struct {
		draft any
		want  string
	}{
		"absent": {nil, "draft"}, "true": {true, "draft"}, "null": {json.RawMessage("null"), "draft"}, "false": {false, "review"},
	} {
		arguments := map[string]any{"site_uid": operationtest.SiteUID, "title": "Shoes", "content_markdown": "Some text."}
		if c.draft != nil {
			arguments["draft"] = c.draft
		}
		text, isError := e.call(session, "create_article", arguments)
		var got struct {
			Status string `json:"status"`
			UID    string `json:"uid"`
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil || isError {
			t.Fatalf("%s: %s", name, text)
		}
		if isDraft := got.Status == "draft"; isDraft != (c.want == "draft") {
			t.Errorf("%s: the status is %s, want %s", name, got.Status, c.want)
		}
	}
}
