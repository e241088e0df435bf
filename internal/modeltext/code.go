package modeltext

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/pressroom-dev/pressroom/internal/content"
)

// span is a range of a text.
type span struct{ start, end int }

// reader parses Markdown. It remembers the last text, which most steps do not change.
type reader struct {
	text string
	doc  ast.Node
	code []span
}

// parse returns the tree of a text; nil if the text is too long or too complex.
func (r *reader) parse(text string) ast.Node {
	if r.doc != nil && r.text == text {
		return r.doc
	}
	doc, err := content.Parse([]byte(text))
	if err != nil {
		return nil
	}
	r.text, r.doc, r.code = text, doc, codeOf(doc)
	return doc
}

// codeIn returns where a text has code, without the signs around it; false if the text cannot be parsed.
func (r *reader) codeIn(text string) ([]span, bool) {
	if r.parse(text) == nil {
		return nil, false
	}
	return r.code, true
}

func codeOf(doc ast.Node) []span {
	var spans []span
	// The walker returns only the errors of its function.
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			for i := range n.Lines().Len() {
				line := n.Lines().At(i)
				spans = append(spans, span{line.Start, line.Stop})
			}
		case *ast.CodeSpan:
			for child := n.FirstChild(); child != nil; child = child.NextSibling() {
				if t, ok := child.(*ast.Text); ok {
					spans = append(spans, span{t.Segment.Start, t.Segment.Stop})
				}
			}
		}
		return ast.WalkContinue, nil
	})
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
	return spans
}

// isIn reports whether a position is in one of the spans, which are in order.
func isIn(spans []span, at int) bool {
	i, found := slices.BinarySearchFunc(spans, at, func(s span, at int) int { return s.start - at })
	return found || i > 0 && at < spans[i-1].end
}

// cut removes ranges, which are in order.
func cut(text string, ranges []span) string {
	var b strings.Builder
	at := 0
	for _, r := range ranges {
		b.WriteString(text[at:r.start])
		at = r.end
	}
	b.WriteString(text[at:])
	return b.String()
}

// block is a block at the top level of a text.
type block struct {
	span
	node ast.Node
}

// topLevel returns the blocks of a text; nil if it cannot be parsed. Each ends where the next one begins.
func (r *reader) topLevel(text string) []block {
	doc := r.parse(text)
	if doc == nil {
		return nil
	}
	var blocks []block
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		start := strings.LastIndexByte(text[:min(max(n.Pos(), 0), len(text))], '\n') + 1
		if len(blocks) > 0 {
			blocks[len(blocks)-1].end = start
		}
		blocks = append(blocks, block{span{start, len(text)}, n})
	}
	return blocks
}
