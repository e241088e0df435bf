package content

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// What some writers put before questions and answers.
var (
	questionPrefix = regexp.MustCompile(`^(?:(?i:q|question)\s?[0-9]{0,3}\s?[:)]|[0-9]{1,3}[.)])\s+`)
	answerPrefix   = regexp.MustCompile(`^(?i:a|answer)\s?[0-9]{0,3}\s?[:)]\s+`)
)

// faqSections finds the sections of frequently asked questions at the top level, reads them, and cuts them out. A section
// that cannot be read stays in the body, so that nothing is lost.
func faqSections(doc ast.Node, source []byte) ([]v1alpha1.FAQ, []edit) {
	var found []v1alpha1.FAQ
	var cuts []edit
	for n := doc.FirstChild(); n != nil; {
		next := n.NextSibling()
		if h, ok := n.(*ast.Heading); ok {
			if named, alone := faqName(inlineText(h, source)); named {
				end := sectionEnd(h, source)
				questions := readFAQ(h.NextSibling(), end, source)
				if len(questions) > 0 && (alone || allAsk(questions)) {
					found = append(found, questions...)
					cuts = append(cuts, cut(source, h, end))
					next = end
				}
			}
		}
		n = next
	}
	return found, cuts
}

// sectionEnd returns the block after a section: the next heading that is not below the section's own. Where that heading
// follows at once and asks, the writer has put the questions on the level of the section, and they are part of it.
func sectionEnd(section *ast.Heading, source []byte) ast.Node {
	flat := false
	if h, ok := section.NextSibling().(*ast.Heading); ok {
		flat = h.Level == section.Level && asks(inlineText(h, source))
	}
	for n := section.NextSibling(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if ok && h.Level <= section.Level && (!flat || h.Level < section.Level || !asks(inlineText(h, source))) {
			return n
		}
	}
	return nil
}

// readFAQ reads the questions between two blocks: sub-headings, or else paragraphs and list items that begin in bold.
func readFAQ(from, to ast.Node, source []byte) []v1alpha1.FAQ {
	r := faqReader{source: source, level: 7}
	for n := from; n != nil && n != to; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			r.level = min(r.level, h.Level)
		}
		r.boldAsks = r.boldAsks || asks(leadText(n, source)) || asks(itemLead(n, source))
	}
	for n := from; n != nil && n != to; n = n.NextSibling() {
		r.read(n)
	}
	return tidyFAQ(r.found)
}

// faqReader collects questions with their answers.
type faqReader struct {
	source []byte
	// level of the headings that are questions; 7 where there are none.
	level int
	// boldAsks is whether some bold text ends in a question mark; then only such text is a question.
	boldAsks bool
	found    []v1alpha1.FAQ
}

func (r *faqReader) read(n ast.Node) {
	if h, ok := n.(*ast.Heading); ok && h.Level == r.level {
		r.question(inlineText(h, r.source))
		return
	}
	if r.level == 7 && r.bold(n) {
		return
	}
	if n.Kind() == ast.KindList && r.level == 7 && r.list(n) {
		return
	}
	r.answer(oneBlock(n, r.source))
}

// bold takes a paragraph that begins in bold as a question with the beginning of its answer.
func (r *faqReader) bold(n ast.Node) bool {
	lead := leadText(n, r.source)
	if lead == "" || r.boldAsks && !asks(lead) {
		return false
	}
	r.question(lead)
	var rest strings.Builder
	for child := leadNode(n).NextSibling(); child != nil; child = child.NextSibling() {
		rest.WriteString(inlineNode(child, r.source))
	}
	r.answer(strings.TrimLeft(oneLine(rest.String()), ":-–— "))
	return true
}

// list reads a list whose items begin in bold.
func (r *faqReader) list(list ast.Node) bool {
	lead := itemLead(list, r.source)
	if lead == "" || r.boldAsks && !asks(lead) {
		return false
	}
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		for n := item.FirstChild(); n != nil; n = n.NextSibling() {
			r.read(n)
		}
	}
	return true
}

func (r *faqReader) question(text string) {
	r.found = append(r.found, v1alpha1.FAQ{Question: questionPrefix.ReplaceAllString(text, "")})
}

func (r *faqReader) answer(text string) {
	if len(r.found) == 0 || text == "" {
		return
	}
	last := &r.found[len(r.found)-1]
	if last.Answer == "" {
		last.Answer = answerPrefix.ReplaceAllString(text, "")
		return
	}
	last.Answer += "\n\n" + text
}

// leadNode returns the bold text that a paragraph begins with, or nil.
func leadNode(n ast.Node) ast.Node {
	if n == nil || n.Kind() != ast.KindParagraph && n.Kind() != ast.KindTextBlock {
		return nil
	}
	if e, ok := n.FirstChild().(*ast.Emphasis); ok && e.Level == 2 {
		return e
	}
	return nil
}

func leadText(n ast.Node, source []byte) string {
	if lead := leadNode(n); lead != nil {
		return strings.TrimRight(inlineText(lead, source), ": ")
	}
	return ""
}

// itemLead returns the bold text that the first item of a list begins with, or "".
func itemLead(n ast.Node, source []byte) string {
	if n.Kind() != ast.KindList || n.FirstChild() == nil {
		return ""
	}
	return leadText(n.FirstChild().FirstChild(), source)
}

func allAsk(faq []v1alpha1.FAQ) bool {
	for _, f := range faq {
		if !asks(f.Question) {
			return false
		}
	}
	return true
}

// asks reports whether a text ends in a question mark of some script. The Greek one looks like a semicolon.
func asks(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, " \"'”’»)"))
	return strings.ContainsRune("?？؟;⸮՞", last)
}
