package content_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"

	"github.com/pressroom-dev/pressroom/internal/content"
)

var hostile = []string{
	"# T\n\nText", "<h1>a</h1>", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[a](javascript:alert(1))",
	"[a](java\tscript:alert(1))", "<a href=\"&#106;avascript:x\">", "![a](data:image/svg+xml;base64,PHN2Zz4=)", "<svg onload=x>",
	"<h1\n>a", "a\n===\n", "> # a", "- # a\n  b\n  ===", "| a |\n|---|\n| <h1> |", "[a]: javascript:x\n\n[a]", "<<script>script>",
	"## FAQ\n\n### Why?\n\nBecause.\n\n# End", "**FAQ**\n\n## FAQ\n- **a?** b", "\x00\xff<",
	"<!-- <h1> -->\n\n# b", "```\n# a", "<math><mi//xlink:href=\"data:x\">",
	"#\n=\n", "#foo\n=", "\\# a\n=", "\t# a", "1) # a\n\n   b\n   =",
	"<noscript><p title=\"</noscript><img src=x onerror=x>\">", "T\n\nT\n=",
}

func FuzzHTML(f *testing.F) {
	for _, seed := range hostile {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, markdown string) {
		if !utf8.ValidString(markdown) || len(markdown) > 4000 {
			t.Skip()
		}
		out, err := content.HTML(markdown)
		if err != nil {
			t.Fatalf("HTML failed: %v", err)
		}
		checkSafe(t, out)
	})
}

// checkSafe reads HTML as a browser does and looks at every element and attribute.
func checkSafe(t *testing.T, out string) {
	t.Helper()
	for tokens := html.NewTokenizer(strings.NewReader(out)); tokens.Next() != html.ErrorToken; {
		token := tokens.Token()
		switch token.Data {
		case "script", "style", "h1", "iframe", "object", "embed", "form", "input", "svg", "math", "base", "link", "meta":
			if token.Type != html.TextToken {
				t.Errorf("<%s> in %q", token.Data, out)
			}
		}
		for _, a := range token.Attr {
			scheme, _, absolute := strings.Cut(strings.ToLower(a.Val), ":")
			absolute = absolute && !strings.ContainsAny(scheme, "/?#") && (a.Key == "href" || a.Key == "src")
			allowed := scheme == "http" || scheme == "https" || scheme == "mailto" && a.Key == "href"
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || absolute && !allowed {
				t.Errorf("attribute %s=%q in %q", a.Key, a.Val, out)
			}
		}
	}
}

func FuzzNormalize(f *testing.F) {
	for _, seed := range hostile {
		f.Add("T", seed)
	}
	f.Fuzz(func(t *testing.T, title, markdown string) {
		if len(markdown) > 4000 {
			t.Skip()
		}
		once, err := content.Normalize(content.MoveFAQ(content.Document{Title: title, Markdown: markdown}))
		if err != nil {
			t.Skip()
		}
		twice, err := content.Normalize(once)
		if err != nil {
			t.Fatalf("normalizing again: %v", err)
		}
		if diff := cmp.Diff(once, twice); diff != "" {
			t.Errorf("normalizing %q again changes it (-once +twice):\n%s", markdown, diff)
		}
		if hasFirstLevelHeading(once.Markdown) {
			t.Errorf("%q became %q, which has a first-level heading", markdown, once.Markdown)
		}
		out, err := content.HTML(once.Markdown)
		if err != nil {
			t.Fatalf("HTML failed: %v", err)
		}
		checkSafe(t, out)
		if strings.TrimSpace(once.Title) == "" || once.MetaTitle == "" || once.MetaDescription == "" {
			t.Errorf("fields are empty: %+v", once)
		}
		checkBody(t, once.Markdown)
	})
}

// checkBody holds that sections join to the body, and that what is read of it is in them.
func checkBody(t *testing.T, markdown string) {
	t.Helper()
	sections := content.Sections(markdown)
	end := 0
	for _, s := range sections {
		if s.Start != end || s.End < s.Start {
			t.Errorf("sections of %q do not join: %+v", markdown, sections)
		}
		end = s.End
	}
	if end != len(markdown) {
		t.Errorf("sections of %q end at %d", markdown, end)
	}
	body, err := content.Read(markdown)
	if err != nil {
		t.Fatalf("Read failed: %v", err)
	}
	for _, b := range body.Blocks {
		if b.Text == "" || b.Section < 0 || b.Section >= len(sections) {
			t.Errorf("a block of %q has no text or no section: %+v", markdown, b)
		}
	}
}

func hasFirstLevelHeading(markdown string) bool {
	found := false
	doc := goldmark.DefaultParser().Parse(text.NewReader([]byte(markdown)))
	err := ast.Walk(doc, func(n ast.Node, _ bool) (ast.WalkStatus, error) {
		h, ok := n.(*ast.Heading)
		found = found || ok && h.Level == 1
		return ast.WalkContinue, nil
	})
	return found || err != nil
}

func FuzzSlug(f *testing.F) {
	for _, seed := range []string{"", "Größe", "🙂", "跑鞋", "a_b", "--", "\xff", strings.Repeat("a-", 99), "İ", "½ ㎏"} {
		f.Add(seed, "de")
	}
	f.Fuzz(func(t *testing.T, text, language string) {
		got := content.Slug(text, language)
		if !slugPattern.MatchString(got) || len(got) > content.MaxSlugBytes {
			t.Errorf("Slug(%q, %q) = %q", text, language, got)
		}
		if again := content.Slug(got, language); again != got {
			t.Errorf("Slug(%q) = %q", got, again)
		}
		unique := content.UniqueSlug(got, func(s string) bool { return s == got })
		if !slugPattern.MatchString(unique) || len(unique) > content.MaxSlugBytes+2 {
			t.Errorf("UniqueSlug(%q) = %q", got, unique)
		}
	})
}
