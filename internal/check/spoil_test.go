package check_test

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/check"
)

// spoiling is a way of making another post of one: better or worse, so that each threshold is crossed.
type spoiling struct {
	name string
	do   func(*check.Input)
}

var (
	headingLine = regexp.MustCompile(`(?m)^## .*\n`)
	imageMark   = regexp.MustCompile(`!\[[^\]]*\]\([^)]*\)\n*`)
	linkMark    = regexp.MustCompile(`(^|[^!])\[([^\]]*)\]\([^)]*\)`)
	listItem    = regexp.MustCompile(`(?m)^(?:-|\d\.) `)
)

// body changes the Markdown.
func body(change func(markdown, keyword string) string) func(*check.Input) {
	return func(in *check.Input) { in.Document.Markdown = change(in.Document.Markdown, in.Keyword) }
}

// repeat adds a sentence with the keyword to the end, some times.
func repeat(times int) func(*check.Input) {
	return body(func(markdown, keyword string) string {
		var more strings.Builder
		for i := range times {
			fmt.Fprintf(&more, "\n\nX%d %s.", i, keyword)
		}
		return markdown + more.String()
	})
}

// paragraphsUpTo keeps the first paragraphs up to a number of words.
func paragraphsUpTo(words int) func(*check.Input) {
	return body(func(markdown, _ string) string {
		var kept []string
		n := 0
		for p := range strings.SplitSeq(markdown, "\n\n") {
			if n += len(strings.Fields(p)); n > words && len(kept) > 0 {
				break
			}
			kept = append(kept, p)
		}
		return strings.Join(kept, "\n\n")
	})
}

// spoilings in the order of the recorded figures. Only add to the end: the recording names them.
var spoilings = []spoiling{
	{"as-it-is", func(*check.Input) {}},
	{"no-headings", body(func(m, _ string) string { return headingLine.ReplaceAllString(m, "") })},
	{"third-level", body(func(m, _ string) string { return strings.ReplaceAll(m, "\n## ", "\n### ") })},
	{"fourth-level", body(func(m, _ string) string { return strings.ReplaceAll(m, "\n## ", "\n#### ") })},
	{"keyword-in-all-headings", body(func(m, k string) string { return strings.ReplaceAll(m, "\n## ", "\n## "+k+" ") })},
	{"no-images", body(func(m, _ string) string { return imageMark.ReplaceAllString(m, "") })},
	{"an-image", body(func(m, _ string) string { return m + "\n\n![x](/x.png)\n" })},
	{"six-images", body(func(m, k string) string {
		return m + "\n\n![" + k + "](/a.png)" + strings.Repeat("\n\n![x](/x.png)", 5)
	})},
	{"no-links", body(func(m, _ string) string { return linkMark.ReplaceAllString(m, "$1$2") })},
	{"relative-links", body(func(m, _ string) string { return linkMark.ReplaceAllString(m, "$1[$2](/x)") })},
	{"nofollow-link", body(func(m, _ string) string { return m + "\n\n<a href=\"https://o.example.org/\" rel=\"nofollow\">o</a>\n" })},
	{"competing-link", body(func(m, k string) string { return m + "\n\n[" + k + "](https://o.example.org/)\n" })},
	{"no-introduction", body(func(m, _ string) string { _, rest, _ := strings.Cut(m, "\n\n"); return rest })},
	{"list-first", body(func(m, k string) string { return "- x\n- " + k + "\n\n" + m })},
	{"split-introduction", body(func(m, k string) string { return strings.Join(strings.Fields(k), " x. X ") + ".\n\n" + m })},
	{"quoted-introduction", body(func(m, k string) string { return "> " + k + "\n\n" + m })},
	{"keyword-once-more", repeat(1)},
	{"keyword-eight-times", repeat(8)},
	{"keyword-forty-times", repeat(40)},
	{"ninety-words", paragraphsUpTo(90)},
	{"two-hundred-words", paragraphsUpTo(220)},
	{"twice", body(func(m, _ string) string { return m + "\n\n" + m })},
	{"one-paragraph", body(func(m, _ string) string {
		return strings.Join(strings.Fields(listItem.ReplaceAllString(imageMark.ReplaceAllString(headingLine.ReplaceAllString(m, ""), ""), "")), " ")
	})},
	{"long-sentences", body(func(m, _ string) string { return strings.ReplaceAll(m, ". ", ", ") })},
	{"no-description", func(in *check.Input) { in.Document.MetaDescription = "" }},
	{"keyword-as-description", func(in *check.Input) {
		in.Document.MetaDescription = strings.Repeat(in.Keyword+". ", 3) + strings.Repeat("x", 160)
	}},
	{"keyword-first-in-title", func(in *check.Input) { in.Document.MetaTitle = in.Keyword + ": " + in.Document.Title }},
	{"other-title-and-slug", func(in *check.Input) { in.Document.MetaTitle, in.Document.Slug = "X", "x" }},
	{"long-keyword", func(in *check.Input) { in.Keyword += " alpha beta gamma" }},
	{"half-keyword", func(in *check.Input) { in.Keyword = strings.Fields(in.Keyword)[0] }},
}
