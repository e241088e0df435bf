package generate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// problem is a fault of an answer. The repair turn names it to the model. It does not quote the answer, so messages may show it.
type problem struct {
	text string
	// minor problems do not keep an article from being used.
	minor bool
	// settings of the account are what the answer does not keep to.
	settings bool
}

type problems []problem

func must(text string) problem   { return problem{text: text} }
func should(text string) problem { return problem{text: text, minor: true} }

// usable reports whether all problems are minor.
func (p problems) usable() bool {
	return !slices.ContainsFunc(p, func(one problem) bool { return !one.minor })
}

func (p problems) texts() []string {
	out := make([]string, 0, len(p))
	for _, one := range p {
		out = append(out, one.text)
	}
	return out
}

// summary writes the problems that are not minor on one line of at most 200 characters.
func (p problems) summary() string {
	var texts []string
	for _, one := range p {
		if !one.minor {
			texts = append(texts, one.text)
		}
	}
	return label(strings.Join(texts, "; "), 200)
}

// failure is the error of an answer that cannot be used after it was asked for again.
func (p problems) failure() *Error {
	// Of an answer that could be used if it were not for settings of the account.
	settings := !slices.ContainsFunc(p, func(one problem) bool { return !one.minor && !one.settings })
	return &Error{
		Reason: v1alpha1.ReasonInvalidAnswer, Retryable: !settings, Settings: settings,
		Message: fmt.Sprintf("the model's answer could not be used after a repair turn: %s", p.summary()),
	}
}

// avoided finds words that may not appear.
func avoided(words []string, texts ...string) problems {
	var found problems
	all := strings.Join(texts, "\n\n")
	for _, word := range words {
		if language.ContainsPhrase(all, word) {
			text := fmt.Sprintf("the text has %q, which may not appear", label(word, 100))
			found = append(found, problem{text: text, settings: true})
		}
	}
	return found
}

// wordsToAvoid returns the words that may not appear. Words of a keyword may: the request asks for them.
func wordsToAvoid(r Request) []string {
	var out []string
	for _, word := range r.AvoidWords {
		asked := func(keyword string) bool { return language.ContainsPhrase(keyword, word) }
		if strings.TrimSpace(word) != "" && !asked(r.Keyword) && !slices.ContainsFunc(r.SecondaryKeywords, asked) {
			out = append(out, word)
		}
	}
	return out
}
