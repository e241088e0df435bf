package language

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// class is what a character is, as a set of bits: a look-up for each character of a text instead of many searches. Above the bits are the
// character's part in sentences (see breakKind), the script of a letter, and the canonical combining class.
type class uint32

const (
	classLetter class = 1 << iota
	classMark
	classNumber
	classDigit
	classSpace
	// classUpper has another small letter.
	classUpper
	// classTwo and classFive are of scripts without spaces, with words of about two and five characters.
	classTwo
	classFive
	// classSymbol is an emoji or the like: a word of its own.
	classSymbol
	// classSteady folds by making it small, whatever stands around it, if marks are in their order.
	classSteady
	// classOptional is steady, and folding leaves it out.
	classOptional
	// classAttached may change with the character before it.
	classAttached

	classWord   = classLetter | classMark | classNumber
	classJoined = classLetter | classDigit
	// classSingle is a word of its own.
	classSingle = classTwo | classFive | classSymbol

	breakShift     = 15
	breakMask      = 0xF << breakShift
	scriptShift    = 19
	scriptMask     = 0x1F << scriptShift
	combiningShift = 24
)

// breaks is the part that a character has in sentences.
func (c class) breaks() breakKind { return breakKind(c & breakMask >> breakShift) }

// script of a letter, as an index into letterScripts.
func (c class) script() int { return int(c & scriptMask >> scriptShift) }

// combining is the canonical combining class: marks stand in the order of it.
func (c class) combining() class { return c >> combiningShift }

// A table has a page for each block of 256 numbers, of which there are a power of two: it is indexed by some of a number's bits.
const pageBits, pages = 8, 1 << 13

// page has the classes of 256 characters.
type page [1 << pageBits]class

// classTable has the classes of all characters. Equal pages are the same.
type classTable [pages]*page

func (t *classTable) of(r rune) class { return t[uint32(r)>>pageBits%pages][uint8(r)] } //nolint:gosec // G115: the index in the page

// set adds bits to the class of a character.
func (t *classTable) set(r rune, bits class) {
	at := &t[r>>pageBits]
	if *at == nil {
		*at = &page{}
	}
	(*at)[uint8(r)] |= bits //nolint:gosec // G115: the index in the page
}

// classes are made at the first use.
var classes = sync.OnceValue(func() *classTable {
	t := &classTable{}
	for bits, tables := range map[class][]*unicode.RangeTable{
		classLetter: {unicode.Letter}, classMark: {unicode.Mark}, classNumber: {unicode.Number}, classDigit: {unicode.Digit},
		classSpace: {unicode.White_Space}, classTwo: twoCharWords, classFive: fiveCharWords, classSymbol: {unicode.So},
		classSteady: {ideographs, simpleLetters},
	} {
		for _, table := range tables {
			eachRune(table, func(r rune) { t.set(r, bits) })
		}
	}
	for i, table := range letterScripts {
		eachRune(table, func(r rune) {
			if unicode.IsLetter(r) {
				t.set(r, class(i)<<scriptShift)
			}
		})
	}
	t.setBreaks()
	t.setFolding()
	t.share()
	return t
})

// ideographs are Chinese characters and Korean syllables that stand for themselves. There are so many that nothing is asked of each.
var ideographs = &unicode.RangeTable{
	R16: []unicode.Range16{{0x3400, 0x4DBF, 1}, {0x4E00, 0x9FFF, 1}, {0xAC00, 0xD7A3, 1}},
	R32: []unicode.Range32{{0x20000, 0x2A6DF, 1}, {0x2A700, 0x2EBE0, 1}, {0x30000, 0x323AF, 1}},
}

func eachRune(table *unicode.RangeTable, see func(rune)) {
	for _, r := range table.R16 {
		for c := uint32(r.Lo); c <= uint32(r.Hi); c += uint32(r.Stride) {
			see(rune(c)) //nolint:gosec // G115: below 2^16
		}
	}
	for _, r := range table.R32 {
		for c := r.Lo; c <= r.Hi; c += r.Stride {
			see(rune(c)) //nolint:gosec // G115: below 2^21
		}
	}
}

// setFolding finds out what folding does to each character, by folding all of them in one text.
func (t *classTable) setFolding() {
	const between = "\n"
	var all []rune
	var text strings.Builder
	for _, table := range []*unicode.RangeTable{unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Cf} {
		eachRune(table, func(r rune) {
			if !unicode.Is(ideographs, r) {
				all = append(all, r)
				text.WriteString(string(r) + between)
			}
		})
	}
	for i, folded := range strings.Split(strings.TrimSuffix(foldAny(text.String()), between), between) {
		t.set(all[i], foldingOf(all[i], folded))
	}
}

func foldingOf(r rune, folded string) class {
	text := string(r)
	properties := norm.NFKC.PropertiesString(text)
	bits := class(properties.CCC()) << combiningShift
	if !properties.BoundaryBefore() {
		bits |= classAttached
	}
	if behind := "x" + text; norm.NFKC.QuickSpanString(behind) < len(behind) {
		return bits
	}
	switch folded {
	case "":
		bits |= classSteady | classOptional
	case string(lower(r)):
		bits |= classSteady
		if folded != text {
			bits |= classUpper
		}
	}
	return bits
}

// share keeps one of equal pages.
func (t *classTable) share() {
	kept := map[page]*page{}
	for i, p := range t {
		if p == nil {
			p = &page{}
		}
		if kept[*p] == nil {
			kept[*p] = p
		}
		t[i] = kept[*p]
	}
}

// steadyRun returns where the characters end that are attached to the one before them, and whether all of them are steady and in their
// order behind a character of a combining class.
func (t *classTable) steadyRun(text string, i int, before class) (end int, steady bool) {
	steady = true
	for i < len(text) && text[i] >= utf8.RuneSelf {
		c, size := decode(text, i)
		is := t.of(c)
		if is&classAttached == 0 {
			break
		}
		steady = steady && is&classSteady != 0 && is.combining() >= before
		before = is.combining()
		i += size
	}
	return i, steady
}
