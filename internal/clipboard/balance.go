package clipboard

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxQuotes is how deep quotes may be in others; deeper ones are part of those. The converter copies a text for each of them.
const maxQuotes = 8

// The elements that have a meaning for the conversion. Of all others, it has the text.
var (
	inlines = []atom.Atom{
		atom.A, atom.B, atom.Strong, atom.I, atom.Em, atom.Code, atom.Span, atom.Font, atom.Var, atom.Samp, atom.Kbd, atom.Tt,
		atom.S, atom.Del, atom.Strike,
	}
	// blocks begin and end paragraphs.
	blocks = []atom.Atom{
		atom.P, atom.Div, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Ol, atom.Li, atom.Dl, atom.Dt, atom.Dd,
		atom.Blockquote, atom.Pre, atom.Address, atom.Article, atom.Aside, atom.Details, atom.Dialog, atom.Fieldset, atom.Figcaption,
		atom.Figure, atom.Footer, atom.Form, atom.Header, atom.Hgroup, atom.Main, atom.Nav, atom.Section,
	}
	headings = []atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}
	// voids have no content.
	voids = []atom.Atom{atom.Br, atom.Hr, atom.Img, atom.Input}
	// groups are the parts of a table that have rows.
	groups     = []atom.Atom{atom.Table, atom.Thead, atom.Tbody, atom.Tfoot}
	tableParts = []atom.Atom{atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Td, atom.Th, atom.Caption}
	// cellular are the elements of a table in which a text may be. What is open outside of them ends in them only with the table.
	cellular = []atom.Atom{atom.Td, atom.Th, atom.Caption}
	// hidden have a text that nobody sees.
	hidden = []atom.Atom{
		atom.Script, atom.Style, atom.Title, atom.Textarea, atom.Iframe, atom.Noembed, atom.Noframes, atom.Noscript,
	}
	// attributes have a meaning for the conversion.
	attributes = map[atom.Atom][]string{
		atom.A: {"href", "title"}, atom.Img: {"src", "alt", "title"}, atom.Ol: {"start"}, atom.Td: {"align"}, atom.Th: {"align"},
		atom.Table: {"role"}, atom.Code: {"class"}, atom.Pre: {"class"}, atom.Li: {"role", "aria-checked"}, atom.Input: {"type", "checked"},
	}
	// properties of a style have a meaning for the conversion. Most texts have a text-decoration that is none.
	properties = []string{"font-weight", "font-style", "mso-list", "line-through"}
)

// balanced returns HTML with the elements that the conversion has a use for, each of which ends within its parent. Of those that do not,
// html.Parse makes copies: formatting that is open at the end of a paragraph is opened again in each that follows, so that 480 elements
// are made of each "<p>x" (HTML, "reconstruct the active formatting elements"). It reports whether the elements are not too deep.
func balanced(source string) (string, bool) {
	var b balancer
	for tokens := html.NewTokenizer(strings.NewReader(source)); ; {
		kind := tokens.Next()
		switch {
		case kind == html.ErrorToken:
			b.closeTo(0)
			return b.out.String(), true
		case b.hidden != 0:
			if kind == html.EndTagToken && tokens.Token().DataAtom == b.hidden {
				b.hidden = 0
			}
		case kind == html.TextToken:
			b.text(tokens.Token().Data)
		case kind == html.StartTagToken, kind == html.SelfClosingTagToken:
			b.start(tokens.Token())
		case kind == html.EndTagToken:
			b.end(tokens.Token().DataAtom)
		}
		if len(b.open) > maxDepth {
			return "", false
		}
	}
}

// balancer writes HTML whose elements end within their parents.
type balancer struct {
	out    strings.Builder
	open   []element
	quotes int
	// hidden is the element that is open and whose text nobody sees.
	hidden atom.Atom
}

// element is an element that is open.
type element struct {
	name atom.Atom
	// written is false of one of which only the content is written.
	written bool
}

var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// text writes a text. What looked like no tag in the source must not become one beside another text.
// In a table, it gets a cell: html.Parse would gather such texts ahead of the table, and copy all of them for each.
func (b *balancer) text(text string) {
	if b.inTable() {
		if strings.TrimSpace(text) == "" {
			return
		}
		b.startPart(html.Token{Type: html.StartTagToken, DataAtom: atom.Td, Data: "td"})
	}
	_, _ = escaped.WriteString(&b.out, text)
}

func (b *balancer) start(tag html.Token) {
	name := tag.DataAtom
	switch {
	case slices.Contains(hidden, name):
		if tag.Type == html.StartTagToken {
			b.hidden = name
		}
	case slices.Contains(tableParts, name):
		if b.last(atom.Table) >= 0 {
			b.startPart(tag)
		}
	case name == atom.Table:
		if b.inTable() {
			b.closeTo(b.last(atom.Table))
		}
		b.push(tag, true)
	case b.inTable():
		// Only its text stays.
	case slices.Contains(voids, name):
		b.startVoid(tag)
	case slices.Contains(blocks, name):
		b.startBlock(tag)
	case slices.Contains(inlines, name):
		b.startInline(tag)
	}
}

