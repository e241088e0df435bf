package language

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// Sentences splits one paragraph into sentences by UAX #29, without the blanks around them. Line feeds are blanks. What has no letter
// and no number is no sentence. A full stop behind a common abbreviation ends none.
func (p *Profile) Sentences(paragraph string) []string {
	// UAX #29 ends a sentence at each line feed, and in a paragraph they mean nothing.
	text := lineFeeds.Replace(paragraph)
	var out []string
	add := func(sentence string) {
		if sentence = strings.TrimSpace(sentence); strings.ContainsFunc(sentence, IsWordRune) {
			out = append(out, sentence)
		}
	}
	start, end := 0, 0
	for tokens := sentences.FromString(text); tokens.Next(); {
		if end > start && !p.continues(text[start:end], text[end:]) {
			add(text[start:end])
			start = end
		}
		end += len(tokens.Value())
	}
	add(text[start:end])
	return out
}

var lineFeeds = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\u2028", " ", "\u2029", " ", "\u0085", " ")

// abbreviations that stand before the word that they belong to, so that their full stop ends no sentence.
var abbreviations = map[string][]string{
	"de": {"bzw", "ca", "d.h", "dr", "evtl", "ggf", "hr", "inkl", "nr", "prof", "sog", "st", "u.a", "vgl", "z.b"},
	"en": {"dr", "e.g", "gen", "gov", "i.e", "mr", "mrs", "ms", "no", "prof", "rep", "sen", "st", "vs"},
	"es": {"dr", "dra", "ej", "prof", "sr", "sra"},
	"fr": {"dr", "m", "mm", "mme", "prof"},
	"it": {"dott", "prof", "sig"},
	"nl": {"bijv", "dhr", "dr", "mevr", "nr", "prof"},
	"pt": {"dr", "dra", "ex", "prof", "sr", "sra"},
}

// continues reports whether a sentence goes on where UAX #29 ends it: behind an abbreviation, before a sign that begins none, and in
// lower case behind a quotation.
func (p *Profile) continues(sentence, rest string) bool {
	sentence = strings.TrimRightFunc(sentence, unicode.IsSpace)
	next, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(rest, unicode.IsSpace))
	last, _ := utf8.DecodeLastRuneInString(sentence)
	switch {
	case strings.ContainsRune("#@$€£–—*•&/", next):
		return true
	case unicode.IsLower(next) && strings.ContainsRune(")]\"'”’»", last):
		return true
	case last != '.':
		return false
	}
	word := sentence[strings.LastIndexFunc(sentence, unicode.IsSpace)+1:]
	word = strings.ToLower(strings.TrimLeft(strings.TrimSuffix(word, "."), "([\"“„«'"))
	return slices.Contains(abbreviations[p.base], word)
}
