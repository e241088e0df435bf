package content

import (
	"fmt"

	"github.com/yuin/goldmark/ast"
)

// Result is the outcome of a check.
type Result string

// The outcomes of a check. NotApplicable ones do not count.
const (
	Passed        Result = "Passed"
	Failed        Result = "Failed"
	NotApplicable Result = "NotApplicable"
)

// Check is one rule that a document was held against.
type Check struct {
	// Name in lower case with hyphens.
	Name string
	// Result of the check.
	Result Result
	// Weight in the score, 1 to 100.
	Weight int32
	// Message says what was found, and what must be where the check failed.
	Message string
}

// Scores rate a document.
type Scores struct {
	// SEOScore is 0 to 100: the share of the weights of the applicable checks that passed, rounded.
	SEOScore int32
	// Checks in a fixed order.
	Checks []Check
}

// Score holds a document against the checks in checks.go. Without a keyword those that need one are not applicable.
func Score(d Document, keyword string, secondary []string) Scores {
	facts := examine(d, keyword, secondary)
	var scores Scores
	var passed, total int32
	for _, c := range checks {
		result, message := c.run(facts)
		if result != NotApplicable {
			total += c.weight
		}
		if result == Passed {
			passed += c.weight
		}
		scores.Checks = append(scores.Checks, Check{Name: c.name, Result: result, Weight: c.weight, Message: message})
	}
	scores.SEOScore = (200*passed + total) / (2 * total)
	return scores
}

// facts are what the checks look at.
type facts struct {
	Document
	keyword   []string
	secondary [][]string
	// given is what was asked for, to be quoted in messages.
	given []string
	// slugWords are the words of the slug, or of the one that the title would make.
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

func examine(d Document, keyword string, secondary []string) *facts {
	f := &facts{Document: d, keyword: Words(keyword)}
	for _, s := range secondary {
		if words := Words(s); len(words) > 0 {
			f.secondary = append(f.secondary, words)
			f.given = append(f.given, oneLine(s))
		}
	}
	slug := d.Slug
	if slug == "" {
		slug = Slug(d.Title, d.Language)
	}
	f.slugWords = Words(slug)
	f.slugKey = Words(Slug(keyword, d.Language))
	source := []byte(d.Markdown)
	// A body that cannot be parsed has no text as far as the checks go. Normalize refuses it.
	if doc, err := parse(source); err == nil {
		f.read(doc, source)
	}
	return f
}

// read gathers facts about the body. Code and raw HTML are no text.
func (f *facts) read(doc ast.Node, source []byte) {
	f.firstParagraph = Words(firstParagraph(doc, source))
	each(doc, func(n ast.Node) bool {
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
		count := CountWords(text)
		f.words += count
		words := Words(text)
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

// inRange passes a number within bounds and says what it is of.
func inRange(what string, n, low, high int, unit string) (Result, string) {
	if n < low || n > high {
		return Failed, fmt.Sprintf("%s has %d %s; it should have %d to %d", what, n, unit, low, high)
	}
	return Passed, fmt.Sprintf("%s has %d %s", what, n, unit)
}
