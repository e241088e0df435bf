package rules

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	// pointer is how code names a heading of a page: the page, a comma, and the heading.
	pointer = regexp.MustCompile(`\b(docs/[\w/-]+\.md), "?`)
	// lineBreak is one within a comment, or within a text of a manifest.
	lineBreak = regexp.MustCompile(`\s*\n\s*(?://|#)?\s*`)
)

// Comments lean on statements of pages. A heading that is renamed leaves no comment behind.
func TestEveryHeadingThatCodeNamesExists(t *testing.T) {
	seen := 0
	for _, file := range textFiles(t) {
		for _, p := range pointersOf(read(t, file)) {
			seen++
			if !leadsTo(t, p.page) {
				t.Errorf("%s names %s, which does not exist", file, p.page)
			} else if !p.namesOneOf(headings(read(t, p.page))) {
				t.Errorf("%s points to %s, which has no heading %q", file, p.page, p.after)
			}
		}
	}
	const least = 50
	if seen < least {
		t.Errorf("only %d names of headings were found: they are read wrongly", seen)
	}
}

// headingOf is a place in code that names a heading.
type headingOf struct {
	page string
	// after is what follows the page: it begins with the heading.
	after string
}

// pointersOf returns the headings that a text names, across the lines of a comment.
func pointersOf(text string) (all []headingOf) {
	const most = 80
	line := lineBreak.ReplaceAllString(text, " ")
	for _, at := range pointer.FindAllStringSubmatchIndex(line, -1) {
		all = append(all, headingOf{page: line[at[2]:at[3]], after: line[at[1]:min(at[1]+most, len(line))]})
	}
	return all
}

// namesOneOf reports whether what follows the page begins with a heading.
func (p headingOf) namesOneOf(headings []string) bool {
	return slices.ContainsFunc(headings, func(h string) bool {
		rest, found := strings.CutPrefix(p.after, h)
		return found && !startsWithLetter.MatchString(rest)
	})
}

var startsWithLetter = regexp.MustCompile(`^[\p{L}\p{N}_-]`)

// headings returns those of a page, without marks.
func headings(page string) (all []string) {
	for _, h := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(page, ""), -1) {
		all = append(all, strings.ReplaceAll(linkText.ReplaceAllString(h[1], "$1"), "`", ""))
	}
	return all
}

func TestPointersNameTheHeadingsOfAPage(t *testing.T) {
	const file = "docs/" + "contract.md"
	page := "# Contract\n\n## Article states\n\n### `POST` of [a text](x.md)\n\n```sh\n# No heading\n```\n"
	tests := []struct {
		name, text string
		want       bool
	}{
		{"a heading", "(PAGE, Article states)", true},
		{"a heading and more words", "as PAGE, Article states says", true},
		{"a heading in quotes", `PAGE, "Article states"`, true},
		{"a heading on the next line of a comment", "// PAGE,\n\t// Article\n// states.", true},
		{"a heading on the next line of a manifest", "# PAGE, Article\n#   states.", true},
		{"a heading with marks", "PAGE, POST of a text", true},
		{"no heading", "PAGE, Limits", false},
		{"the beginning of a heading", "PAGE, Article", false},
		{"more than a heading", "PAGE, Contracts", false},
		{"a comment of a program", "PAGE, No heading", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found := pointersOf(strings.ReplaceAll(tt.text, "PAGE", file))
			if len(found) != 1 || found[0].page != file {
				t.Fatalf("finds %v, want one", found)
			}
			if got := found[0].namesOneOf(headings(page)); got != tt.want {
				t.Errorf("it names a heading: %t, want %t", got, tt.want)
			}
		})
	}
}
