package clipboard

import (
	"regexp"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

// The converter escapes signs of Markdown in a text. Characters for private use stand for those signs that are meant, until it is done.
const (
	tilde, twoTildes   = "\ue000", "\ue001"
	openTask, doneTask = "\ue002", "\ue003"
	// A footnote has its name between two of them: where it is referred to, and where its text begins.
	noteStart, noteEnd         = "\ue004", "\ue005"
	noteTextStart, noteTextEnd = "\ue006", "\ue007"
)

// meant writes the signs.
var meant = strings.NewReplacer(
	tilde, "~", twoTildes, `\~~`, openTask+" ", "[ ] ", openTask, "[ ] ", doneTask+" ", "[x] ", doneTask, "[x] ",
	noteStart, "[^", noteEnd, "]", noteTextStart, "[^", noteTextEnd+" ", "]: ", noteTextEnd, "]: ",
)

// plainTildes keeps the tildes of a text, such as in 10~20, from being escaped. Two of them would strike out.
func plainTildes(doc *goquery.Document) {
	for n := range doc.Get(0).Descendants() {
		if n.Type == html.TextNode && strings.Contains(n.Data, "~") && !isCode(n) {
			n.Data = tildes.ReplaceAllStringFunc(n.Data, func(run string) string {
				if len(run) == 2 {
					return twoTildes
				}
				return strings.Repeat(tilde, len(run))
			})
		}
	}
}

var tildes = regexp.MustCompile(`~+`)

func isCode(n *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if is(p, "pre", "code") {
			return true
		}
	}
	return false
}

// tasks marks the items of a list of tasks: those of Google Docs have a role, and those of other pages a box.
func tasks(doc *goquery.Document) {
	mark := func(item *goquery.Selection, done bool) {
		box := openTask
		if done {
			box = doneTask
		}
		item.PrependNodes(&html.Node{Type: html.TextNode, Data: box})
	}
	doc.Find("li[role='checkbox']").Each(func(_ int, item *goquery.Selection) { mark(item, item.AttrOr("aria-checked", "") == "true") })
	doc.Find("li input[type='checkbox']").Each(func(_ int, box *goquery.Selection) {
		_, done := box.Attr("checked")
		mark(box.Closest("li"), done)
	})
	doc.Find("input").Remove()
}

// The links of Word, Google Docs and LibreOffice to a footnote or an endnote, and back.
var (
	toNote   = regexp.MustCompile(`^(?:file:[^#]*)?#(_?ftn|_?edn|ftnt|sdfootnote|sdendnote)([0-9]{1,4})(?:sym)?$`)
	fromNote = regexp.MustCompile(`^(?:file:[^#]*)?#(_?ftnref|_?ednref|ftnt_ref|sdfootnote|sdendnote)([0-9]{1,4})(?:anc)?$`)
)

// footnotes marks the footnotes that are referred to and whose text is there too.
func footnotes(doc *goquery.Document) {
	links := doc.Find("a[href*='#']")
	references, texts := map[string]*goquery.Selection{}, map[string]*goquery.Selection{}
	links.Each(func(_ int, link *goquery.Selection) {
		href := link.AttrOr("href", "")
		if name := noteName(toNote.FindStringSubmatch(href)); name != "" {
			references[name] = link
		} else if name := noteName(fromNote.FindStringSubmatch(href)); name != "" {
			texts[name] = link
		}
	})
	for name, reference := range references {
		if text := texts[name]; text != nil {
			reference.ReplaceWithNodes(&html.Node{Type: html.TextNode, Data: noteStart + name + noteEnd})
			text.ReplaceWithNodes(&html.Node{Type: html.TextNode, Data: noteTextStart + name + noteTextEnd})
		}
	}
}

// noteName is the name of a footnote in Markdown. Endnotes count from 1 too.
func noteName(found []string) string {
	switch {
	case found == nil:
		return ""
	case strings.Contains(found[1], "edn"), strings.Contains(found[1], "end"):
		return "e" + found[2]
	default:
		return found[2]
	}
}
