package generate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/content"
)

// problem is something wrong with an answer, told to the model in the repair turn. It is in our own words, and so may be shown.
type problem struct {
	text string
	// minor is what an article can do without.
	minor bool
}

type problems []problem

func must(text string) problem   { return problem{text: text} }
func should(text string) problem { return problem{text: text, minor: true} }

// usable reports whether nothing but minor problems were found.
func (p problems) usable() bool {
	return !slices.ContainsFunc(p, func(one problem) bool { return !one.minor })
}

// list writes the problems as a list for the model.
func (p problems) list() string {
	var b strings.Builder
	for _, one := range p {
		b.WriteString("- " + one.text + "\n")
	}
	return b.String()
}

// summary writes the first problems that matter on one line, at most 200 characters.
func (p problems) summary() string {
	var texts []string
	for _, one := range p {
		if !one.minor {
			texts = append(texts, one.text)
		}
	}
	return label(strings.Join(texts, "; "), 200)
}

// avoided finds words that may not appear.
func avoided(words []string, texts ...string) problems {
	var found problems
	all := strings.Join(texts, "\n\n")
	for _, word := range words {
		if content.ContainsPhrase(all, word) {
			found = append(found, must(fmt.Sprintf("the text has %q, which may not appear", label(word, 100))))
		}
	}
	return found
}

// avoidable returns the words to avoid that the keywords do not have: those who ask for a keyword want it in the text.
func avoidable(r Request) []string {
	var out []string
	for _, word := range r.AvoidWords {
		asked := func(keyword string) bool { return content.ContainsPhrase(keyword, word) }
		if strings.TrimSpace(word) != "" && !asked(r.Keyword) && !slices.ContainsFunc(r.SecondaryKeywords, asked) {
			out = append(out, word)
		}
	}
	return out
}
