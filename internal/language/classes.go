package language

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// class is what a character is, as a set of bits: a look-up for each character of a text instead of many searches.
type class uint16

const (
	classLetter class = 1 << iota
	classMark
	classNumber
	classDigit
	classSpace
	classUpper
	// classTwo and classFive are of scripts without spaces, with words of about two and five characters.
	classTwo
	classFive
	// classSymbol is an emoji or the like: a word of its own.
	classSymbol
	// classSimple folds by making it small, whatever stands beside it.
	classSimple
	// classSign folds to signs that are no part of a word.
	classSign
	// classMayEnd may end a sentence.
	classMayEnd

	classWord   = classLetter | classMark | classNumber
	classJoined = classLetter | classDigit
)

// basicPlane has the classes of the characters that nearly all texts consist of: Unicode's first 65,536.
var basicPlane = sync.OnceValue(func() *[1 << 16]class {
	var table [1 << 16]class
	for bits, tables := range map[class][]*unicode.RangeTable{
		classLetter: {unicode.Letter}, classMark: {unicode.Mark}, classNumber: {unicode.Number}, classDigit: {unicode.Digit},
		classSpace: {unicode.White_Space}, classUpper: {unicode.Upper, unicode.Title, finalSigma},
		classTwo: twoCharWords, classFive: fiveCharWords,
		classSymbol: {unicode.So}, classSimple: {simpleRunes, simpleLetters}, classMayEnd: {unicode.Punct, unicode.Symbol, unicode.Other},
	} {
		for _, t := range tables {
			for _, r := range t.R16 {
				for c := uint32(r.Lo); c <= uint32(r.Hi); c += uint32(r.Stride) {
					table[c] |= bits
				}
			}
		}
	}
	for r := rune(utf8.RuneSelf); r < 1<<16; r++ {
		if unicode.In(r, unicode.Punct, unicode.Sm, unicode.Sc) {
			table[r] |= classOfSign(r)
		}
	}
	for _, sign := range commonSigns {
		table[sign] &^= classMayEnd
	}
	return &table
})

// finalSigma has no capital of its own, and folds to another small letter.
var finalSigma = &unicode.RangeTable{R16: []unicode.Range16{{'ς', 'ς', 1}}}

// commonSigns end no sentence.
const commonSigns = "«»‒–—―‖‘’‚‛“”„‟、，；：（）《》「」『』【】"

func classOfSign(sign rune) class {
	var c class
	folded := foldAny(string(sign))
	if folded == string(sign) {
		c |= classSimple
	}
	if !strings.ContainsFunc(folded, func(r rune) bool { return IsWordRune(r) || unicode.Is(unicode.So, r) || r == '+' || r == '#' }) {
		c |= classSign
	}
	return c
}

// classOf looks a character up, or finds out what it is if it is beyond the table.
func classOf(table *[1 << 16]class, r rune) class {
	if r < 1<<16 {
		return table[r]
	}
	var c class
	if unicode.IsLetter(r) {
		c |= classLetter
	}
	if unicode.IsMark(r) {
		c |= classMark
	}
	if unicode.IsNumber(r) {
		c |= classNumber
	}
	if unicode.IsDigit(r) {
		c |= classDigit
	}
	if unicode.Is(unicode.So, r) {
		c |= classSymbol
	}
	if unicode.IsOneOf(twoCharWords, r) {
		c |= classTwo
	}
	if c&classWord == 0 {
		c |= classMayEnd
	}
	return c
}
