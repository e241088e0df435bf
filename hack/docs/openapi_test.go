//go:build e2e

package docs

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/internal/testkit/project"
)

// openAPI is what is read of docs/openapi.json.
type openAPI struct {
	Paths      map[string]map[string]any `json:"paths"`
	Components struct {
		Schemas map[string]struct {
			Properties map[string]any `json:"properties"`
		} `json:"schemas"`
	} `json:"components"`
}

// docs/rest-api.md is written by hand. It has every operation, and every member of a site and of an article.
func TestTheRESTPageHasWhatTheAPIHas(t *testing.T) {
	var api openAPI
	must(t, json.Unmarshal(read(t, "docs/openapi.json"), &api))
	page := string(read(t, "docs/rest-api.md"))

	var operations []string
	for path, methods := range api.Paths {
		// The page sends readers to the page of OAuth clients for these.
		if strings.HasPrefix(path, "/v1/public/oauth/") {
			continue
		}
		for method := range methods {
			operations = append(operations, strings.ToUpper(method)+" "+path)
		}
	}
	tables := found(page, "(?m)^\\| `((?:GET|POST|PATCH|PUT|DELETE) [^`]*)` \\|")
	if diff := cmp.Diff(unique(operations), tables); diff != "" {
		t.Errorf("operations: the API has -, and the tables of the page +:\n%s", diff)
	}
	members := func(schema string) []string {
		return slices.Sorted(maps.Keys(api.Components.Schemas[schema].Properties))
	}
	list, _, _ := strings.Cut(section(t, page, "### Site\n"), "}")
	if diff := cmp.Diff(members("Site"), found(list, `(\w+)`)); diff != "" {
		t.Errorf("a site: the API has -, and the page +:\n%s", diff)
	}
	example, _, _ := strings.Cut(section(t, page, "### Article\n\n```json\n"), "```")
	if diff := cmp.Diff(members("Article"), found(example, `(?m)^  "(\w+)":`)); diff != "" {
		t.Errorf("an article: the API has -, and the page +:\n%s", diff)
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(project.Root(), filepath.FromSlash(file)))
	must(t, err)
	return text
}

// section returns what follows a heading.
func section(t *testing.T, page, heading string) string {
	t.Helper()
	_, text, ok := strings.Cut(page, heading)
	if !ok {
		t.Fatalf("the page has no %q", heading)
	}
	return text
}

// found returns what the group of an expression matches.
func found(text, expression string) (all []string) {
	for _, match := range regexp.MustCompile(expression).FindAllStringSubmatch(text, -1) {
		all = append(all, match[1])
	}
	return unique(all)
}

func unique(all []string) []string {
	slices.Sort(all)
	return slices.Compact(all)
}
