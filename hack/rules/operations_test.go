package rules

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestThePagesHaveEveryOperation(t *testing.T) {
	var document struct {
		Paths map[string]map[string]any `json:"paths"`
	}
	data, err := os.ReadFile(filepath.Join(root, "docs", "openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	pages := pagesOfDocs(t)
	for path, methods := range document.Paths {
		for method := range methods {
			operation := strings.ToUpper(method) + " " + path
			if !slices.ContainsFunc(pages, func(page string) bool { return strings.Contains(page, "`"+operation+"`") }) {
				t.Errorf("no page has `%s`", operation)
			}
		}
	}
	const least = 40
	if len(document.Paths) < least {
		t.Errorf("only %d paths are found: the document is read wrongly", len(document.Paths))
	}
}

func pagesOfDocs(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages := make([]string, len(files))
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pages[i] = string(text)
	}
	return pages
}
