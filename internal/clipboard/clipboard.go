// Package clipboard makes Markdown of the HTML that word processors put onto the clipboard: Google Docs, Word and LibreOffice.
package clipboard

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
)

// The bounds of what is converted. The converter takes time and memory that grow with the product of two of these.
const (
	// MaxBytes is the size of the HTML. Word writes 40 KB of styles before the first word.
	MaxBytes = 1 << 20
	// maxText is the size of the text, as an article has it at most.
	maxText = 256 << 10
	// maxDepth is how deep elements may be in others.
	maxDepth = 40
	// maxBrackets is how many brackets the text may open.
	maxBrackets = 1000
	// maxCells is how many cells a table may have, with those that its rows lack.
	maxCells = 5000
)

// ErrTooLarge is the error of a text that is not converted for its size.
var ErrTooLarge = errors.New("the text is too large to be converted")

// Markdown converts the HTML of a clipboard. It keeps headings, paragraphs, lists, tasks, tables, links, footnotes, images of the web, and
// what is bold, in italics or struck out. It drops all else.
func Markdown(source string) (string, error) {
	if len(source) > MaxBytes {
		return "", ErrTooLarge
	}
	// Blanks that do not break have no meaning in Markdown.
	source, ok := balanced(blanks.Replace(source))
	if !ok {
		return "", ErrTooLarge
	}
	root, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return "", ErrTooLarge
	}
	var size measure
	if !size.fits(root, 0, 0) {
		return "", ErrTooLarge
	}
	tidy(root)
	text, err := newConverter().ConvertNode(root)
	if err != nil {
		return "", err
	}
	if len(text) > maxText {
		return "", ErrTooLarge
	}
	return meant.Replace(nested.ReplaceAllString(padded.ReplaceAllString(string(text), "$1$2"), "\n$1")), nil
}

// blanks leaves out the characters that stand for signs: see marks.go.
var blanks = strings.NewReplacer("\u00a0", " ", "&nbsp;", " ", "\x00", "", tilde, "", twoTildes, "", openTask, "", doneTask, "",
	noteStart, "", noteEnd, "", noteTextStart, "", noteTextEnd, "")

// nested is a list in a list, with the empty line before it that would set its items apart.
var nested = regexp.MustCompile(`\n +\n( +(?:-|[0-9]+\.) )`)

// padded are the zeros before the numbers of a long list.
var padded = regexp.MustCompile(`(?m)^( *)0+([1-9][0-9]*\. )`)

func newConverter() *converter.Converter {
	return converter.NewConverter(converter.WithPlugins(
		base.NewBasePlugin(),
		commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false)),
		strikethrough.NewStrikethroughPlugin(),
		table.NewTablePlugin(table.WithHeaderPromotion(true), table.WithSkipEmptyRows(true),
			table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal)),
	))
}

// measure is the size of what has been looked at. indent is what the lines of the Markdown begin with, for the quotes and lists that each
// is in, in bytes.
type measure struct{ text, brackets, indent int }

// fits reports whether a node and what is in it are within the bounds.
func (m *measure) fits(n *html.Node, depth, within int) bool {
	if n.Type == html.TextNode && !is(n.Parent, "style", "script") {
		m.text += len(n.Data)
		m.brackets += strings.Count(n.Data, "[")
		m.indent += within
	}
	if is(n, "blockquote", "li") {
		within += len("> ")
	}
	if depth > maxDepth || m.text+m.indent > maxText || m.brackets > maxBrackets || is(n, "table") && cells(n) > maxCells {
		return false
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if !m.fits(child, depth+1, within) {
			return false
		}
	}
	return true
}

func is(n *html.Node, names ...string) bool {
	return n != nil && n.Type == html.ElementNode && slices.Contains(names, n.Data)
}

// cells is how many cells a table has if each row has as many as the longest one.
func cells(in *html.Node) int {
	rows, longest, row := 0, 0, 0
	for n := range in.Descendants() {
		switch {
		case is(n, "tr"):
			rows, row = rows+1, 0
		case is(n, "td", "th"):
			row++
			longest = max(longest, row)
		}
	}
	return rows * longest
}
