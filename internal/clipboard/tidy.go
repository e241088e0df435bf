package clipboard

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// tidy makes the elements of word processors those that their text means.
func tidy(root *html.Node) {
	for n := range root.Descendants() {
		// The size of a table is bounded by the cells that it has, and not by those that it claims.
		n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "colspan" || a.Key == "rowspan" })
	}
	for _, n := range elements(root) {
		readStyle(n)
	}
	wordLists(root)
	for _, n := range elements(root) {
		place(n)
	}
}

// readStyle makes an element what its style and its address say that it is.
func readStyle(n *html.Node) {
	switch {
	case is(n, "b", "strong") && isLight(n):
		// Google Docs wraps all that is copied.
		unwrap(n)
	case is(n, "span", "font"):
		emphasise(n)
	case is(n, "a") && !isWeb(attribute(n, "href")) && !strings.HasPrefix(attribute(n, "href"), "mailto:"):
		unwrap(n)
	case is(n, "img") && !isWeb(attribute(n, "src")):
		n.Parent.RemoveChild(n)
	}
}

// place makes an element one that may be where it is.
func place(n *html.Node) {
	switch {
	case is(n, "b", "strong") && within(n, "h1", "h2", "h3", "h4", "h5", "h6", "th"):
		// They are bold anyway.
		unwrap(n)
	case is(n, "ul", "ol") && is(n.Parent, "ul", "ol"):
		// Google Docs has a list in a list, and not in an item of it.
		if before := previous(n); before != nil {
			move(n, before)
		}
	case is(n, "p", "div") && within(n, "td", "th", "li"):
		inline(n)
	case is(n, "br") && within(n, "td", "th"):
		n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: " "}, n)
		n.Parent.RemoveChild(n)
	case is(n, "br") && is(n.Parent, "body"):
		n.Parent.RemoveChild(n)
	}
}

// elements are the elements in a node, each before those in it. They may be moved while they are looked at.
func elements(in *html.Node) []*html.Node {
	return slices.Collect(func(yield func(*html.Node) bool) {
		for n := range in.Descendants() {
			if n.Type == html.ElementNode && !yield(n) {
				return
			}
		}
	})
}

func is(n *html.Node, names ...string) bool {
	return n != nil && n.Type == html.ElementNode && slices.Contains(names, n.Data)
}

// within reports whether a node is in an element of one of some names.
func within(n *html.Node, names ...string) bool {
	for in := range n.Ancestors() {
		if is(in, names...) {
			return true
		}
	}
	return false
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func isWeb(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}

// style returns a property of an element's own style.
func style(n *html.Node, property string) string {
	for declaration := range strings.SplitSeq(attribute(n, "style"), ";") {
		if name, value, _ := strings.Cut(declaration, ":"); strings.TrimSpace(name) == property {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func isLight(n *html.Node) bool {
	weight := style(n, "font-weight")
	return weight == "normal" || weight == "400"
}

// emphasise makes an element bold or italic that only its style makes so.
func emphasise(n *html.Node) {
	weight, _ := strconv.Atoi(style(n, "font-weight"))
	italic := style(n, "font-style") == "italic"
	switch bold := weight >= 600 || style(n, "font-weight") == "bold"; {
	case bold && italic:
		inner := element("em")
		for n.FirstChild != nil {
			move(n.FirstChild, inner)
		}
		n.AppendChild(inner)
		rename(n, "strong")
	case bold:
		rename(n, "strong")
	case italic:
		rename(n, "em")
	default:
		rename(n, "span")
	}
}

// inline makes a paragraph of a cell or an item part of its line.
func inline(n *html.Node) {
	if n.NextSibling != nil {
		n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: " "}, n.NextSibling)
	}
	rename(n, "span")
}

// previous is the element before a node.
func previous(n *html.Node) *html.Node {
	before := n.PrevSibling
	for before != nil && before.Type != html.ElementNode {
		before = before.PrevSibling
	}
	return before
}

func text(n *html.Node) string {
	var out strings.Builder
	for in := range n.Descendants() {
		if in.Type == html.TextNode {
			out.WriteString(in.Data)
		}
	}
	return out.String()
}

func element(name string) *html.Node {
	return &html.Node{Type: html.ElementNode, Data: name, DataAtom: atom.Lookup([]byte(name))}
}

func rename(n *html.Node, name string) { n.Data, n.DataAtom = name, atom.Lookup([]byte(name)) }

func move(n, to *html.Node) {
	n.Parent.RemoveChild(n)
	to.AppendChild(n)
}

// unwrap puts what is in an element in its place.
func unwrap(n *html.Node) {
	for child := n.FirstChild; child != nil; child = n.FirstChild {
		n.RemoveChild(child)
		n.Parent.InsertBefore(child, n)
	}
	n.Parent.RemoveChild(n)
}

// Word writes the items of a list as paragraphs, with the level of each in its style, and with its mark as text.
var (
	wordLevel  = regexp.MustCompile(`mso-list:\s*\S+\s+level([1-9])\b`)
	wordNumber = regexp.MustCompile(`^\s*([0-9]+|[a-zA-Z]{1,4})[.)]`)
)

// wordLists makes lists of such paragraphs.
func wordLists(root *html.Node) {
	// open are the lists that the next item may be in, by their level.
	var open []*html.Node
	for _, n := range elements(root) {
		level := 0
		if found := wordLevel.FindStringSubmatch(attribute(n, "style")); found != nil && is(n, "p") {
			level = int(found[1][0] - '0')
		}
		if level == 0 {
			if is(n, "p", "h1", "h2", "h3", "h4", "h5", "h6", "table") {
				open = nil
			}
			continue
		}
		kind := takeMark(n)
		open = open[:min(len(open), level)]
		if len(open) == level && open[level-1].Data != kind {
			open = open[:level-1]
		}
		for len(open) < level {
			list := element(kind)
			if len(open) == 0 {
				n.Parent.InsertBefore(list, n)
			} else {
				parent := open[len(open)-1]
				if parent.LastChild == nil {
					parent.AppendChild(element("li"))
				}
				parent.LastChild.AppendChild(list)
			}
			open = append(open, list)
		}
		move(n, open[level-1])
		rename(n, "li")
	}
}

// takeMark takes the mark of an item out of it, and returns the element of a list that has such marks.
func takeMark(item *html.Node) string {
	for _, n := range elements(item) {
		if style(n, "mso-list") == "Ignore" {
			mark := text(n)
			n.Parent.RemoveChild(n)
			if wordNumber.MatchString(mark) {
				return "ol"
			}
			break
		}
	}
	return "ul"
}
