package check

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// keyphrase is a keyword as the checks look for it: its words of content, each in all spellings. All must be in one sentence, in any
// order; inflected forms do not count, as Yoast's free version has it.
type keyphrase struct {
	profile *language.Profile
	// text as given, on one line, and folded for an exact match.
	text, folded string
	// words in their spellings.
	words [][]string
	// slugs are the words as a slug has them, in their spellings.
	slugs [][]string
	// functionOnly is true if no word is one of content.
	functionOnly bool
}

func newKeyphrase(p *language.Profile, text string) keyphrase {
	k := keyphrase{profile: p, text: strings.Join(strings.Fields(text), " ")}
	k.folded = foldExact(k.text)
	tokens := p.Tokens(text)
	kept := tokens
	if p.Supports(language.FunctionWords) {
		kept = slices.DeleteFunc(slices.Clone(tokens), p.IsFunctionWord)
		if len(kept) == 0 && len(tokens) > 0 {
			kept, k.functionOnly = tokens, true
		}
	}
	for _, word := range kept {
		spellings := p.Spellings(word)
		k.words = append(k.words, spellings)
		k.slugs = append(k.slugs, append(slices.Clone(spellings), content.Slug(word, p.Base())))
	}
	return k
}

func (k keyphrase) none() bool { return len(k.words) == 0 }

// count returns how often all words are among the tokens: as often as the rarest of them.
func (k keyphrase) count(tokens []string) int {
	least := 0
	for i, spellings := range k.words {
		n := 0
		for _, token := range tokens {
			if matches(token, spellings) {
				n++
			}
		}
		if n == 0 {
			return 0
		}
		if i == 0 || n < least {
			least = n
		}
	}
	return least
}

// countIn returns how often the keyphrase is in sentences.
func (k keyphrase) countIn(sentences []sentence) int {
	n := 0
	for _, s := range sentences {
		n += k.count(s.tokens)
	}
	return n
}

// found returns how many of the words are among the tokens.
func (k keyphrase) found(tokens []string) int { return foundIn(k.words, tokens) }

func foundIn(words [][]string, tokens []string) int {
	n := 0
	for _, spellings := range words {
		if slices.ContainsFunc(tokens, func(token string) bool { return matches(token, spellings) }) {
			n++
		}
	}
	return n
}

// matches ignores the particle at the end of a Korean word.
func matches(token string, spellings []string) bool {
	return slices.ContainsFunc(spellings, func(s string) bool { return language.SameWord(token, s) })
}

// exact finds the keyphrase word for word in a text, and reports whether only function words stand before it.
func (k keyphrase) exact(text string) (found, first bool) {
	folded := foldExact(text)
	for _, spelling := range []string{k.folded, language.PlainLetters(k.folded)} {
		if at := indexWord(folded, spelling); at >= 0 {
			before := k.profile.Tokens(folded[:at])
			filters := k.profile.Supports(language.FunctionWords)
			return true, !slices.ContainsFunc(before, func(word string) bool { return !filters || !k.profile.IsFunctionWord(word) })
		}
	}
	return false, false
}

// foldExact folds a text for an exact match, in which blanks and punctuation count.
func foldExact(text string) string {
	return strings.ReplaceAll(language.Fold(strings.Join(strings.Fields(text), " ")), "’", "'")
}

// indexWord returns where a phrase stands between words, or -1.
func indexWord(text, phrase string) int {
	for from := 0; phrase != ""; {
		at := strings.Index(text[from:], phrase)
		if at < 0 {
			return -1
		}
		at += from
		end := at + len(phrase)
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if !joins(before, phrase) && !joins(after, phrase) {
			return at
		}
		from = end
	}
	return -1
}

// joins reports whether a character next to a phrase makes it a part of a longer word. Scripts without spaces join all words.
func joins(r rune, phrase string) bool {
	first, _ := utf8.DecodeRuneInString(phrase)
	return language.IsWordRune(r) && !language.IsUnspaced(first)
}
