package content_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

func TestHTMLIsABalancedFragment(t *testing.T) {
	for name, tc := range map[string]struct{ markdown, want string }{
		"a table that does not end": {
			"<table><tr><td>cell\n\nafter", "<table><tbody><tr><td>cell\n<p>after</p>\n</td></tr></tbody></table>",
		},
		"formatting over paragraphs": {"a <b>bold\n\nafter</b> it", "<p>a <b>bold</b></p>\n<p>after it</p>\n"},
		"formatting around blocks":   {"<div><a href=\"/b\"><p>a</p></a></div>", "<div><a href=\"/b\"><p>a</p></a></div>"},
		"a link that does not end":   {"a <a href=\"/b\">link\n\nthe rest", "<p>a <a href=\"/b\">link</a></p>\n<p>the rest</p>\n"},
		"a link in a link":           {"<a href=\"/a\">one <a href=\"/b\">two</a>", "<p><a href=\"/a\">one </a><a href=\"/b\">two</a></p>\n"},
		"details that do not end":    {"<details><summary>more\n\nafter", "<details><summary>more\n<p>after</p>\n</summary></details>"},
		"ends without a beginning":   {"x</blockquote></td></tr></table></ul></p></div> y", "<p>x</p> y\n"},
		"crossed elements":           {"<b>a <i>b</b> c</i>", "<p><b>a <i>b</i></b> c</p>\n"},
		"a text between cells":       {"<table>a<tr>b<td>c</table>", "<table><tbody><tr><td>a</td></tr><tr><td>b</td><td>c</td></tr></tbody></table>"},
		"a block between cells":      {"<table><tr><ul><li>a</table>", "<table><tbody><tr><td><ul><li>a</li></ul></td></tr></tbody></table>"},
		"a list in a paragraph":      {"<p>a<ul><li>b<li>c</ul>d", "<p>a</p><ul><li>b</li><li>c</li></ul>d"},
		"a heading in a heading":     {"<h2>a<h3>b</h2>", "<h2>a</h2><h3>b</h3>"},
		"Markdown in a paragraph":    {"<p>\n\n- a\n\n</p>", "<p>\n</p><ul>\n<li>a</li>\n</ul>\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := content.HTML(tc.markdown)
			if err != nil || strings.TrimSpace(got) != strings.TrimSpace(tc.want) {
				t.Errorf("HTML = %q, %v\nwant   %q", got, err, tc.want)
			}
			checkBalanced(t, got)
		})
	}
	faq, err := content.FAQSection([]v1alpha1.FAQ{{Question: "Q?", Answer: "<details><b>a"}, {Question: "R?", Answer: "</details>b"}}, "en")
	if err != nil {
		t.Fatal(err)
	}
	checkBalanced(t, faq)
	if _, err := content.HTML(strings.Repeat("<div>\n", 500)); !errors.Is(err, content.ErrTooComplex) {
		t.Errorf("500 elements in others: %v, want ErrTooComplex", err)
	}
}

// checkBalanced has the HTML standard's parser read a fragment: it must find the elements that are written, and nothing to mend.
func checkBalanced(t *testing.T, fragment string) {
	t.Helper()
	nodes, err := html.ParseFragment(strings.NewReader(fragment), &html.Node{Type: html.ElementNode, DataAtom: atom.Body, Data: "body"})
	if err != nil {
		t.Fatalf("%v in %q", err, fragment)
	}
	var parsed strings.Builder
	for _, n := range nodes {
		if err := html.Render(&parsed, n); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := tagsOf(parsed.String()), tagsOf(fragment); got != want {
		t.Errorf("not balanced: %q\nis read as %q\nwritten as %q", fragment, got, want)
	}
}

// tagsOf returns the tags of HTML without attributes, and its text.
func tagsOf(source string) string {
	var b strings.Builder
	for tokens := html.NewTokenizer(strings.NewReader(source)); tokens.Next() != html.ErrorToken; {
		token := tokens.Token()
		switch token.Type {
		case html.StartTagToken, html.SelfClosingTagToken:
			b.WriteString("<" + token.Data + ">")
		case html.EndTagToken:
			b.WriteString("</" + token.Data + ">")
		default:
			b.WriteString(strings.ReplaceAll(token.Data, "\n", ""))
		}
	}
	return b.String()
}

func FuzzHTMLIsBalanced(f *testing.F) {
	for _, seed := range hostile {
		f.Add(seed)
	}
	for _, seed := range []string{
		"<table><tr><td>a\n\n- b", "<b><p>a</b>b</p>c", "<a href=/a><table><td><a href=/b>c</table>", "<li>a<p>b<li>c<dd>d<dt>e", "<h2><b><h3>a</h2>b",
		"<p><pre>\n\na</p>", "<caption>a<table><caption>b<td>c<caption>d", "<ul><li><b><li>a</ul></b>", "<table><table><tr><p>a</table>b</table>",
		"<details><summary><summary>a</details></p>", "<code><code><p>a</code>b", "<dl><dt><div><dd>a", "<th><tr><thead>a",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, markdown string) {
		if !utf8.ValidString(markdown) || len(markdown) > 4000 {
			return
		}
		out, err := content.HTML(markdown)
		if err != nil {
			return
		}
		checkBalanced(t, out)
	})
}
