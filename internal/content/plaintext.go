package content

import (
	"bufio"
	"bytes"
	stdhtml "html"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer/html"
)

// PlainText returns the visible text of Markdown: without markup, blocks separated by blank lines, list items with their bullets. It
// is empty if the text is too long or too complex.
func PlainText(markdown string) string {
	source := []byte(clean(markdown))
	doc, err := Parse(source)
	if err != nil {
		return ""
	}
	return blockText(doc, source)
}

// blockText returns the plain text of the blocks below a node.
func blockText(parent ast.Node, source []byte) string {
	var parts []string
	for child := parent.FirstChild(); child != nil; child = child.NextSibling() {
		if part := oneBlock(child, source); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "\n\n")
}

func oneBlock(n ast.Node, source []byte) string {
	switch n := n.(type) {
	case *ast.Heading, *ast.Paragraph, *ast.TextBlock, *extast.TableCell:
		return inlineText(n, source)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		return strings.TrimRight(string(n.Lines().Value(source)), "\n")
	case *ast.List:
		return listText(n, source)
	case *extast.Table:
		return tableText(n, source)
	case *extast.FootnoteList:
		return footnotesText(n, source)
	case *ast.HTMLBlock, *ast.LinkReferenceDefinition, *ast.ThematicBreak:
		return ""
	default:
		return blockText(n, source)
	}
}

func listText(list *ast.List, source []byte) string {
	var items []string
	number := list.Start
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		bullet := "- "
		if list.IsOrdered() {
			bullet = strconv.Itoa(number) + ". "
			number++
		}
		items = append(items, bullet+strings.ReplaceAll(blockText(item, source), "\n\n", "\n"))
	}
	return strings.Join(items, "\n")
}

// footnotesText returns the text of footnotes, with their numbers.
func footnotesText(list *extast.FootnoteList, source []byte) string {
	notes := make([]string, 0, list.ChildCount())
	for _, note := range footnotesOf(list.OwnerDocument()) {
		notes = append(notes, strconv.Itoa(note.Index)+". "+strings.ReplaceAll(blockText(note, source), "\n\n", "\n"))
	}
	return strings.Join(notes, "\n")
}

func tableText(table *extast.Table, source []byte) string {
	var rows []string
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, inlineText(cell, source))
		}
		rows = append(rows, strings.Join(cells, " | "))
	}
	return strings.Join(rows, "\n")
}

// inlineText returns the plain text of the inline nodes below a node, on one line, without those of some kinds.
func inlineText(parent ast.Node, source []byte, without ...ast.NodeKind) string {
	var b bytes.Buffer
	for child := parent.FirstChild(); child != nil; child = child.NextSibling() {
		writeInline(&b, child, source, without)
	}
	return oneLine(b.String())
}

func writeInline(b *bytes.Buffer, n ast.Node, source []byte, without []ast.NodeKind) {
	walk(n, func(n ast.Node) bool {
		if slices.Contains(without, n.Kind()) {
			return false
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(unescape(n.Value(source), n.IsRaw()))
			switch {
			case n.HardLineBreak():
				b.WriteByte(' ')
			case n.SoftLineBreak():
				b.WriteByte('\n')
			}
		case *ast.String:
			b.Write(unescape(n.Value, n.IsRaw()))
		case *ast.AutoLink:
			b.Write(n.Label(source))
		case *extast.TaskCheckBox:
			b.WriteString(boxOf(n))
		case *ast.RawHTML:
			// A tag such as <br> separates words; its own text is not visible.
			b.WriteByte(' ')
		}
		return true
	})
}

// unescape undoes backslashes and entities. goldmark does both in one pass while it writes HTML, so unescape has it write HTML and
// undoes the escaping, and what HTML does to line ends.
func unescape(value []byte, raw bool) []byte {
	if raw || bytes.IndexByte(value, '\\') < 0 && bytes.IndexByte(value, '&') < 0 {
		return value
	}
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	html.DefaultWriter.Write(w, value)
	if err := w.Flush(); err != nil {
		return value
	}
	return []byte(strings.ReplaceAll(stdhtml.UnescapeString(b.String()), "\r", "\n"))
}
