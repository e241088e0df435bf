package content

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

var (
	// markdown reads CommonMark with GitHub's tables, strikethrough, bare links, footnotes and tasks, and emphasis beside Chinese, Japanese
	// and Korean. It passes raw HTML through: the sanitiser decides what is kept.
	markdown = goldmark.New(
		goldmark.WithExtensions(
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
			emphasis{}, extension.Linkify, footnotes(), tasks{},
		),
		goldmark.WithRendererOptions(html.WithUnsafe()),
	)

	// blocks finds only paragraphs, headings, lists, tables and the like, which is cheap for any bounded text.
	blocks = parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(),
			util.Prioritized(extension.NewTableParagraphTransformer(), 200))...),
	)
)

// Parse parses Markdown as HTML does, after a check of its size and complexity.
func Parse(source []byte) (ast.Node, error) {
	if err := checkComplexity(source); err != nil {
		return nil, err
	}
	doc := markdown.Parser().Parse(text.NewReader(source))
	nameFootnotes(doc, source)
	joinEastAsianLines(doc, source)
	return doc, nil
}

// walk calls visit for a node and all below it, parents first. If visit returns false, the nodes below are skipped.
func walk(node ast.Node, visit func(ast.Node) bool) {
	if !visit(node) {
		return
	}
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		walk(child, visit)
	}
}
