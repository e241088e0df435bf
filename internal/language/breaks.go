package language

import (
	_ "embed"
	"strconv"
	"strings"
)

// breakKind is the property Sentence_Break of a character, as UAX #29 has it.
type breakKind uint8

// The kinds. breakExtend is Format too. There are none of line ends: they are blanks here.
const (
	breakOther breakKind = iota
	breakATerm
	breakClose
	breakExtend
	breakLower
	breakNumeric
	breakOLetter
	breakSContinue
	breakSTerm
	breakSp
	breakUpper
)

var breakNames = map[string]breakKind{
	"ATerm": breakATerm, "Close": breakClose, "Extend": breakExtend, "Lower": breakLower, "Numeric": breakNumeric,
	"OLetter": breakOLetter, "SContinue": breakSContinue, "STerm": breakSTerm, "Sp": breakSp, "Upper": breakUpper,
}

// sentenceBreaks has on each line the first and the last character of a range, and its kind, as clipperhouse/uax29 has them.
// TestBreaksAreThoseOfTheLibrary writes it anew with UPDATE_GOLDEN=1.
//
//go:embed sentencebreaks.txt
var sentenceBreaks string

func (t *classTable) setBreaks() {
	for line := range strings.Lines(sentenceBreaks) {
		fields := strings.Fields(line)
		// The file is part of the program: a test holds that each line has three fields.
		first, last, kind := runeOf(fields[0]), runeOf(fields[1]), breakNames[fields[2]]
		for r := first; r <= last; r++ {
			t.set(r, class(kind)<<breakShift)
		}
	}
}

func runeOf(hex string) rune {
	r, err := strconv.ParseUint(hex, 16, 21)
	if err != nil {
		return 0
	}
	return rune(r)
}
