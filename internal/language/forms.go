package language

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
)

// Stemmer stems the words of one article, each once. It is not safe for concurrent use.
type Stemmer struct {
	profile *Profile
	known   map[string]string
}

// NewStemmer returns a stemmer of the profile's language.
func (p *Profile) NewStemmer() *Stemmer { return &Stemmer{profile: p, known: map[string]string{}} }

// maxStemmed bounds the different words that a Stemmer stems: some stemmers take 10 microseconds for a word. Hardly any article has as
// many; a word beyond the bound is its own stem.
const maxStemmed = 1 << 14

// Stem returns words, as Tokens has them, with their stems.
func (s *Stemmer) Stem(words []string) Stemmed {
	stems := make([]string, len(words))
	for i, word := range words {
		stem, ok := s.known[word]
		switch {
		case ok:
		case len(s.known) == maxStemmed:
			stem = word
		default:
			stem = s.profile.Stem(word)
			s.known[word] = stem
		}
		stems[i] = stem
	}
	return Stemmed{profile: s.profile, words: words, stems: stems}
}

// Stemmed is a text or a phrase with the stems of its words.
type Stemmed struct {
	profile      *Profile
	words, stems []string
}

// Contains reports whether the words of a phrase follow each other in the text, each in any inflected form that the stemmer knows. No
// text contains a phrase without words.
func (t Stemmed) Contains(phrase Stemmed) bool { return containsRun(t.stems, phrase.stems) }

// Mentions reports whether all words of content of a phrase are in the text, in any order and any form; all words if the phrase has no
// others. Where the language joins words, a word of 5 letters or more is also present at either end of a longer one. No text mentions a
// phrase without words.
func (t Stemmed) Mentions(phrase Stemmed) bool {
	isContent := func(word string) bool { return !t.profile.IsFunctionWord(word) }
	all := !slices.ContainsFunc(phrase.words, isContent)
	for i, word := range phrase.words {
		if (all || isContent(word)) && !t.has(word, phrase.stems[i]) {
			return false
		}
	}
	return len(phrase.words) > 0
}

// minCompoundPart is the least number of letters that a part of a compound has.
const minCompoundPart = 5

// has reports whether a word is in the text in any form, or as a part of a compound.
func (t Stemmed) has(word, stem string) bool {
	if slices.ContainsFunc(t.stems, func(have string) bool { return SameWord(have, stem) }) {
		return true
	}
	isPart := func(have string) bool { return strings.HasPrefix(have, word) || strings.HasSuffix(have, word) }
	return t.profile.traits.Compounds && utf8.RuneCountInString(word) >= minCompoundPart && slices.ContainsFunc(t.words, isPart)
}

// Mentions reports whether all words of content of a phrase are in a text, in any order and any form; see Stemmed.Mentions.
func (p *Profile) Mentions(text, phrase string) bool {
	s := p.NewStemmer()
	return s.Stem(p.Tokens(text)).Mentions(s.Stem(p.Tokens(phrase)))
}

type stemmer func(*snowballstem.Env) bool

var stemmers = map[string]stemmer{
	"ar": arabic.Stem, "da": danish.Stem, "de": german.Stem, "en": english.Stem, "es": spanish.Stem, "fi": finnish.Stem,
	"fr": french.Stem, "ga": irish.Stem, "hu": hungarian.Stem, "it": italian.Stem, "nl": dutch.Stem, "no": norwegian.Stem,
	"pt": portuguese.Stem, "ro": romanian.Stem, "ru": russian.Stem, "sv": swedish.Stem, "ta": tamil.Stem, "tr": turkish.Stem,
}

// maxStemBytes bounds the words that have stems: no language inflects longer ones, and some stemmers take time that grows with the
// square of the length.
const maxStemBytes = 100

// Stem returns the stem of a word as Words has it. A word of a language without a stemmer is its own stem.
func (p *Profile) Stem(word string) string {
	if p.stemmer == nil || len(word) > maxStemBytes {
		return word
	}
	// What follows an apostrophe, as in cat's, is an ending.
	if before, _, found := strings.Cut(word, string(apostropheLetter)); found && before != "" {
		word = before
	}
	env := snowballstem.NewEnv(word)
	p.stemmer(env)
	if stem := env.Current(); stem != "" {
		return stem
	}
	return word
}

// Stems returns the stems of the words of content of a text, in their order.
func (p *Profile) Stems(text string) []string {
	return p.NewStemmer().Stem(p.ContentWords(text)).stems
}
