// Package language knows what the languages of articles have: words, sentences, stems, function words and limits. It is pure: the
// same text gives the same answer, whatever else happens. What is not known of a language is never guessed: Supports reports it.
package language

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/language"
)

// Feature is something that is known only of some languages.
type Feature int

// The features of a language.
const (
	// FunctionWords are told from words of content.
	FunctionWords Feature = iota
	// Stems join the inflected forms of a word.
	Stems
	// SentenceMarks end sentences.
	SentenceMarks
	// Compounds join words without a space.
	Compounds
	// LetterCase means that long words have many letters, as in Latin, Cyrillic and Greek script.
	LetterCase
)

// Profile is what is known of one language. It does not change, so concurrent use is safe.
type Profile struct {
	base   string
	script string
	// letters are the tables of script, and of the other script that the language is written in if the tag names none; empty if the
	// script is not known.
	letters []*unicode.RangeTable
	stemmer stemmer
	// list is the bit of the language in the sets of wordLists. kin has the bits of kindred languages too.
	list, kin uint64
	traits
}

// traits of a language that its words do not tell.
type traits struct {
	// sentence is the most words that a sentence should have.
	sentence int
	// filters reports whether function words are left out of keywords.
	filters bool
	// compounds reports whether words are joined without a space.
	compounds bool
}

// The most words that a sentence should have: the limits that Yoast documents.
const (
	usualSentence  = 20
	longSentence   = 25
	shortSentences = 15
)

// languageTraits of languages that have any. The languages that filter are those for which Yoast documents function words.
var languageTraits = map[string]traits{
	"ar": {filters: true},
	"ca": {sentence: longSentence},
	"cs": {filters: true},
	"da": {compounds: true},
	"de": {filters: true, compounds: true},
	"el": {filters: true},
	"en": {filters: true},
	"es": {sentence: longSentence, filters: true},
	"fa": {sentence: longSentence, filters: true},
	"fi": {compounds: true},
	"fr": {filters: true},
	"he": {sentence: shortSentences, filters: true},
	"hu": {filters: true, compounds: true},
	"id": {filters: true},
	"it": {sentence: longSentence, filters: true},
	"nl": {filters: true, compounds: true},
	"no": {filters: true, compounds: true},
	"pl": {filters: true},
	"pt": {sentence: longSentence, filters: true},
	"ru": {sentence: shortSentences, filters: true},
	"sk": {filters: true},
	"sv": {filters: true, compounds: true},
	"tr": {sentence: shortSentences, filters: true},
}

// For returns the profile of a BCP 47 tag. Regions do not matter: de-CH is German. A tag that is not valid or not known gets a
// neutral profile, which supports nothing.
func For(tag string) *Profile {
	base, script, other := parse(tag)
	p := &Profile{
		base: base, script: script, stemmer: stemmers[base], list: functionWords().bit(base), kin: kinOf(base),
		traits: languageTraits[base],
	}
	if tables := scripts[script]; tables != nil {
		p.letters = slices.Concat(tables, scripts[other])
	}
	p.sentence = cmp.Or(p.sentence, usualSentence)
	return p
}

// Base returns the base of a tag, such as de of de-CH; "" if the tag is not valid.
func Base(tag string) string {
	base, _, _ := parse(tag)
	return base
}

func parse(tag string) (base, script, otherScript string) {
	parsed, err := language.Parse(strings.TrimSpace(tag))
	if err != nil || parsed == language.Und {
		return "", "", ""
	}
	b, confidence := parsed.Base()
	if confidence == language.No {
		return "", "", ""
	}
	s, _ := parsed.Script()
	base, script = b.String(), s.String()
	if _, named, _ := parsed.Raw(); named == (language.Script{}) {
		otherScript = otherScripts[base]
	}
	switch base {
	case "nb", "nn":
		return "no", script, otherScript
	case "und":
		return "", script, otherScript
	default:
		return base, script, otherScript
	}
}

// Base of the profile's tag; "" if it is neutral.
func (p *Profile) Base() string { return p.base }

// SentenceLimit is the most words that a sentence should have.
func (p *Profile) SentenceLimit() int { return p.sentence }

// Supports reports whether a feature of the language is known.
func (p *Profile) Supports(f Feature) bool {
	switch f {
	case FunctionWords:
		return p.filters && p.list != 0
	case Stems:
		return p.stemmer != nil
	case SentenceMarks:
		return p.base != "" && !marklessScripts[p.script]
	case Compounds:
		return p.compounds
	case LetterCase:
		return p.script == latin || p.script == cyrillic || p.script == "Grek"
	default:
		return false
	}
}

// marklessScripts are written without marks at the end of a sentence.
var marklessScripts = map[string]bool{"Thai": true, "Laoo": true, "Khmr": true, "Mymr": true}
