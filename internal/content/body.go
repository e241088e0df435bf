package content

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Body has the visible parts of a body, in the order of the text.
type Body struct {
	Blocks []Block
	Links  []Link
	Images []Image
	// Aside is the text of code and quotations.
	Aside string
	// Quoted are the paragraphs of quotations, without their code.
	Quoted []Quoted
}

// Quoted is a paragraph of a quotation.
type Quoted struct {
	// Text on one line.
	Text string
	// Section that it is in.
	Section int
	// Before is how many blocks stand before it.
	Before int
}

// BlockKind is the kind of a block of text.
type BlockKind int

// The kinds of blocks.
const (
	BlockParagraph BlockKind = iota
	BlockHeading
	BlockListItem
	BlockCell
	BlockCaption
)

// Block is a run of text without blocks in it. Code is no text, and quotations are not the author's.
type Block struct {
	Kind BlockKind
	// Level of a heading, 2 to 6.
	Level int
	// Text on one line.
	Text string
	// Linked is true if the whole text is a link.
	Linked bool
	// BoldLed is true if the text begins with bold words.
	BoldLed bool
	// Section that the block is in: an index into Sections.
	Section int
}

// Link is a link of the body.
type Link struct {
	// Text on one line.
	Text string
	// URL as written.
	URL string
	// NoFollow is true if search engines are asked not to follow it.
	NoFollow bool
	// Section that the link is in.
	Section int
}

// Image is an image of the body.
type Image struct {
	// Alt is the alternative text; may be empty.
	Alt string
	// Section that the image is in.
	Section int
}

// Read reads a body as its HTML shows it, raw HTML included. It fails only if the text is too long or too complex.
func Read(markdownText string) (Body, error) {
	source := []byte(clean(markdownText))
	doc, err := Parse(source)
	if err != nil {
		return Body{}, fmt.Errorf("reading the article: %w", err)
	}
	for i, h := range splittingHeadings(doc, source) {
		h.SetAttributeString(sectionAttribute, []byte(strconv.Itoa(i+1)))
	}
	rendered, err := render(doc, source, readingPolicy)
	if err != nil {
		return Body{}, fmt.Errorf("reading the article: %w", err)
	}
	r := bodyReader{linkText: -1}
	r.read(strings.NewReader(rendered))
	return r.body, nil
}

// bodyReader reads the tags and the text between them. It looks at tags alone, as a block ends where another begins.
type bodyReader struct {
	body    Body
	section int

	kind  BlockKind
	level int
	text  bytes.Buffer
	// lists counts open lists.
	lists int
	// link that is open, and where its text begins; -1 if none is.
	link     Link
	linkText int
	// linked is the text of the last link of the block.
	linked string
	// boldLed is true if the block begins with bold words.
	boldLed bool
	// skipped counts open elements of code and quotations, whose text is aside.
	skipped int
	aside   bytes.Buffer
	// quotations counts open quotations, and quoted is the text of a paragraph in one.
	quotations int
	quoted     bytes.Buffer
	// mark is true within a link to a footnote or back, whose text is no word.
	mark bool
}

// read reads HTML to its end.
func (r *bodyReader) read(rendered io.Reader) {
	tokens := html.NewTokenizer(rendered)
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			r.flush()
			r.body.Aside = oneLine(r.aside.String())
			return
		case html.TextToken:
			r.write(tokens.Text())
		case html.StartTagToken, html.SelfClosingTagToken:
			r.start(tokens.Token())
		case html.EndTagToken:
			r.end(tokens.Token().DataAtom)
		}
	}
}

func (r *bodyReader) write(text []byte) {
	switch {
	case r.mark:
	case r.skipped > 0:
		r.aside.Write(text)
		if r.quotations == r.skipped {
			r.quoted.Write(text)
		}
	default:
		r.text.Write(text)
	}
}

