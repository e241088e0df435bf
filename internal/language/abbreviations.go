package language

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
func (s *splitter) continues(sentence, rest string) bool {
	next, _ := decode(rest, 0)
	if s.classes.of(next)&classSpace != 0 {
		next, _ = utf8.DecodeRuneInString(strings.TrimLeftFunc(rest, unicode.IsSpace))
	}
	switch next {
	case '#', '@', '$', '€', '£', '–', '—', '*', '•', '&', '/':
		return true
	}
	last := decodeLast(sentence)
	if s.classes.of(last)&classSpace != 0 {
		sentence = strings.TrimRightFunc(sentence, unicode.IsSpace)
		last, _ = utf8.DecodeLastRuneInString(sentence)
	}
	switch last {
	case '.':
		return s.endsInAbbreviation(sentence)
	case ')', ']', '"', '\'', '”', '’', '»':
		return unicode.IsLower(next)
	default:
		return false
	}
}

// maxAbbreviation is the length of the longest abbreviation, in bytes, and maxBefore that of the signs before it.
const maxAbbreviation, maxBefore = 5, 9

// endsInAbbreviation reports whether the last word of a sentence is an abbreviation, and a full stop.
func (s *splitter) endsInAbbreviation(sentence string) bool {
	end := len(sentence) - 1
	start := end
	for start > 0 && end-start <= maxAbbreviation && (smallASCII[sentence[start-1]] != 0 || sentence[start-1] == '.') {
		start--
	}
	switch {
	case end-start > maxAbbreviation:
		return false
	case start == 0 || sentence[start-1] == ' ':
		return s.isAbbreviation(sentence[start:end])
	}
	// Other blanks and signs may stand before it.
	word := sentence[max(0, end-maxAbbreviation-maxBefore):end]
	return s.isAbbreviation(strings.TrimLeft(word[strings.LastIndexFunc(word, unicode.IsSpace)+1:], "([\"“„«'"))
}

func (s *splitter) isAbbreviation(word string) bool {
	return slices.ContainsFunc(s.abbreviations, func(abbreviation string) bool {
		return len(word) == len(abbreviation) && strings.EqualFold(word, abbreviation)
	})
}
