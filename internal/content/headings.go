package content

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/pressroom-dev/pressroom/internal/language"
)

// rawHeading finds the tags of a first-level heading in raw HTML, up to its digit.
var rawHeading = regexp.MustCompile(`(?i)</?h1(?:[\s/>]|$)`)

// firstLevelText returns the text of the first <h1> of the document, or "".
func firstLevelText(doc ast.Node, source []byte) string {
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 1 {
			if text := inlineText(h, source); text != "" {
				return text
			}
		}
	}
	return ""
}

// titleLines cuts the lines that only repeat the title: at the top of the body in any form, below it only as <h1>.
func titleLines(doc ast.Node, source []byte, title string) []textEdit {
	var cuts []textEdit
	top := true
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		h, heading := n.(*ast.Heading)
		repeats := (heading || n.Kind() == ast.KindParagraph) && sameText(inlineText(n, source), title)
		switch {
		case repeats && (top || heading && h.Level == 1):
			cuts = append(cuts, cutBlocks(source, n, n.NextSibling()))
		default:
			top = false
		}
	}
	return cuts
}

// sameText compares texts by their words, or exactly if they have none.
func sameText(a, b string) bool {
	if a == b {
		return a != ""
	}
	words := language.Words(a)
	return len(words) > 0 && slices.Equal(words, language.Words(b))
}

// demotions turns all other first-level headings into second-level ones, including those in raw HTML.
func demotions(doc ast.Node, source []byte) []textEdit {
	var edits []textEdit
	walk(doc, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level == 1 {
				edits = append(edits, demote(n, source)...)
			}
		case *ast.HTMLBlock:
			for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
				edits = append(edits, demoteRaw(source, line.Start, line.Stop)...)
			}
			if n.HasClosure() {
				edits = append(edits, demoteRaw(source, n.ClosureLine.Start, n.ClosureLine.Stop)...)
			}
		case *ast.RawHTML:
			for _, part := range n.Segments.Sliced(0, n.Segments.Len()) {
				edits = append(edits, demoteRaw(source, part.Start, part.Stop)...)
			}
		}
		return true
	})
	return edits
}

func demote(h *ast.Heading, source []byte) []textEdit {
	if at := h.Pos(); isATX(source, at) {
		return []textEdit{{start: at, end: at, text: "#"}}
	}
	if h.Lines().Len() == 0 {
		return nil
	}
	// Underlined: the line after the heading's last one ends in equals signs.
	last := h.Lines().At(h.Lines().Len() - 1)
	from := last.Stop
	if from > 0 && source[from-1] != '\n' {
		from += bytes.IndexByte(source[from:], '\n') + 1
	}
	to := len(source)
	if end := bytes.IndexByte(source[from:], '\n'); end >= 0 {
		to = from + end
	}
	end := from + len(bytes.TrimRight(source[from:to], " \t"))
	start := from + len(bytes.TrimRight(source[from:end], "="))
	return []textEdit{{start: start, end: end, text: string(bytes.Repeat([]byte("-"), end-start))}}
}

// isATX reports whether a first-level heading begins with # at this index.
func isATX(source []byte, at int) bool {
	if at < 0 || at >= len(source) || source[at] != '#' {
		return false
	}
	return at+1 == len(source) || strings.IndexByte(" \t\n", source[at+1]) >= 0
}

func demoteRaw(source []byte, start, stop int) []textEdit {
	tags := rawHeading.FindAllIndex(source[start:stop], -1)
	edits := make([]textEdit, 0, len(tags))
	for _, found := range tags {
		digit := start + found[0] + bytes.IndexByte(source[start+found[0]:], '1')
		edits = append(edits, textEdit{start: digit, end: digit + 1, text: "2"})
	}
	return edits
}
