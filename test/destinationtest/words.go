package destinationtest

import (
	"encoding/json"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// WordsOf returns what people read of a page that has an HTML within it, with the addresses and the words of links and images. The rest of
// the page must not be within the text.
func WordsOf(tb testing.TB, fragment string) string {
	tb.Helper()
	page, err := html.Parse(strings.NewReader("<!DOCTYPE html><body><article>" + fragment + "</article><footer>The end</footer></body>"))
	if err != nil {
		tb.Fatal(err)
	}
	var words []string
	for n := range page.Descendants() {
		if n.Type == html.TextNode {
			words = append(words, strings.Fields(n.Data)...)
		}
		for _, a := range n.Attr {
			if a.Key == "alt" || a.Key == "href" || a.Key == "src" {
				words = append(words, a.Key+"="+a.Val)
			}
		}
		if n.Type == html.ElementNode && n.Data == "footer" && n.Parent.Data != "body" {
			tb.Errorf("the rest of the page is within <%s> of the text", n.Parent.Data)
		}
	}
	return strings.TrimSuffix(strings.Join(words, " "), " The end")
}

// FAQ has questions and answers in plain text with signs that other places give a meaning.
var FAQ = []v1alpha1.FAQ{
	{Question: "Which [shoes] & <b>why</b>?", Answer: "Those of 10~20 francs, or 30~40.\n\nSee [gallery] & more: 5 < 6."},
	{Question: "这是什么？", Answer: "“引用”。"},
}

// WordsWithFAQ returns what a destination of a type must show: the words of a text, and those of its FAQ, which a CMS has in the post
// under a heading, and the payload of a webhook beside it.
func WordsWithFAQ(kind v1alpha1.CMSType, words string, faq []v1alpha1.FAQ) string {
	heading := " Frequently asked questions "
	if kind == v1alpha1.CMSHeadless {
		heading = " "
	}
	return words + heading + WordsOfFAQ(faq)
}

// Words returns what people read of a post, and of a FAQ beside it.
func (s Sent) Words(tb testing.TB) string {
	tb.Helper()
	var beside struct {
		FAQ []v1alpha1.FAQ `json:"faq"`
	}
	if err := json.Unmarshal(s.Request, &beside); err != nil {
		tb.Fatal(err)
	}
	return strings.TrimSpace(WordsOf(tb, s.HTML) + " " + WordsOfFAQ(beside.FAQ))
}

// WordsOfFAQ returns what people read of questions and answers in plain text.
func WordsOfFAQ(faq []v1alpha1.FAQ) string {
	words := make([]string, 0, 10*len(faq))
	for _, f := range faq {
		words = append(words, strings.Fields(f.Question+" "+f.Answer)...)
	}
	return strings.Join(words, " ")
}

// Text is an ordinary or a hostile text, with words of it that must be read, in this order.
type Text struct{ Markdown, Want string }

// Texts are those of which all destinations must show the same.
var Texts = map[string]Text{
	"paragraphs":               {"One.\n\nTwo\nthree.", "One. Two three."},
	"headings":                 {"## One\n\nText\n\n### Two {#x}\n\nMore", "One Text Two"},
	"nested lists":             {"1. one\n   - two\n     - three\n2. four", "one two three four"},
	"a task list":              {"- [ ] open\n- [x] done", "☐ open ☑ done"},
	"a table":                  {"| a | b |\n|---|--:|\n| 1 \\| 2 | `x` |", "a b 1 | 2 x"},
	"a table without an end":   {"<table><tr><td>cell\n\nafter", "cell after"},
	"an open <details>":        {"<details><summary>more\n\nafter", "more after"},
	"ends without a beginning": {"</div></article></section>after", "after"},
	"misnested markup":         {"<b>one <i>two</b> three</i>", "one two three"},
	"a script":                 {"one <script>alert(1)</script> two", "one two"},
	"a comment":                {"one <!-- not --> two\n\n<!-- wp:html -->\n\nthree", "one two three"},
	"a shortcode":              {"see [gallery ids=\"1\"] here", `see [gallery ids="1"] here`},
	"a shortcode in code":      {"`[gallery]` and\n\n```\n[audio src=x]\n```", "[gallery] and [audio src=x]"},
	"an escaped shortcode":     {"\\[[gallery]\\]", "[[gallery]]"},
	"an address alone": {
		"before\n\nhttps://www.youtube.com/watch?v=1\n\nafter",
		"before href=https://www.youtube.com/watch?v=1 https://www.youtube.com/watch?v=1 after",
	},
	"one tilde":            {"10~20 minutes, or 30~40", "10~20 minutes, or 30~40"},
	"two tildes":           {"~~old~~ new", "old new"},
	"bold in Chinese":      {"这是**“重点”**内容", "这是 “重点” 内容"},
	"lines of Japanese":    {"東京\n大阪", "東京大阪"},
	"footnotes":            {"word[^1] more\n\n[^1]: The note.", "word"},
	"entities":             {"&lt;b&gt; &amp;amp; &copy; &#91;x&#93; &nbsp;y", "<b> &amp; © [x] y"},
	"code with brackets":   {"```go\nx := a[0] // <b> & [[c]]\n```", "x := a[0] // <b> & [[c]]"},
	"a long link":          {"[words](https://www.acme.example/" + strings.Repeat("a", 1500) + "?b=1&c=[2])", "words"},
	"a link of references": {"[words][r] and [no][s]\n\n[r]: https://www.acme.example/r \"Title\"", "words and [no][s]"},
	"a link of a script":   {"[words](javascript:alert(1))", "words"},
	"emoji":                {"👩\u200D💻 and 🇨🇭 and ☕\uFE0F", "👩\u200D💻 and 🇨🇭 and ☕\uFE0F"},
	"Hebrew and Arabic":    {"שלום **עולם** (abc)\n\nمرحبا `x` می\u200Cخواهم", "שלום עולם (abc) مرحبا x می\u200Cخواهم"},
	"an image":             {"![A [hut] & more](https://www.acme.example/hut.png)", "A [hut] & more"},
	"dollars and percents": {"$1 {{ product.title }} {% raw %} %s ${x}", "$1 {{ product.title }} {% raw %} %s ${x}"},
	"a quotation":          {"> one\n> > two\n\nthree", "one two three"},
	"line breaks":          {"one  \ntwo\\\nthree", "one two three"},
	"a preformatted block": {"<pre>one\n  [two]\n</pre>\n\nthree", "one [two] three"},
	"questions":            {"## FAQ\n\n### Why [so]?\n\nBecause.", "FAQ Why [so]? Because."},
}
