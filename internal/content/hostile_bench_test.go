package content_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/internal/content"
)

func TestProbe(t *testing.T) {
	const size = 262000
	fill := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	para := func(unit string, n int) string { return fill(strings.Repeat(unit, n) + "\n\n") }
	ordinary := fill("## What to look for\n\nLugs of *4 mm* or more, and a [heel](https://acme.example/heel) that holds, on **any** ground, with `code` and more words that follow here.\n\n- one item\n- another item\n\n| a | b |\n|---|---|\n| c | d |\n\n")
	plain := fill("Some words that are nothing but words, and go on and on until the paragraph has the length of one. ")
	words := fill("Some words that are nothing but words, and go on and on until the paragraph has the length of one.\n\n")
	cases := []struct{ name, text string }{
		{"ordinary", ordinary}, {"plain one paragraph", plain}, {"plain paragraphs", words},
	}
	for _, n := range []int{100, 300, 490, 990, 1990} {
		for _, u := range []string{"[a](", "[", "]", "*a ", "_a ", "~a", "`", "<", "<a ", "![", "[a](b) ", "*a* ", "**a", "a*", "&lt;", "\\[", "http://a ", "a@b.c ", "[a]: b\n", "<!--", "&"} {
			cases = append(cases, struct{ name, text string }{fmt.Sprintf("%q x %d", u, n), para(u, n)})
		}
	}
	for _, c := range []struct{ name, text string }{
		{"quotes", fill(strings.Repeat(">", 99) + "a\n")}, {"quotes in blocks", fill(strings.Repeat("> ", 99) + "a\n\n")}, {"lists", fill(strings.Repeat("- ", 99) + "a\n")}, {"lists of numbers", fill(strings.Repeat("1. ", 33) + "a\n")},
		{"nested lists", func() string { var b strings.Builder; for i := 0; b.Len() < size; i++ { b.WriteString(strings.Repeat("  ", i%90) + "- a\n") }; return b.String()[:size] }()},
		{"references", func() string { var b strings.Builder; for i := range 1990 { fmt.Fprintf(&b, "[a%d]: b\n", i) }; b.WriteString("\n"); for b.Len() < size { b.WriteString("[a1] [a2]\n\n") }; return b.String()[:size] }()},
		{"table cells", fill("|" + strings.Repeat("a|", 300) + "\n|" + strings.Repeat("-|", 300) + "\n" + strings.Repeat("|\n", 300) + "\n")},
		{"table many cells", fill("|" + strings.Repeat("a|", 20) + "\n|" + strings.Repeat("-|", 20) + "\n" + strings.Repeat("|"+strings.Repeat("a|", 20)+"\n", 20) + "\n")},
		{"headings", fill("# a\n")}, {"setext", fill("a\n=\n\n")}, {"html blocks", fill("<div>\n\n")}, {"html open", fill("<div><b><i>")}, {"html nested", fill("<div>")}, {"h1 tags", fill("<h1>")},
		{"code", fill("```\na\n```\n")}, {"hr", fill("---\n")}, {"entities", fill("&amp;")}, {"entities in paragraphs", fill("&amp;&lt;&#35;\n\n")}, {"escapes", fill("\\*")}, {"nul", fill("\x01a")},
		{"backticks growing", func() string { var b strings.Builder; for i := 1; b.Len() < size; i++ { b.WriteString(strings.Repeat("`", i%600+1) + " ") ; if i%60==0 {b.WriteString("\n\n")}}; return b.String()[:size] }()},
		{"tabs", fill("\t")}, {"blank", fill(" \n")}, {"spaces then a", fill(strings.Repeat(" ", 500) + "a\n")}, {"long lines of combining marks", fill("e\u0301")}, {"hangul", fill("가")}, {"zalgo", fill("a" + strings.Repeat("\u0301", 200))},
	} {
		cases = append(cases, c)
	}
	var base time.Duration
	for _, c := range cases {
		began := time.Now()
		d, err := content.Normalize(content.Document{Title: "T", Markdown: c.text})
		norm := time.Since(began)
		var render time.Duration
		if err == nil {
			began = time.Now()
			content.HTML(d.Markdown)
			render = time.Since(began)
			began = time.Now()
			content.Score(d, "trail shoes", []string{"a"})
		}
		score := time.Since(began)
		total := norm + render
		if base == 0 {
			base = total
		}
		ratio := float64(total) / float64(base)
		if ratio > 2 || c.name == "ordinary" || strings.HasPrefix(c.name, "plain") {
			e := ""
			if err != nil {
				e = err.Error()
				if len(e) > 60 { e = e[:60] }
			}
			fmt.Printf("%6.1f  norm %8s render %8s score %8s  %-30s %s\n", ratio, norm.Round(time.Millisecond), render.Round(time.Millisecond), score.Round(time.Millisecond), c.name, e)
		}
	}
}
