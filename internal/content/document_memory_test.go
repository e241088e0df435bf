package content_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/test/memory"
)

// hostileMarkdown are texts of about a size that parsers make much of.
func hostileMarkdown(size int) map[string]string {
	fill := func(begin, unit string) string {
		return begin + strings.Repeat(unit, max(0, size-len(begin))/len(unit))
	}
	columns := func(n int) string {
		return "|" + strings.Repeat("a|", n) + "\n|" + strings.Repeat("-|", n) + "\n"
	}
	texts := map[string]string{
		"paragraphs": fill("", "a\n\n"), "words": fill("", "word "), "breaks": fill("", "a  \n"), "headings": fill("", "# a\n"),
		"first-level headings": fill("", "# a\n"), "underlined headings": fill("", "a\n=\n\n"), "rules": fill("", "---\n"),
		"nested quotes": fill("", strings.Repeat(">", 99)+"a\n"), "nested quotes apart": fill("", strings.Repeat(">", 99)+"a\n\n"),
		"deep quotes": fill("", ">"), "lazy quotes": fill(strings.Repeat(">", 99), "a\n"),
		"nested lists": fill("", strings.Repeat("- ", 99)+"a\n"), "deep lists": fill("", "- "), "numbered lists": fill("", strings.Repeat("1. ", 99)+"a\n"),
		"items": fill("", "- a\n"), "loose items": fill("", "- a\n\n"), "empty items": fill("", "-\n"), "indented items": fill("- a\n", "  - a\n"),
		"brackets": fill("", "["), "some brackets": fill(strings.Repeat("[", 1900), "word "), "brackets in paragraphs": fill("", strings.Repeat("[", 40)+"\n\n"),
		"wide tables": fill("", columns(300)+strings.Repeat("|\n", 300)+"\n"), "long tables": fill(columns(2), "|a|b|\n"),
		"short rows": fill(columns(90), "|\n"), "many short rows": fill(columns(40), "a\n"), "tables": fill("", "|a|\n|-|\n\n"),
		"references": fill("", "[a]: b\n"), "used references": fill(strings.Repeat("[a]: b\n", 1000)+"\n", "[a] "),
		"long references": fill("[a]: <"+strings.Repeat("b", 1000)+">\n\n", "[a]\n\n"),
		"entities":        fill("", "&amp;"), "long entities": fill("", "&CounterClockwiseContourIntegral;"), "escapes": fill("", "\\*"),
		"code": fill("", "`a` "), "fences": fill("", "```\na\n```\n"), "indented code": fill("", "    a\n\n"), "open fences": fill("", "~~~\n"),
		"links": fill("", "[a](b) "), "bare links": fill("", "http://a.b "), "bare addresses": fill("", "a@b.c "), "images": fill("", "![a](b)\n\n"),
		"emphasis": fill("", "*a* "), "emphasis in paragraphs": fill("", strings.Repeat("*a ", 40)+"\n\n"), "strikethrough": fill("", "~~a~~ "),
		"tags": fill("", "<b>"), "blocks of HTML": fill("", "<div>\n\n"), "attributes": fill("", "<a href=b title=c>"), "comments": fill("", "<!---->"),
		"formatting over paragraphs": fill("<p>"+strings.Repeat("<b>", 480)+"\n\n", "<p>x\n\n"),
		"blanks":                     fill("", strings.Repeat(" ", 500)+"a\n"), "tabs": fill("", "\t\t- a\n"), "control characters": fill("", "\x00"),
		"no UTF-8": fill("", "\xff"), "marks": fill("", "a"+strings.Repeat("\u0301", 200)), "ligatures": fill("", "\ufdfa"), "lines": fill("", "\n"),
		"questions": fill("## FAQ\n\n", "### a?\n\nb\n\n"), "bold questions": fill("## FAQ\n\n", "**a?** b\n\n"),
	}
	return texts
}

// readers are what reads a text of a request, a model or a file.
var readers = map[string]func(string){
	"HTML":      func(text string) { _, _ = content.HTML(text) },
	"Read":      func(text string) { _, _ = content.Read(text) },
	"Normalize": func(text string) { _, _ = content.Normalize(content.Document{Title: "T", Markdown: text}) },
	"MoveFAQ":   func(text string) { content.MoveFAQ(content.Document{Title: "T", Markdown: text}) },
	"Sections":  func(text string) { content.Sections(text) },
	"NamedLinks": func(text string) {
		content.NamedLinks{Links: []content.NamedLink{{Name: "a", URL: "https://a.example"}}, Most: 1}.Apply(text)
	},
	"no addresses": func(text string) { content.WithoutAddresses(text) },
	"Slug":         func(text string) { content.Slug(text, "de") },
}

// The bounds are about twice what the worst of the seeds takes. The constant is for what is bounded for a text of any size: cells that
// rows lack, and addresses that are written once and used often.
var bounds = memory.Bound{PerByte: 3000, Constant: 64 << 20}

func FuzzTextsTakeMemoryByTheirSize(f *testing.F) {
	for _, size := range []int{4 << 10, 84 << 10} {
		for _, text := range hostileMarkdown(size) {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, read := range readers {
			if !bounds.Check(t, len(text), func() { read(text) }) {
				t.Errorf("%s: %.100q", name, text)
			}
		}
	})
}

func BenchmarkMemory(b *testing.B) {
	for _, size := range []int{4 << 10, 240 << 10} {
		for reader, read := range readers {
			for name, text := range hostileMarkdown(size) {
				b.Run(fmt.Sprintf("%s/%s/%d", reader, name, size>>10), func(b *testing.B) {
					for b.Loop() {
						b.ReportMetric(memory.Ratio(len(text), func() { read(text) }), "B/byte")
					}
				})
			}
		}
	}
}
