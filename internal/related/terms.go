package related

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/internal/language"
)

const (
	// maxTerms is how many stems say what a text is about.
	maxTerms = 30
	// MaxTermsBytes bounds what Terms returns, as the API does.
	MaxTermsBytes = 256
)

// Terms returns the stems that a plain text in the language of a BCP 47 tag has most often, separated by spaces: at most 30 and 256
// bytes, the most frequent first, and of two that are equally frequent the one that comes first in the text. Function words, numbers and
// single letters are left out. Terms that most articles of a site have are told apart when articles are compared.
func Terms(tag, text string) string {
	p := language.For(tag)
	counts := map[string]int{}
	var stems []string
	for _, stem := range p.Stems(text) {
		if counts[stem] == 0 {
			stems = append(stems, stem)
		}
		counts[stem]++
	}
	stems = slices.DeleteFunc(stems, func(stem string) bool { return !isTerm(stem) || p.IsFunctionWord(stem) })
	slices.SortStableFunc(stems, func(a, b string) int { return counts[b] - counts[a] })
	var b strings.Builder
	for n, stem := range stems {
		if n == maxTerms || b.Len()+len(stem)+1 > MaxTermsBytes {
			break
		}
		if n > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(stem)
	}
	return b.String()
}

// isTerm reports whether a stem is a word: not a number, and not a single letter of a script that has spaces between words.
func isTerm(stem string) bool {
	first, size := utf8.DecodeRuneInString(stem)
	return unicode.IsLetter(first) && (size < len(stem) || size > 2)
}

// termWeight is what the term at an index of Terms says of an article, in comparison with a stem of its title: the first says twice as
// much, the last a half.
func termWeight(index int) float64 {
	const first, last = 2, 0.5
	return first - (first-last)*float64(index)/maxTerms
}
