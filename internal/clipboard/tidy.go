package clipboard

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// tidy replaces the markup of word processors by elements with the same meaning, such as strong for a bold span.
func tidy(root *html.Node) {
	doc := goquery.NewDocumentFromNode(root)
	// The size of a table is bounded by the cells that it has, and not by those that it claims.
	doc.Find("[colspan], [rowspan]").RemoveAttr("colspan").RemoveAttr("rowspan")
	// Google Docs wraps all that is copied.
	doc.Find("b, strong").FilterFunction(isLight).Each(unwrap)
	doc.Find("span, font").Each(emphasise)
	footnotes(doc)
	tasks(doc)
	plainTildes(doc)
	doc.Find("a").Not("[href^='https://'], [href^='http://'], [href^='mailto:']").Each(unwrap)
	doc.Find("img").Not("[src^='https://'], [src^='http://']").Remove()
	wordLists(doc)
	// They are bold anyway.
	doc.Find("h1, h2, h3, h4, h5, h6, th").Find("b, strong").Each(unwrap)
	// Google Docs has a list in a list, and not in an item of it.
	doc.Find("ul > ul, ul > ol, ol > ul, ol > ol").Each(func(_ int, list *goquery.Selection) { list.Prev().AppendSelection(list) })
	doc.Find("td, th, li").Find("p, div").Each(inline)
	doc.Find("td, th").Find("br").ReplaceWithNodes(blank())
	doc.Find("body > br").Remove()
}

// style returns a property of an element's own style.
func style(of *goquery.Selection, property string) string {
	for declaration := range strings.SplitSeq(of.AttrOr("style", ""), ";") {
		if name, value, _ := strings.Cut(declaration, ":"); strings.TrimSpace(name) == property {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func isLight(_ int, of *goquery.Selection) bool {
	weight := style(of, "font-weight")
	return weight == "normal" || weight == "400"
}

// emphasise makes an element bold, italic or struck out that only its style makes so.
func emphasise(_ int, of *goquery.Selection) {
	var meanings []atom.Atom
	if strings.Contains(of.AttrOr("style", ""), "line-through") {
		meanings = append(meanings, atom.Del)
	}
	if weight, _ := strconv.Atoi(style(of, "font-weight")); weight >= 600 || style(of, "font-weight") == "bold" {
		meanings = append(meanings, atom.Strong)
	}
	if style(of, "font-style") == "italic" {
		meanings = append(meanings, atom.Em)
	}
	if len(meanings) == 0 {
		meanings = []atom.Atom{atom.Span}
	}
	for _, inner := range slices.Backward(meanings[1:]) {
		of.WrapInnerNode(newElement(inner))
	}
	rename(of, meanings[0].String())
}

// inline makes a paragraph of a cell or an item part of its line.
func inline(_ int, paragraph *goquery.Selection) {
	if paragraph.Get(0).NextSibling != nil {
		paragraph.AfterNodes(blank())
	}
	rename(paragraph, "span")
}

// unwrap puts what is in an element in its place.
func unwrap(_ int, element *goquery.Selection) { element.ReplaceWithSelection(element.Contents()) }

func rename(element *goquery.Selection, name string) {
	n := element.Get(0)
	n.Data, n.DataAtom = name, atom.Lookup([]byte(name))
}

func newElement(name atom.Atom) *html.Node {
	return &html.Node{Type: html.ElementNode, DataAtom: name, Data: name.String()}
}

func blank() *html.Node { return &html.Node{Type: html.TextNode, Data: " "} }

// Word writes the items of a list as paragraphs, with the level of each in its style, and with its mark as text.
var (
	wordLevel  = regexp.MustCompile(`mso-list:\s*\S+\s+level([1-9])\b`)
	wordNumber = regexp.MustCompile(`^\s*([0-9]+|[a-zA-Z]{1,4})[.)]`)
)

// wordLists makes lists of such paragraphs.
func wordLists(doc *goquery.Document) {
	// open are the lists that the next item may be in, by their level.
	var open []*html.Node
	doc.Find("p, h1, h2, h3, h4, h5, h6, table").Each(func(_ int, item *goquery.Selection) {
		found := wordLevel.FindStringSubmatch(item.AttrOr("style", ""))
		if found == nil || !item.Is("p") {
			open = nil
			return
		}
		level, kind := int(found[1][0]-'0'), takeMark(item)
		open = open[:min(len(open), level)]
		if len(open) == level && open[level-1].DataAtom != kind {
			open = open[:level-1]
		}
		for len(open) < level {
			list := newElement(kind)
			if len(open) == 0 {
				item.BeforeNodes(list)
			} else {
				parent := open[len(open)-1]
				if parent.LastChild == nil {
					parent.AppendChild(newElement(atom.Li))
				}
				parent.LastChild.AppendChild(list)
			}
			open = append(open, list)
		}
		node := item.Get(0)
		node.Parent.RemoveChild(node)
		open[level-1].AppendChild(node)
		rename(item, "li")
	})
}

// takeMark takes the mark of an item out of it, and returns the element of a list that has such marks.
func takeMark(item *goquery.Selection) atom.Atom {
	isMark := func(_ int, of *goquery.Selection) bool { return style(of, "mso-list") == "Ignore" }
	mark := item.Find("[style]").FilterFunction(isMark).First().Remove()
	if wordNumber.MatchString(mark.Text()) {
		return atom.Ol
	}
	return atom.Ul
}
