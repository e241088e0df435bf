package mcp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestThePageListsTheTools(t *testing.T) {
	e := serve(t)
	list, err := e.connect(key(operationtest.WriterKey), "").ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	readers := e.names(e.connect(key(operationtest.ReadOnlyKey), ""))
	var rows strings.Builder
	for _, tool := range list.Tools {
		scope := "`write`"
		if tool.Name == "whoami" {
			scope = ""
		} else if slices.Contains(readers, tool.Name) {
			scope = "`read`"
		}
		rows.WriteString("| " + strings.Join([]string{"`" + tool.Name + "`", scope, argumentsOf(t, tool), tool.Description}, " | ") + " |\n")
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "reference", "mcp.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), rows.String()) {
		t.Errorf("docs/reference/mcp.md must have these rows:\n%s", rows.String())
	}
}

// argumentsOf returns the names of a tool's arguments, those that are required first and in bold.
func argumentsOf(t *testing.T, tool *sdk.Tool) string {
	t.Helper()
	var schema struct {
		Required []string `json:"required"`
	}
	data, err := json.Marshal(tool.InputSchema)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	slices.Sort(schema.Required)
	var required, others []string
	for _, name := range schema.Required {
		required = append(required, "**`"+name+"`**")
	}
	for name := range properties(t, tool) {
		if !slices.Contains(schema.Required, name) {
			others = append(others, "`"+name+"`")
		}
	}
	slices.Sort(others)
	return strings.Join(append(required, others...), ", ")
}
