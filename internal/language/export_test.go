package language

import (
	"maps"
	"slices"
)

// FoldsByItself reports whether a character is folded in the short way.
func FoldsByItself(r rune) bool { return classes().of(r)&classSteady != 0 }

// IsOptional reports whether folding leaves a character out.
func IsOptional(r rune) bool { return isOptional(r) }

// StemmedTags are the languages that have a stemmer.
func StemmedTags() []string { return slices.Sorted(maps.Keys(stemmers)) }

// MayHaveStem reports whether a word is stemmed to find out whether it has a stem.
func MayHaveStem(p *Profile, word, stem string) bool {
	wanted := newWantedStem(p, stem)
	return wanted.mayBe([]byte(word))
}

// Continues reports whether a sentence goes on where UAX #29 ends it.
func Continues(tag, sentence, rest string) bool {
	s := newSplitter(Base(tag))
	return s.continues(sentence, rest)
}
