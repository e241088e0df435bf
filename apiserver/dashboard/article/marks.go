package article

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// passage is a part of a text that is marked.
type passage struct {
	// Sentence that has the words; they are marked in it alone.
	Sentence, Words string
	// class of the mark; empty for a claim, of which only the first such sentence is marked.
	class string
}

// claimPassages are the words of the claims that a brief does not support, each in its sentence.
func claimPassages(claims []restarticle.Claim) (passages []passage) {
	for _, c := range claims {
		if c.Counts() {
			// A long sentence is cut off at both ends, and long words at their end.
			passages = append(passages, passage{Sentence: strings.Trim(c.Sentence, "…"), Words: strings.TrimSuffix(c.Words, "…")})
		}
	}
	return passages
}

// markClaims marks the words of the claims that a brief does not support, each in its sentence.
func markClaims(sanitised string, claims []restarticle.Claim) string {
	return mark(sanitised, claimPassages(claims))
}

// markFindings marks the passages that failed checks are about. The marks of a check have the class "c" with its number in the list, and
// the first one has an element with that as its id.
func markFindings(sanitised string, failed []restarticle.ScoreCheck) string {
	var passages []passage
	for i, c := range failed {
		for _, words := range c.Passages {
			passages = append(passages, passage{words, words, "c" + strconv.Itoa(i)})
		}
	}
	return mark(sanitised, passages)
}

// mark marks passages in HTML that is sanitised. The HTML is that of the text: nothing is rendered a second time. A passage that cannot be
// found has no mark.
func mark(sanitised string, passages []passage) string {
	passages = slices.DeleteFunc(passages, func(p passage) bool { return strings.TrimSpace(p.Words) == "" })
	if len(passages) == 0 {
		return sanitised
	}
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(sanitised), body)
	if err != nil {
		return sanitised
	}
	for _, n := range nodes {
		body.AppendChild(n)
	}
	named := map[string]bool{}
	for _, b := range blocksOf(body) {
		b.mark(passages, named)
	}
	var out strings.Builder
	for n := body.FirstChild; n != nil; n = n.NextSibling {
		if html.Render(&out, n) != nil {
			return sanitised
		}
	}
	return out.String()
}

// block is the text that one element has without the blocks in it, in one line, with the node of each byte.
type block struct {
	text  strings.Builder
	bytes []place
}

// place is where a byte of a block stands.
type place struct {
	node *html.Node
	at   int
}

// inline are the elements that stand within a sentence.
var inline = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.B: true, atom.Br: true, atom.Code: true, atom.Del: true, atom.Em: true, atom.I: true,
	atom.Ins: true, atom.Kbd: true, atom.Mark: true, atom.Q: true, atom.S: true, atom.Small: true, atom.Span: true,
	atom.Strong: true, atom.Sub: true, atom.Sup: true, atom.U: true,
}

// blocksOf returns the blocks below a node, in the order of the text.
func blocksOf(root *html.Node) []*block {
	blocks := []*block{{}}
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			blocks[len(blocks)-1].add(n)
			return
		case n.Type == html.ElementNode && !inline[n.DataAtom]:
			blocks = append(blocks, &block{})
			defer func() { blocks = append(blocks, &block{}) }()
		case n.DataAtom == atom.Br:
			blocks[len(blocks)-1].space(n, 0)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return blocks
}

// add adds the text of a node. Blanks are one.
func (b *block) add(n *html.Node) {
	for at, r := range n.Data {
		if unicode.IsSpace(r) {
			b.space(n, at)
			continue
		}
		for i := range len(string(r)) {
			b.bytes = append(b.bytes, place{n, at + i})
		}
		b.text.WriteRune(r)
	}
}

func (b *block) space(n *html.Node, at int) {
	if text := b.text.String(); text != "" && !strings.HasSuffix(text, " ") {
		b.text.WriteByte(' ')
		b.bytes = append(b.bytes, place{n, at})
	}
}

// mark marks the passages that stand in the block. named are the classes whose first mark has an id.
func (b *block) mark(passages []passage, named map[string]bool) {
	text := b.text.String()
	// classes are those of the marks of each byte, each with a blank behind it; unmarked is that of a byte without one.
	classes := slices.Repeat([]string{unmarked}, len(text))
	for _, p := range passages {
		sentence, words := oneLine(p.Sentence), oneLine(p.Words)
		at := strings.Index(sentence, words)
		for from := 0; at >= 0; {
			found := strings.Index(text[from:], sentence)
			if found < 0 {
				break
			}
			from += found
			for i := range len(words) {
				c := &classes[from+at+i]
				if *c = strings.TrimPrefix(*c, unmarked); p.class != "" {
					*c += p.class + " "
				}
			}
			if p.class == "" {
				break
			}
			from += len(sentence)
		}
	}
	b.wrap(classes, named)
}

// unmarked is no class.
const unmarked = "-"

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// run is a part of a node whose bytes have the same marks.
type run struct {
	node     *html.Node
	from, to int
	class    string
}

// wrap puts the marked bytes into elements, the last ones first: wrapping a part of a node moves only what follows that part.
func (b *block) wrap(classes []string, named map[string]bool) {
	var runs []run
	for i, class := range classes {
		at := b.bytes[i]
		switch last := len(runs) - 1; {
		case class == unmarked || at.node.Type != html.TextNode:
		case last >= 0 && runs[last].node == at.node && runs[last].class == class && i > 0 && classes[i-1] == class:
			runs[last].to = at.at + 1
		default:
			runs = append(runs, run{at.node, at.at, at.at + 1, class})
		}
	}
	marks := make([]*html.Node, len(runs))
	for i, r := range runs {
		marks[i] = markOf(r.class, named)
	}
	for i, r := range slices.Backward(runs) {
		r.wrap(marks[i])
	}
}

// markOf returns an element that marks. The first mark of a class has an element with the class as its id.
func markOf(class string, named map[string]bool) *html.Node {
	m := &html.Node{Type: html.ElementNode, Data: "mark", DataAtom: atom.Mark}
	names := slices.Compact(strings.Fields(class))
	if len(names) > 0 {
		m.Attr = []html.Attribute{{Key: "class", Val: strings.Join(names, " ")}}
	}
	for _, name := range names {
		if !named[name] {
			named[name] = true
			m.AppendChild(&html.Node{
				Type: html.ElementNode, Data: "span", DataAtom: atom.Span, Attr: []html.Attribute{{Key: "id", Val: name}},
			})
		}
	}
	return m
}

// wrap puts a part of a text into an element.
func (r run) wrap(m *html.Node) {
	n := r.node
	before, words, after := n.Data[:r.from], n.Data[r.from:r.to], n.Data[r.to:]
	m.AppendChild(&html.Node{Type: html.TextNode, Data: words})
	n.Data = before
	n.Parent.InsertBefore(m, n.NextSibling)
	n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: after}, m.NextSibling)
}
