package content_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pressroom-dev/pressroom/internal/content"
)

var bodies = []string{
	"a *b **c*** `d`\ne\\\nf  \ng &amp; &eacute; &#13; &#xFEFF; \\* \\a", "**a** b", "[**a**](/b \"c\")", "a [b](</c d> 'e') ![f `g` **h**  \ni](/j)",
	"# a\n\nb\n\n## ![c](d)\n\n### e\n\n- # f\n", "- a\n\n      b\n  c\n- d\n\n  e\n  > f\n\n  g\n1. h\n   - i\n     ```\n     j\n     ```\n     k",
	"| a | `b\\|c` |\n|---|:-:|\n| [d](/e) | **f** |\n| g |\n", "> a\n>\n> - b [c](d) ![e](f)\n> # g\n\nh", "http://a.b www.c.d e@f.gh <mailto:i@j.kl> <k@l.mn>",
	"~~a~~ b\n***\nc\n---\n\n\td\n\n```x\ne\n```\nf", "[a]: /b\n\n[a] [c][a] [d] ![a]", "a\u00a0 \u2028b\n\n\u3000c", "[a](&#32;/b) [](c) [ ](d)",
}

// The comment before a text has no text, and makes the reader read HTML.
func FuzzNodesAreReadAsTheirHTML(f *testing.F) {
	for _, text := range slices.Concat(bodies, hostile, slices.Collect(maps.Values(smallHostileTexts()))) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, markdown string) {
		if len(markdown) > 4000 {
			t.Skip()
		}
		nodes, err := content.Read(markdown)
		if err != nil {
			t.Skip()
		}
		html, err := content.Read("<!-- -->\n\n" + markdown)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(html, nodes, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q is read otherwise (-HTML +nodes):\n%s", markdown, diff)
		}
	})
}

// smallHostileTexts are the beginnings of hostile texts.
func smallHostileTexts() map[string]string {
	texts := hostileTexts()
	for name, text := range texts {
		texts[name] = text[:min(len(text), 200)]
	}
	return texts
}
