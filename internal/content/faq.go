package content

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// questionPrefix is a number or a letter before a question.
var questionPrefix = regexp.MustCompile(`^(?:(?i:q|question)\s?[0-9]{0,3}\s?[:)]|[0-9]{1,3}[.)])\s+`)

// MoveFAQ moves sections of frequently asked questions from a generated body to the document's FAQ: models write them although
// they are told not to. Such a section has a heading that begins with its usual name, in the article's language or in English,
// and sub-headings that are all questions with an answer. Any other section stays where it is. It is not meant for an author's
// text. A body that cannot be parsed stays as it is, and Normalize says what is wrong with it.
func MoveFAQ(d Document) Document {
	source := []byte(clean(d.Markdown))
	doc, err := Parse(source)
	if err != nil {
		return d
	}
	var found []v1alpha1.FAQ
	var cuts []textEdit
	for n := doc.FirstChild(); n != nil; {
		next := n.NextSibling()
		if section, ok := n.(*ast.Heading); ok && namesFAQ(inlineText(section, source), d.Language) {
			end := sectionEnd(section)
			if questions := readQuestions(section, end, source); len(questions) > 0 {
				found = append(found, questions...)
				cuts = append(cuts, cutBlocks(source, section, end))
				next = end
			}
		}
		n = next
	}
	d.Markdown = applyEdits(source, cuts)
	d.FAQ = slices.Concat(d.FAQ, found)
	return d
}

// sectionEnd returns the block after a section: the next heading that is not below the section's own, the footnotes, or nil.
func sectionEnd(section *ast.Heading) ast.Node {
	for n := section.NextSibling(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level <= section.Level || n.Kind() == extast.KindFootnoteList {
			return n
		}
	}
	return nil
}

// readQuestions reads the sub-headings of a section as questions, and the blocks below each as its answer. It returns nil if
// the section holds anything else, so that nothing is lost but an introduction.
func readQuestions(section *ast.Heading, end ast.Node, source []byte) []v1alpha1.FAQ {
	var found []v1alpha1.FAQ
	level := 0
	for n := section.NextSibling(); n != nil && n != end; n = n.NextSibling() {
		h, heading := n.(*ast.Heading)
		switch {
		case heading && (level == 0 || h.Level == level):
			level = h.Level
			found = append(found, v1alpha1.FAQ{Question: questionPrefix.ReplaceAllString(inlineText(h, source), "")})
		case heading && h.Level < level:
			return nil
		case len(found) > 0:
			last := &found[len(found)-1]
			last.Answer = strings.TrimSpace(last.Answer + "\n\n" + oneBlock(n, source))
		}
	}
	if slices.ContainsFunc(found, func(f v1alpha1.FAQ) bool { return !asks(f.Question) || f.Answer == "" }) {
		return nil
	}
	return found
}

// asks reports whether a text ends in a question mark of some script. The Greek one looks like a semicolon.
func asks(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, " \"'”’»)"))
	return strings.ContainsRune("?？؟;⸮՞", last)
}

// namesFAQ reports whether a heading begins with the name of a FAQ section, as "FAQ about trail shoes" does.
func namesFAQ(heading, tag string) bool {
	words := headingWords(heading)
	return slices.ContainsFunc(slices.Concat(language.For("en").FAQ(), language.For(tag).FAQ()), func(name string) bool {
		start := language.Words(name)
		return language.StartsWith(words, start)
	})
}

// headingWords are the words of a heading without numbering and decoration before them.
func headingWords(heading string) []string {
	words := language.Words(strings.TrimLeftFunc(heading, func(r rune) bool { return !language.IsWordRune(r) }))
	for len(words) > 1 && strings.Trim(words[0], "0123456789") == "" {
		words = words[1:]
	}
	return words
}
