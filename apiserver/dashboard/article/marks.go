package article

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// markClaims marks the words of the claims that a brief does not support, each in its sentence, in HTML that is sanitised. The HTML is that
// of the text: nothing is rendered a second time. A sentence that cannot be found has no mark.
func markClaims(sanitised string, claims []restarticle.Claim) string {
	counting := slices.DeleteFunc(slices.Clone(claims), func(c restarticle.Claim) bool { return !c.Counts() || c.Words == "" })
	if len(counting) == 0 {
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
	for _, b := range blocksOf(body) {
		b.mark(counting)
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

// mark marks the words of the claims whose sentences stand in the block.
func (b *block) mark(claims []restarticle.Claim) {
	text := b.text.String()
	marked := make([]bool, len(text))
	for _, c := range claims {
		// A long sentence is cut off at both ends, and long words at their end.
		sentence, words := oneLine(strings.Trim(c.Sentence, "…")), oneLine(strings.TrimSuffix(c.Words, "…"))
		from, at := strings.Index(text, sentence), strings.Index(sentence, words)
		if from < 0 || at < 0 || words == "" {
			continue
		}
		for i := range len(words) {
			marked[from+at+i] = true
		}
	}
	b.wrap(marked)
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// wrap puts the marked bytes into elements, the last ones first: wrapping a part of a node moves only what follows that part.
func (b *block) wrap(marked []bool) {
	for end := len(marked); end > 0; {
		if !marked[end-1] {
			end--
			continue
		}
		node, from := b.bytes[end-1].node, end-1
		for from > 0 && marked[from-1] && b.bytes[from-1].node == node {
			from--
		}
		if node.Type == html.TextNode {
			wrapText(node, b.bytes[from].at, b.bytes[end-1].at+1)
		}
		end = from
	}
}

// wrapText puts a part of a text into an element.
func wrapText(n *html.Node, from, to int) {
	before, words, after := n.Data[:from], n.Data[from:to], n.Data[to:]
	m := &html.Node{Type: html.ElementNode, Data: "mark", DataAtom: atom.Mark}
	m.AppendChild(&html.Node{Type: html.TextNode, Data: words})
	n.Data = before
	n.Parent.InsertBefore(m, n.NextSibling)
	n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: after}, m.NextSibling)
}
