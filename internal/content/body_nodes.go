package content

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/html/atom"
)

// readBelow reads what is below a node without raw HTML, as the tags that its HTML has. Most of the time of reading would go into that
// HTML.
func (r *bodyReader) readBelow(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		r.readNode(n)
		if n.Type() == ast.TypeBlock {
			r.write([]byte("\n"))
		}
	}
}

func (r *bodyReader) readNode(n ast.Node) {
	tag := tagOf(n)
	r.start(tag, false, func(see func(key, value string)) { eachAttribute(n, r.source, see) })
	switch n := n.(type) {
	case *ast.Text:
		r.write(unescape(n.Value(r.source), n.IsRaw()))
		if !n.IsRaw() && (n.SoftLineBreak() || n.HardLineBreak()) {
			r.write([]byte("\n"))
		}
	case *ast.AutoLink:
		r.write(n.Label(r.source))
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
			r.write(line.Value(r.source))
		}
	case *ast.Image:
	default:
		r.readBelow(n)
	}
	r.end(tag)
}

// tagOf a node; 0 if it has none that matters.
func tagOf(n ast.Node) atom.Atom {
	switch n := n.(type) {
	case *ast.Heading:
		return [...]atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}[n.Level-1]
	case *ast.Paragraph:
		return atom.P
	case *ast.Blockquote:
		return atom.Blockquote
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		return atom.Pre
	case *ast.CodeSpan:
		return atom.Code
	case *ast.List:
		return atom.Ul
	case *ast.ListItem:
		return atom.Li
	case *ast.ThematicBreak:
		return atom.Hr
	case *ast.Link, *ast.AutoLink:
		return atom.A
	case *ast.Image:
		return atom.Img
	case *ast.Emphasis:
		if n.Level == 2 {
			return atom.Strong
		}
	case *extast.Table, *extast.TableHeader, *extast.TableRow:
		return atom.Tr
	case *extast.TableCell:
		return atom.Td
	}
	return 0
}

func eachAttribute(n ast.Node, source []byte, see func(key, value string)) {
	switch n := n.(type) {
	case *ast.Heading:
		if number, ok := n.AttributeString(sectionAttribute); ok {
			if number, ok := number.([]byte); ok {
				see(sectionAttribute, string(number))
			}
		}
	case *ast.Link:
		see("href", string(util.URLEscape(n.Destination, true)))
	case *ast.AutoLink:
		address := util.URLEscape(n.URL(source), false)
		if n.AutoLinkType == ast.AutoLinkEmail && !bytes.HasPrefix(bytes.ToLower(address), []byte("mailto:")) {
			see("href", "mailto:"+string(address))
		} else {
			see("href", string(address))
		}
	case *ast.Image:
		var alt bytes.Buffer
		writeAlternative(&alt, n, source)
		see("alt", alt.String())
	}
}

// writeAlternative writes the alternative text of an image. It has tags for line breaks, as goldmark writes them.
func writeAlternative(b *bytes.Buffer, parent ast.Node, source []byte) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		text, ok := n.(*ast.Text)
		if !ok {
			writeAlternative(b, n, source)
			continue
		}
		b.Write(unescape(text.Value(source), text.IsRaw()))
		switch {
		case text.IsRaw():
		case text.HardLineBreak():
			b.WriteString("<br>\n")
		case text.SoftLineBreak():
			b.WriteByte('\n')
		}
	}
}
