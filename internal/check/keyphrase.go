package check

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// keyphrase is a keyword as the checks look for it: its words of content, each in all spellings. All must be in one sentence, in any
// order; inflected forms do not count, as Yoast's free version has it.
type keyphrase struct {
	language *language.Profile
	// text as given, on one line, and folded for an exact match.
	text, folded string
	// words in their spellings, each a run of tokens: node.js has two.
	words []spellings
	// slugs are the words that a slug can have, in their spellings.
	slugs []spellings
	// functionOnly is true if no word is one of content.
	functionOnly bool
}

// spellings of a word, each a run of tokens.
type spellings [][]string

func newKeyphrase(p *language.Profile, text string) keyphrase {
	k := keyphrase{language: p, text: strings.Join(strings.Fields(text), " ")}
	k.folded = foldExact(k.text)
	var kept, all []string
	// A name such as node.js is one word, although texts are split there.
	isSeparator := func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) || r == '/' }
	for _, word := range strings.FieldsFunc(text, isSeparator) {
		tokens := p.Tokens(word)
		if len(tokens) == 0 {
			continue
		}
		// An elided article is a word of its own.
		for len(tokens) > 1 && p.IsFunctionWord(tokens[0]) && strings.ContainsAny(word, "'’") {
			all, tokens = append(all, tokens[0]), tokens[1:]
		}
		word = strings.Join(tokens, " ")
		all = append(all, word)
		if !p.KnowsFunctionWords() || !p.IsFunctionWord(word) {
			kept = append(kept, word)
		}
	}
	if len(kept) == 0 {
		kept, k.functionOnly = all, len(all) > 0
	}
	for _, word := range kept {
		var spelled spellings
		for _, spelling := range p.Spellings(word) {
			spelled = append(spelled, strings.Fields(spelling))
		}
		k.words = append(k.words, spelled)
		if spelling := content.Spelling(word, p.Base()); spelling != "" {
			k.slugs = append(k.slugs, append(slices.Clone(spelled), []string{spelling}))
		}
	}
	return k
}

func (k *keyphrase) none() bool { return len(k.words) == 0 }

// count returns how often all words are among the tokens: as often as the rarest of them.
func (k *keyphrase) count(tokens []string) int {
	least := 0
	for i, word := range k.words {
		n := word.count(tokens)
		if n == 0 {
			return 0
		}
		if i == 0 || n < least {
			least = n
		}
	}
	return least
}

// count returns how often one of the spellings is among the tokens.
func (s spellings) count(tokens []string) int {
	n := 0
	for i := range tokens {
		if slices.ContainsFunc(s, func(spelling []string) bool { return language.StartsWith(tokens[i:], spelling) }) {
			n++
		}
	}
	return n
}

// found returns how many of the words are among the tokens.
func (k *keyphrase) found(tokens []string) int { return foundIn(k.words, tokens) }

func foundIn(words []spellings, tokens []string) int {
	n := 0
	for _, word := range words {
		if word.count(tokens) > 0 {
			n++
		}
	}
	return n
}

// exact finds the keyphrase word for word in a text, and reports whether only function words stand before it.
func (k *keyphrase) exact(text string) (found, first bool) {
	folded := foldExact(text)
	for _, spelling := range []string{k.folded, language.PlainLetters(k.folded)} {
		if at := indexWord(folded, spelling); at >= 0 {
			before := k.language.Tokens(folded[:at])
			filters := k.language.KnowsFunctionWords()
			return true, !slices.ContainsFunc(before, func(word string) bool { return !filters || !k.language.IsFunctionWord(word) })
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
