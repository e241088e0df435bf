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
	reader *language.Reader
	// text as given, on one line, and folded for an exact match.
	text, folded string
	// words in their spellings, each a run of tokens: node.js has two.
	words [][][]language.Word
	// slugs are the words as a slug has them, in their spellings.
	slugs [][][]language.Word
	// functionOnly is true if no word is one of content.
	functionOnly bool
	// begin are the first words of all spellings.
	begin wordSet
}

func newKeyphrase(r *language.Reader, text string) keyphrase {
	p := r.Profile()
	k := keyphrase{reader: r, text: strings.Join(strings.Fields(text), " ")}
	k.folded = foldExact(k.text)
	var kept, all []string
	for _, word := range phraseParts(text) {
		tokens := r.Tokens(word)
		if len(tokens) == 0 {
			continue
		}
		// An elided article is a word of its own.
		for len(tokens) > 1 && p.IsFunctionWord(tokens[0]) && strings.ContainsAny(word, "'’") {
			all, tokens = append(all, tokens[0]), tokens[1:]
		}
		word = strings.Join(tokens, " ")
		all = append(all, word)
		if !p.Supports(language.FunctionWords) || !p.IsFunctionWord(word) {
			kept = append(kept, word)
		}
	}
	if len(kept) == 0 {
		kept, k.functionOnly = all, len(all) > 0
	}
	for _, word := range kept {
		var spelled [][]language.Word
		for _, spelling := range p.Spellings(word) {
			spelled = append(spelled, r.Phrase(strings.Fields(spelling)))
		}
		k.words = append(k.words, spelled)
		k.slugs = append(k.slugs, append(slices.Clone(spelled), r.Phrase([]string{content.Slug(word, p.Base())})))
	}
	for _, spelling := range slices.Concat(k.slugs...) {
		k.begin.add(spelling[0])
	}
	return k
}

// phraseParts splits a keyword into its words: at blanks and hyphens. A name such as node.js is one word, although texts are split there.
func phraseParts(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) || r == '/'
	})
}

func (k *keyphrase) none() bool { return len(k.words) == 0 }

// count returns how often all words are among the tokens: as often as the rarest of them.
func (k *keyphrase) count(tokens []language.Word) int {
	least := 0
	for i, spellings := range k.words {
		n := k.occurrences(spellings, tokens)
		if n == 0 {
			return 0
		}
		if i == 0 || n < least {
			least = n
		}
	}
	return least
}

// occurrences counts where one of the spellings of a word is among the tokens.
func (k *keyphrase) occurrences(spellings [][]language.Word, tokens []language.Word) int {
	n := 0
	for i, token := range tokens {
		if !k.mayHave(token) {
			continue
		}
		for _, spelling := range spellings {
			// The first token decides nearly always.
			if k.reader.SameWord(token, spelling[0]) && k.begins(spelling, tokens[i:]) {
				n++
				break
			}
		}
	}
	return n
}

// mayHave reports whether a word of a text may be one of the keyword's: nearly none is.
func (k *keyphrase) mayHave(token language.Word) bool {
	return k.begin.has(token) || k.reader.HasParticles()
}

// mayHaveFrom reports whether one of the words of a text may be one of the keyword's, by the first of them that was ever read.
func (k *keyphrase) mayHaveFrom(first language.Word) bool {
	return int(first) < len(k.begin) || k.reader.HasParticles()
}

func (k *keyphrase) begins(spelling, tokens []language.Word) bool {
	return len(spelling) <= len(tokens) && slices.EqualFunc(tokens[:len(spelling)], spelling, k.reader.SameWord)
}

// found returns how many of the words are among the tokens.
func (k *keyphrase) found(tokens []language.Word) int { return k.foundIn(k.words, tokens) }

func (k *keyphrase) foundIn(words [][][]language.Word, tokens []language.Word) int {
	n := 0
	if !slices.ContainsFunc(tokens, k.mayHave) {
		return n
	}
	for _, spellings := range words {
		if k.occurrences(spellings, tokens) > 0 {
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
			before := k.reader.Words(folded[:at])
			filters := k.reader.Profile().Supports(language.FunctionWords)
			return true, !slices.ContainsFunc(before, func(w language.Word) bool { return !filters || !k.reader.IsFunctionWord(w) })
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
