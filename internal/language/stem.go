package language

import (
	"strings"

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