func (r *bodyReader) start(token html.Token) {
	tag, closed := token.DataAtom, token.Type == html.SelfClosingTagToken
	switch {
	case strings.HasPrefix(attribute(token, "role"), "doc-") && tag == atom.A:
		r.mark = true
	case isAside(tag):
		r.aside.WriteByte(' ')
		if !closed {
			r.skipped++
			if tag == atom.Blockquote {
				r.quotations++
			}
		}
	case r.skipped > 0:
		r.startQuoted(tag)
	case tag == atom.A:
		r.endLink()
		rel := strings.Fields(strings.ToLower(attribute(token, "rel")))
		r.link = Link{URL: strings.TrimSpace(attribute(token, "href")), NoFollow: slices.Contains(rel, "nofollow")}
		r.linkText = r.text.Len()
	case tag == atom.Img:
		r.body.Images = append(r.body.Images, Image{Alt: oneLine(attribute(token, "alt")), Section: r.section})
	case tag == atom.Br:
		r.text.WriteByte(' ')
	case tag == atom.Strong || tag == atom.B:
		r.boldLed = r.boldLed || len(bytes.TrimSpace(r.text.Bytes())) == 0
	case isBlock(tag):
		r.begin(tag, attribute(token, sectionAttribute))
	}
}

// begin begins a block. A heading that begins a section has the section's number.
func (r *bodyReader) begin(tag atom.Atom, section string) {
	if tag == atom.Ul || tag == atom.Ol || tag == atom.Dl {
		r.lists++
	}
	r.flush()
	if kind, level := kindOf(tag); kind != BlockParagraph {
		r.kind, r.level = kind, level
	}
	if r.kind == BlockHeading && section == strconv.Itoa(r.section+1) {
		r.section++
	}
}

func (r *bodyReader) end(tag atom.Atom) {
	switch {
	case r.mark && tag == atom.A:
		r.mark = false
	case isAside(tag):
		r.aside.WriteByte(' ')
		r.skipped = max(0, r.skipped-1)
		if tag == atom.Blockquote {
			r.flushQuoted()
			r.quotations = max(0, r.quotations-1)
		}
	case r.skipped > 0 && isBlock(tag):
		r.flushQuoted()
	case r.skipped > 0:
	case tag == atom.A:
		r.endLink()
	case isBlock(tag):
		if tag == atom.Ul || tag == atom.Ol || tag == atom.Dl {
			r.lists = max(0, r.lists-1)
		}
		r.flush()
	}
}

// flush ends a block. The text after it, if it has no block of its own, is a paragraph.
func (r *bodyReader) flush() {
	r.endLink()
	text := oneLine(r.text.String())
	r.text.Reset()
	if text != "" {
		r.body.Blocks = append(r.body.Blocks, Block{
			Kind: r.kind, Level: r.level, Text: text, Linked: r.linked == text, BoldLed: r.boldLed, Section: r.section,
		})
	}
	r.kind, r.level, r.linked, r.boldLed = BlockParagraph, 0, "", false
	if r.lists > 0 {
		r.kind = BlockListItem
	}
}

// startQuoted begins a block within a quotation.
func (r *bodyReader) startQuoted(tag atom.Atom) {
	if isBlock(tag) {
		r.flushQuoted()
	}
}

// flushQuoted ends a paragraph of a quotation.
func (r *bodyReader) flushQuoted() {
	if text := oneLine(r.quoted.String()); text != "" {
		r.body.Quoted = append(r.body.Quoted, Quoted{Text: text, Section: r.section, Before: len(r.body.Blocks)})
	}
	r.quoted.Reset()
}

func (r *bodyReader) endLink() {
	if r.linkText >= 0 && r.link.URL != "" {
		r.link.Text, r.link.Section = oneLine(string(r.text.Bytes()[r.linkText:])), r.section
		r.body.Links = append(r.body.Links, r.link)
		r.linked = r.link.Text
	}
	r.linkText = -1
}
