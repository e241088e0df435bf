package dashboard_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard"
	"github.com/pressroom-dev/pressroom/apiserver/rest/document"
)

// TestFilesAreSmall holds the bounds on what a browser loads: 10 KB of style and 18 KB of script, compressed. CodeMirror, which
// editors load, is not ours.
func TestFilesAreSmall(t *testing.T) {
	style, script := dashboard.Sizes()
	for _, f := range []struct {
		name    string
		content []byte
		most    int
	}{{"style", style, 10 << 10}, {"script", script, 18 << 10}} {
		if size := compressed(t, f.content); size == 0 || size > f.most {
			t.Errorf("the %s has %d bytes compressed, want at most %d", f.name, size, f.most)
		}
	}
	if lines := bytes.Count(script, []byte("\n")); lines > 1000 {
		t.Errorf("the script has %d lines, want at most 1000", lines)
	}
}

func compressed(t *testing.T, content []byte) int {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}

// TestNoFileIsLong holds the bound on files of this package: 200 lines.
func TestNoFileIsLong(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 10 {
		t.Fatal(len(files), err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(text, []byte("\n")); lines > 200 {
			t.Errorf("%s has %d lines, want at most 200", name, lines)
		}
	}
}

// browserOnly are the forms that change what the browser keeps or shows, and nothing else.
var browserOnly = []string{"/app/account/settings", "/app/w/:workspace/articles/new/paste"}

// TestFormsAreOperations holds that everything a form does can be done over the REST API.
func TestFormsAreOperations(t *testing.T) {
	operations := documented(t)
	for _, r := range dashboard.Routes() {
		switch {
		case r.Method == http.MethodGet:
			if r.Operation != "" {
				t.Errorf("the page %s sends %s", r.Path, r.Operation)
			}
		case slices.Contains(browserOnly, r.Path):
			if r.Operation != "" {
				t.Errorf("the form %s sends %s, so it changes more than the browser", r.Path, r.Operation)
			}
		case !slices.Contains(operations, r.Operation):
			t.Errorf("the form %s sends %q, which the OpenAPI document does not have", r.Path, r.Operation)
		}
	}
}

// documented returns the operationIds of the OpenAPI document.
func documented(t *testing.T) (ids []string) {
	t.Helper()
	var api struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(document.JSON, &api); err != nil {
		t.Fatal(err)
	}
	for _, item := range api.Paths {
		for _, raw := range item {
			var op struct {
				OperationID string `json:"operationId"`
			}
			if strings.HasPrefix(string(raw), "{") && json.Unmarshal(raw, &op) == nil && op.OperationID != "" {
				ids = append(ids, op.OperationID)
			}
		}
	}
	return ids
}
