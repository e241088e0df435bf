package generate_test

import (
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/generate"
)

// What nobody finds a fault with is kept: a refresh costs turns for repairs alone.
func TestARefreshKeepsEverySectionThatWasNotNamed(t *testing.T) {
	r := generate.Request{Keyword: "home espresso grinder", Language: "en", Links: []generate.Link{neighbour}}
	g, asked := scriptedModel(t, "perfect")
	first, err := g.Generate(t.Context(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	*asked = 0
	r.Refresh = &first.Document
	again, err := g.Generate(t.Context(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	if *asked != len(again.Repairs) {
		t.Errorf("%d turns for %d repairs", *asked, len(again.Repairs))
	}
	named := map[string]bool{}
	for _, repair := range again.Repairs {
		named[repair.Part] = true
	}
	before, after := content.Sections(first.Document.Markdown), content.Sections(again.Document.Markdown)
	if len(before) != len(after) || len(before) < 2 {
		t.Fatalf("%d sections became %d", len(before), len(after))
	}
	for i, s := range before {
		was, is := first.Document.Markdown[s.Start:s.End], again.Document.Markdown[after[i].Start:after[i].End]
		if strings.TrimSpace(was) != strings.TrimSpace(is) && !named[s.Heading] && !named["body"] && (s.Heading != "" || !named["introduction"]) {
			t.Errorf("section %q was not named and has changed:\n%s\n%s", s.Heading, was, is)
		}
	}
}
