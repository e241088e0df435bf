package content

import (
	"fmt"

	"github.com/yuin/goldmark/ast"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// Score runs the checks in checks.go. Without a keyword, the checks that need one are not applicable.
func Score(d Document, keyword string, secondary []string) v1alpha1.Scores {
	facts := gatherFacts(d, keyword, secondary)
	var scores v1alpha1.Scores
	var passed, total int32
	for _, c := range checks {
		result, message := c.run(facts)
		if result != v1alpha1.CheckNotApplicable {
			total += c.weight
		}
		if result == v1alpha1.CheckPassed {
			passed += c.weight
		}
		scores.Checks = append(scores.Checks, v1alpha1.ScoreCheck{Name: c.name, Result: result, Weight: c.weight, Message: message})
	}
	scores.SEOScore = (200*passed + total) / (2 * total)
	return scores
}

// facts are the input of the checks.
type facts struct {
	Document
	keyword   []string
	secondary [][]string
	// secondaryTexts are the secondary keywords as given, for messages.
	secondaryTexts []string
	// slugWords are the words of the slug, or of the slug that the title would make.
	slugWords []string
	slugKey   []string

	words          int
	bodyWords      []string
	firstParagraph []string
	headings       [][]string
	longest        int
	images         int
	imagesNoAlt    int
}

func gatherFacts(d Document, keyword string, secondary []string) *facts {
	f := &facts{Document: d, keyword: language.Words(keyword)}
	for _, s := range secondary {
		if words := language.Words(s); len(words) > 0 {
			f.secondary = append(f.secondary, words)
			f.secondaryTexts = append(f.secondaryTexts, oneLine(s))
		}
	}
	slug := d.Slug
	if slug == "" {
		slug = Slug(d.Title, d.Language)
	}
	f.slugWords = language.Words(slug)
	f.slugKey = language.Words(Slug(keyword, d.Language))
	source := []byte(d.Markdown)
	// For the checks, a body that cannot be parsed is empty. Normalize refuses it.
	if doc, err := parse(source); err == nil {
		f.read(doc, source)
	}
	return f
}

// read gathers facts about the body. Code and raw HTML do not count as text.
func (f *facts) read(doc ast.Node, source []byte) {
	f.firstParagraph = language.Words(firstParagraph(doc, source))
	walk(doc, func(n ast.Node) bool {
		if image, ok := n.(*ast.Image); ok {
			f.images++
			if inlineText(image, source) == "" {
				f.imagesNoAlt++
			}
		}
		if !holdsText(n) {
			return true
		}
		text := inlineText(n, source)
		count := language.CountWords(text)
		f.words += count
		words := language.Words(text)
		f.bodyWords = append(f.bodyWords, words...)
		switch n.Kind() {
		case ast.KindHeading:
			f.headings = append(f.headings, words)
		case ast.KindParagraph:
			f.longest = max(f.longest, count)
		}
		return true
	})
}

// holdsText reports whether a block's children are inline nodes.
func holdsText(n ast.Node) bool {
	return n.Type() == ast.TypeBlock && n.FirstChild() != nil && n.FirstChild().Type() == ast.TypeInline
}

// inRange checks that a number is within bounds.
func inRange(what string, n, low, high int, unit string) (v1alpha1.CheckResult, string) {
	if n < low || n > high {
		return v1alpha1.CheckFailed, fmt.Sprintf("%s has %d %s; it should have %d to %d", what, n, unit, low, high)
	}
	return v1alpha1.CheckPassed, fmt.Sprintf("%s has %d %s", what, n, unit)
}
