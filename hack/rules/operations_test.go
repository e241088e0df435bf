package rules

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// api is what is read of the OpenAPI document.
type api struct {
	Paths      map[string]map[string]any `json:"paths"`
	Components struct {
		Schemas map[string]struct {
			Properties map[string]any `json:"properties"`
		} `json:"schemas"`
	} `json:"components"`
}

func readAPI(t *testing.T) (a api) {
	t.Helper()
	if err := json.Unmarshal([]byte(read(t, "apiserver/rest/document/openapi.json")), &a); err != nil {
		t.Fatal(err)
	}
	const least = 40
	if len(a.Paths) < least {
		t.Fatalf("only %d paths are found: the document is read wrongly", len(a.Paths))
	}
	return a
}

// operations returns the operations of the API, those of OAuth or the others.
func (a api) operations(oauth bool) (all []string) {
	for path, methods := range a.Paths {
		for method := range methods {
			if strings.HasPrefix(path, "/v1/public/oauth/") == oauth {
				all = append(all, strings.ToUpper(method)+" "+path)
			}
		}
	}
	slices.Sort(all)
	return all
}

// The endpoints of OAuth are on the page of those who call them.
func TestAPageHasEveryEndpointOfOAuth(t *testing.T) {
	pages := pagesOfDocs(t)
	for _, operation := range readAPI(t).operations(true) {
		if !slices.ContainsFunc(pages, func(page string) bool { return strings.Contains(read(t, page), "`"+operation+"`") }) {
			t.Errorf("no page has `%s`", operation)
		}
	}
}

func TestTheRESTPageHasEveryMemberOfASiteAndOfAnArticle(t *testing.T) {
	a, page := readAPI(t), read(t, "docs/reference/rest-api.md")
	members := func(schema string) []string { return slices.Sorted(maps.Keys(a.Components.Schemas[schema].Properties)) }
	_, list, _ := strings.Cut(page, "### Site\n")
	list, _, _ = strings.Cut(list, "}")
	if diff := cmp.Diff(members("Site"), found(list, `(\w+)`)); diff != "" {
		t.Errorf("a site: the API has -, and the page +:\n%s", diff)
	}
	_, example, _ := strings.Cut(page, "### Article\n\n```json\n")
	example, _, _ = strings.Cut(example, "```")
	if diff := cmp.Diff(members("Article"), found(example, `(?m)^  "(\w+)":`)); diff != "" {
		t.Errorf("an article: the API has -, and the page +:\n%s", diff)
	}
}

// found returns what the group of an expression matches, each text once, sorted.
func found(text, expression string) (all []string) {
	for _, match := range regexp.MustCompile(expression).FindAllStringSubmatch(text, -1) {
		all = append(all, match[1])
	}
	slices.Sort(all)
	return slices.Compact(all)
}
