package content

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// textEdit replaces a range of the source.
type textEdit struct {
	start, end int
	text       string
}

// applyEdits makes the edits, except those that overlap an earlier one.
func applyEdits(source []byte, edits []textEdit) string {
	slices.SortStableFunc(edits, func(a, b textEdit) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	var b strings.Builder
	at := 0
	for _, e := range edits {
		if e.start < at {
			continue
		}
		b.Write(source[at:e.start])
		b.WriteString(e.text)
		at = e.end
	}
	b.Write(source[at:])
	return b.String()
}

// cutBlocks removes the blocks from one up to another, or to the end if that is nil. It keeps link references and footnotes that are
// defined there, because the rest of the text may use them, and separates the text before and after by blank lines.
func cutBlocks(source []byte, from, to ast.Node) textEdit {
	if to != nil && to.Kind() == extast.KindFootnoteList {
		to = nil // Footnotes may be defined anywhere.
	}
	var text strings.Builder
	text.WriteByte('\n')
	for n := from; n != nil && n != to; n = n.NextSibling() {
		if n.Kind() == ast.KindLinkReferenceDefinition {
			text.WriteString(strings.TrimSuffix(string(n.Lines().Value(source)), "\n") + "\n\n")
		}
	}
	e := textEdit{start: blockStart(source, from), end: len(source), text: text.String()}
	if to != nil {
		e.end = blockStart(source, to)
	}
	e.text += footnotesWithin(from.OwnerDocument(), source, e.start, e.end)
	return e
}

// blockStart returns the index at which the first line of a top-level block begins.
func blockStart(source []byte, n ast.Node) int {
	return bytes.LastIndexByte(source[:min(max(n.Pos(), 0), len(source))], '\n') + 1
}
