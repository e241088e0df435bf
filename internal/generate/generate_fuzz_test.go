package generate_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/generate"
)

// A keyword is text: whatever it is, it adds no markup to the built-in article and gets no slug that the API would refuse.
func FuzzBuiltInKeyword(f *testing.F) {
	for _, seed := range []string{"trail shoes", "*a*", "[a]: b", "www.a.bc", "a@b.cd", "ftp://x", "&#65;", "\\", "<!--", "~~a~~", "1) a", "a\\|b", "``` a"} {
		f.Add(seed)
	}
	g, err := generate.New(generate.Config{Type: "BuiltIn"})
	if err != nil {
		f.Fatal(err)
	}
	write := func(t *testing.T, keyword string) string {
		t.Helper()
		result, err := g.Generate(t.Context(), generate.Request{Keyword: keyword, SecondaryKeywords: []string{"x" + keyword}}, nil)
		if err != nil {
			t.Fatalf("Generate(%q): %v", keyword, err)
		}
		if slug := result.Document.Slug; content.Slug(slug, "en") != slug {
			t.Errorf("slug = %q", slug)
		}
		html, err := content.HTML(result.Document.Markdown)
		if err != nil {
			t.Fatalf("HTML: %v", err)
		}
		return html
	}
	f.Fuzz(func(t *testing.T, keyword string) {
		if len(keyword) > 200 || strings.TrimSpace(keyword) == "" {
			t.Skip()
		}
		if diff := cmp.Diff(tags(write(t, "plain")), tags(write(t, keyword))); diff != "" {
			t.Errorf("%q makes markup (-plain +this):\n%s", keyword, diff)
		}
	})
}
