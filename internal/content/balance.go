package content

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxDepth bounds how deep elements are in others. Browsers and other programs have a bound of 512.
const maxDepth = 400

// The elements of the policy whose beginning or end means more than their own.
var (
	headings = []atom.Atom{atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}
	voids    = []atom.Atom{atom.Br, atom.Hr, atom.Img}
	// groups are the parts of a table that have rows.
	groups     = []atom.Atom{atom.Thead, atom.Tbody, atom.Tfoot}
	tableParts = []atom.Atom{atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Td, atom.Th, atom.Caption}
	// cellular are the elements of a table that have a text. What is open outside of them ends in them only with the table.
	cellular = []atom.Atom{atom.Td, atom.Th, atom.Caption}
)

// balance writes sanitised HTML as a fragment in which each element ends within its parent, so that no page that shows it is changed
// around it. An element that is not ended ends with the one that it is in, and an end without a beginning goes. It builds no tree:
// html.Parse opens formatting again in each paragraph that follows, and so makes many times what it reads.
func balance(sanitised io.Reader) (string, error) {
	var b balancer
	for tokens := html.NewTokenizer(sanitised); ; {
		kind := tokens.Next()
		raw := string(tokens.Raw())
		name := tokens.Token().DataAtom
		switch kind {
		case html.ErrorToken:
			b.closeTo(0)
			return b.out.String(), nil
		case html.TextToken:
			b.text(raw)
		case html.StartTagToken, html.SelfClosingTagToken:
			b.start(name, raw)
		case html.EndTagToken:
			b.end(name)
		}
		if len(b.open) > maxDepth {
			return "", fmt.Errorf("%w: elements may be in %d others", ErrTooComplex, maxDepth)
		}
	}
}

// balancer writes HTML whose elements end within their parents.
type balancer struct {
	out strings.Builder
	// open are the elements that are open, from the outermost one.
	open []atom.Atom
}

// text writes a text. In a table it gets a cell: a browser would show it before the table.
func (b *balancer) text(raw string) {
	if b.inTable() && strings.TrimSpace(raw) != "" {
		b.startPart(atom.Td, "<td>")
	}
	if b.last(atom.Pre) < 0 {
		raw = joinLines(raw)
	}
	b.out.WriteString(raw)
}

// start begins an element. As in HTML, a link ends another one, a block ends a paragraph, and an item the one before.
func (b *balancer) start(name atom.Atom, raw string) {
	switch {
	case slices.Contains(tableParts, name):
		if b.last(atom.Table) >= 0 {
			b.startPart(name, raw)
		}
		return
	case name == atom.Table && b.inTable():
		b.closeTo(b.last(atom.Table))
	case b.inTable():
		b.startPart(atom.Td, "<td>")
	}
	switch name {
	case atom.A:
		b.closeTo(b.lastInCell(name))
	case atom.Li:
		b.endItem(atom.Li)
	case atom.Dt, atom.Dd:
		b.endItem(atom.Dt, atom.Dd)
	}
	if isBlock(name) {
		b.closeTo(b.lastInCell(atom.P))
	}
	if slices.Contains(headings, name) && len(b.open) > 0 && slices.Contains(headings, b.open[len(b.open)-1]) {
		b.closeTo(len(b.open) - 1)
	}
	b.out.WriteString(raw)
	if !slices.Contains(voids, name) {
		b.open = append(b.open, name)
	}
}

// startPart begins a part of a table, which ends what is open in the part that it is in. A cell is in a row, and that in a group.
func (b *balancer) startPart(name atom.Atom, raw string) {
	table := b.last(atom.Table)
	at := table
	switch name {
	case atom.Td, atom.Th:
		if at = b.last(atom.Tr); at < table {
			b.startPart(atom.Tr, "<tr>")
			at = b.last(atom.Tr)
		}
	case atom.Tr:
		if at = b.last(groups...); at < table {
			b.startPart(atom.Tbody, "<tbody>")
			at = b.last(groups...)
		}
	}
	b.closeTo(at + 1)
	b.out.WriteString(raw)
	b.open = append(b.open, name)
}

// endItem ends the open item of the innermost list.
func (b *balancer) endItem(names ...atom.Atom) {
	for i, name := range slices.Backward(b.open) {
		if slices.Contains(names, name) {
			b.closeTo(i)
			return
		}
		if name != atom.P && name != atom.Div && isBlock(name) {
			return
		}
	}
}

// end ends an element that is open. The end of an inline element ends no block.
func (b *balancer) end(name atom.Atom) {
	var at int
	switch {
	case slices.Contains(headings, name):
		at = b.lastInCell(headings...)
	case name == atom.Table || slices.Contains(tableParts, name):
		if at = b.last(name); at < b.last(atom.Table) {
			at = -1 // It is a part of another table.
		}
	default:
		at = b.lastInCell(name)
	}
	if at < 0 || !isBlock(name) && slices.ContainsFunc(b.open[at:], isBlock) {
		return
	}
	b.closeTo(at)
}

// last returns where the last open element of these names is; -1 if there is none.
func (b *balancer) last(names ...atom.Atom) int {
	for i, name := range slices.Backward(b.open) {
		if slices.Contains(names, name) {
			return i
		}
	}
	return -1
}

// lastInCell is last within the innermost cell.
func (b *balancer) lastInCell(names ...atom.Atom) int {
	if at := b.last(names...); at > b.last(cellular...) {
		return at
	}
	return -1
}

// inTable reports whether the innermost element is a table or a part of one that has no text.
func (b *balancer) inTable() bool {
	if len(b.open) == 0 {
		return false
	}
	name := b.open[len(b.open)-1]
	return name == atom.Table || name == atom.Tr || slices.Contains(groups, name)
}

// closeTo ends all open elements from one on; none if that is -1.
func (b *balancer) closeTo(at int) {
	if at < 0 {
		return
	}
	for _, name := range slices.Backward(b.open[at:]) {
		b.out.WriteString("</" + name.String() + ">")
	}
	b.open = b.open[:at]
}

// joinLines takes out the line breaks between Chinese or Japanese characters, of which a browser would make blanks.
func joinLines(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	lines := strings.Split(text, "\n")
	var b strings.Builder
	b.WriteString(lines[0])
	for i, line := range lines[1:] {
		before, _ := utf8.DecodeLastRuneInString(lines[i])
		after, _ := utf8.DecodeRuneInString(line)
		if !joinsLines(before, after) {
			b.WriteByte('\n')
		}
		b.WriteString(line)
	}
	return b.String()
}
