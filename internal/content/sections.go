package content

import (
	"github.com/yuin/goldmark/ast"
)

// Section is a part of a body: a heading of the first two levels and what follows it up to the next one.
type Section struct {
	// Heading as plain text; empty for what stands before the first heading.
	Heading string
	// Start and End are indexes into the Markdown.
	Start, End int
}

// Sections splits a body at its headings of the first two levels. The first section is what stands before the first heading, and may
// be empty; the sections join to the whole body.
func Sections(markdownText string) []Section {
	source := []byte(markdownText)
	sections := []Section{{End: len(source)}}
	// A body that cannot be parsed has one section. Normalize refuses it.
	doc, err := Parse(source)
	if err != nil {
		return sections
	}
	for _, h := range splittingHeadings(doc, source) {
		start := blockStart(source, h)
		sections[len(sections)-1].End = start
		sections = append(sections, Section{Heading: inlineText(h, source), Start: start, End: len(source)})
	}
	return sections
}

// sectionAttribute numbers the headings that begin sections while HTML is read; what is published does not have it.
const sectionAttribute = "data-section"

// splittingHeadings are the headings of the first two levels that stand in no list, quote or table, and have a text.
func splittingHeadings(doc ast.Node, source []byte) []*ast.Heading {
	var found []*ast.Heading
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level <= 2 && inlineText(h, source) != "" {
			found = append(found, h)
		}
	}
	return found
}
