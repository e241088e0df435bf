package content

import "golang.org/x/net/html/atom"

// isAside reports whether the text of an element is no text of the author: code and quotations.
func isAside(tag atom.Atom) bool {
	return tag == atom.Blockquote || tag == atom.Pre || tag == atom.Code
}

// isDropped reports whether readers do not see the text of an element.
func isDropped(tag atom.Atom) bool {
	switch tag {
	case atom.Script, atom.Style, atom.Textarea, atom.Svg, atom.Math, atom.Canvas, atom.Template, atom.Noscript, atom.Iframe,
		atom.Object, atom.Title, atom.Select:
		return true
	default:
		return false
	}
}

// isBlock reports whether an element separates the text before it from its own.
func isBlock(tag atom.Atom) bool {
	switch tag {
	case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Ol, atom.Li, atom.Dl, atom.Dt, atom.Dd,
		atom.Table, atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Td, atom.Th, atom.Caption, atom.Figure,
		atom.Figcaption, atom.Details, atom.Summary, atom.Div, atom.Section, atom.Article, atom.Aside, atom.Header, atom.Footer,
		atom.Main, atom.Nav, atom.Hr, atom.Address, atom.Fieldset, atom.Form, atom.Center:
		return true
	default:
		return false
	}
}

func kindOf(tag atom.Atom) (BlockKind, int) {
	switch tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		// First-level headings become second-level ones.
		return BlockHeading, max(2, int(tag.String()[1]-'0'))
	case atom.Li, atom.Dt, atom.Dd:
		return BlockListItem, 0
	case atom.Td, atom.Th:
		return BlockCell, 0
	case atom.Figcaption, atom.Caption:
		return BlockCaption, 0
	default:
		return BlockParagraph, 0
	}
}
