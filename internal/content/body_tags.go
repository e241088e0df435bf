package content

import "golang.org/x/net/html/atom"

// isAside reports whether the text of an element is no text of the author: code and quotations.
func isAside(tag atom.Atom) bool {
	return tag == atom.Blockquote || tag == atom.Pre || tag == atom.Code
}

// isBlock reports whether an element separates the text before it from its own.
func isBlock(tag atom.Atom) bool {
	switch tag {
	case atom.P, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Ol, atom.Li, atom.Dl, atom.Dt, atom.Dd, atom.Blockquote,
		atom.Pre, atom.Table, atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Td, atom.Th, atom.Caption, atom.Figure,
		atom.Figcaption, atom.Details, atom.Summary, atom.Div, atom.Hr:
		return true
	default:
		return false
	}
}

func kindOf(tag atom.Atom) (BlockKind, int) {
	switch tag {
	case atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return BlockHeading, int(tag.String()[1] - '0')
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