func (b *balancer) startVoid(tag html.Token) {
	if tag.DataAtom == atom.Hr {
		b.endParagraph()
	}
	if tag.DataAtom != atom.Img || isOfWeb(attribute(tag, "src")) {
		b.write(tag)
	}
}

// startInline begins an inline element. As in HTML, a link ends another link.
func (b *balancer) startInline(tag html.Token) {
	if at := b.lastInCell(atom.A); tag.DataAtom == atom.A && at >= 0 {
		b.closeTo(at)
	}
	b.push(tag, hasMeaning(tag))
}

// startPart begins a part of a table, which ends what is open in the part that it is in.
func (b *balancer) startPart(tag html.Token) {
	within := []atom.Atom{atom.Table}
	switch tag.DataAtom {
	case atom.Tr:
		within = groups
	case atom.Td, atom.Th:
		within = append([]atom.Atom{atom.Tr}, groups...)
	}
	b.closeTo(b.last(within...) + 1)
	b.push(tag, true)
}

// startBlock begins a block. As in HTML, it ends an open paragraph, an item the one before, and a heading another heading.
func (b *balancer) startBlock(tag html.Token) {
	name := tag.DataAtom
	switch name {
	case atom.Li:
		b.endItem(atom.Li)
	case atom.Dt, atom.Dd:
		b.endItem(atom.Dt, atom.Dd)
	}
	b.endParagraph()
	if slices.Contains(headings, name) && len(b.open) > 0 && slices.Contains(headings, b.open[len(b.open)-1].name) {
		b.closeTo(len(b.open) - 1)
	}
	b.push(tag, name != atom.Blockquote || b.quotes < maxQuotes)
}

// endItem ends the open item of the innermost list.
func (b *balancer) endItem(names ...atom.Atom) {
	for i, e := range slices.Backward(b.open) {
		if slices.Contains(names, e.name) {
			b.closeTo(i)
			return
		}
		if e.name != atom.P && e.name != atom.Div && !slices.Contains(inlines, e.name) {
			return
		}
	}
}

func (b *balancer) endParagraph() {
	if at := b.lastInCell(atom.P); at >= 0 {
		b.closeTo(at)
	}
}

func (b *balancer) end(name atom.Atom) {
	at := -1
	switch {
	case slices.Contains(headings, name):
		at = b.lastInCell(headings...)
	case name == atom.Table || slices.Contains(tableParts, name):
		if at = b.last(name); at < b.last(atom.Table) {
			at = -1 // It is a part of another table.
		}
	case slices.Contains(inlines, name), slices.Contains(blocks, name):
		at = b.lastInCell(name)
	}
	switch {
	case at >= 0:
		b.closeTo(at)
	case name == atom.P && !b.inTable():
		b.out.WriteString("<p></p>")
	case name == atom.Br && !b.inTable():
		b.out.WriteString("<br>")
	}
}

// last returns where the last open element of these names is; -1 if there is none.
func (b *balancer) last(names ...atom.Atom) int {
	for i, e := range slices.Backward(b.open) {
		if slices.Contains(names, e.name) {
			return i
		}
	}
	return -1
}

// lastInCell is last within the innermost cell, and -1 within a table outside of its cells.
func (b *balancer) lastInCell(names ...atom.Atom) int {
	if at := b.last(names...); at > b.last(cellular...) && at > b.last(atom.Table) {
		return at
	}
	return -1
}

// inTable reports whether the innermost element is a table or a part of one that has no text.
func (b *balancer) inTable() bool {
	if len(b.open) == 0 {
		return false
	}
	name := b.open[len(b.open)-1].name
	return name == atom.Table || (slices.Contains(tableParts, name) && !slices.Contains(cellular, name))
}

func (b *balancer) push(tag html.Token, written bool) {
	if written {
		b.write(tag)
	}
	if tag.DataAtom == atom.Blockquote {
		b.quotes++
	}
	b.open = append(b.open, element{tag.DataAtom, written})
}

// closeTo ends all open elements from one on.
func (b *balancer) closeTo(at int) {
	for _, e := range slices.Backward(b.open[at:]) {
		if e.name == atom.Blockquote {
			b.quotes--
		}
		if e.written {
			b.out.WriteString("</" + e.name.String() + ">")
		}
	}
	b.open = b.open[:at]
}

func (b *balancer) write(tag html.Token) {
	b.out.WriteString("<" + tag.Data)
	for _, a := range tag.Attr {
		if slices.Contains(attributes[tag.DataAtom], a.Key) || a.Key == "style" && hasProperty(a.Val) {
			b.out.WriteString(" " + a.Key + `="` + html.EscapeString(a.Val) + `"`)
		}
	}
	b.out.WriteByte('>')
}

// hasMeaning reports whether an inline element is written: some have a meaning by their style alone.
func hasMeaning(tag html.Token) bool {
	switch tag.DataAtom {
	case atom.Span, atom.Font:
		return hasProperty(attribute(tag, "style"))
	}
	return true
}

func hasProperty(style string) bool {
	return slices.ContainsFunc(properties, func(p string) bool { return strings.Contains(style, p) })
}

func isOfWeb(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}

func attribute(tag html.Token, key string) string {
	for _, a := range tag.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
