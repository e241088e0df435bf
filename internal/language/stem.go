package language

import (
	"bytes"

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
	return p.stem(&snowballstem.Env{}, []byte(word))
}

// stem is Stem in an environment that may have been used before.
func (p *Profile) stem(env *snowballstem.Env, word []byte) string {
	text := string(p.inflected(word))
	if p.stemmer == nil || len(word) > maxStemBytes {
		return text
	}
	env.SetCurrent(text)
	p.stemmer(env)
	if stem := env.Current(); stem != "" {
		return stem
	}
	return text
}

// inflected is the part of a word that is stemmed: what follows an apostrophe, as in cat's, is an ending.
func (p *Profile) inflected(word []byte) []byte {
	if p.stemmer == nil || len(word) > maxStemBytes {
		return word
	}
	if before, _, found := bytes.Cut(word, apostrophe); found && len(before) > 0 {
		return before
	}
	return word
}

// Stems returns the stems of the words of content of a text, in their order.
func (p *Profile) Stems(text string) []string {
	stems := p.ContentWords(text)
	known := map[string]string{}
	for i, word := range stems {
		stem, ok := known[word]
		if !ok {
			stem = p.Stem(word)
			known[word] = stem
		}
		stems[i] = stem
	}
	return stems
}
