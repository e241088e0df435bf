package language

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

var (
	// trademarks are replaced because their compatibility form is letters, which would extend the word before them.
	trademarks = strings.NewReplacer("™", " ", "℠", " ")
	// dottedI undoes the folding of the Turkish capital, which leaves a combining dot.
	dottedI = strings.NewReplacer("i\u0307", "i")
)

// Fold returns a text without differences that do not matter for comparing: case, Unicode form, and characters that are invisible
// or optional.
func Fold(text string) string {
	if isSimple(text) {
		return strings.Map(lower, text)
	}
	return foldAny(text)
}

// foldAny folds a text of any characters. Steps that would change nothing are left out.
func foldAny(text string) string {
	folded := text
	if strings.ContainsAny(folded, "™℠") {
		folded = trademarks.Replace(folded)
	}
	if !norm.NFKC.IsNormalString(folded) {
		folded = norm.NFKC.String(folded)
	}
	if strings.ContainsFunc(folded, mayHaveCase) {
		// A Caser may not be shared between goroutines, so each call makes its own.
		folded = norm.NFC.String(dottedI.Replace(cases.Fold().String(folded)))
	}
	if strings.ContainsFunc(folded, isOptional) {
		folded = strings.Map(func(r rune) rune {
			if isOptional(r) {
				return -1
			}
			return r
		}, folded)
	}
	return folded
}

// mayHaveCase reports whether case folding may change a character. It changes none between Devanagari and Myanmar, and none of Chinese,
// Japanese and Korean.
func mayHaveCase(r rune) bool {
	return r >= 'A' && (r <= 'Z' || r >= utf8.RuneSelf) && (r < 0x0900 || r > 0x109F) && (r < 0x2E80 || r > 0xA63F) &&
		(r < 0xAC00 || r > 0xD7A3)
}

func lower(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}
	if r == 'ς' {
		return 'σ'
	}
	return unicode.ToLower(r)
}

// isSimple reports whether folding only makes letters small.
func isSimple(text string) bool {
	for _, r := range text {
		if r >= utf8.RuneSelf && classes().of(r)&(classSteady|classOptional|classAttached) != classSteady {
			return false
		}
	}
	return true
}

// simpleLetters stand for signs within words.
var simpleLetters = &unicode.RangeTable{R16: []unicode.Range16{
	{ampersandLetter, ampersandLetter, 1}, {apostropheLetter, apostropheLetter, 1}, {underscoreLetter, underscoreLetter, 1},
}}

// isOptional reports whether a character says nothing of the word that it is in: invisible ones such as the soft hyphen, joiners and
// direction marks; the variation of emoji; the vowel points of Hebrew and Arabic, and the stroke that stretches an Arabic word.
func isOptional(r rune) bool {
	switch {
	case r == 0xFE0F || r == 0x0640:
		return true
	case r < utf8.RuneSelf:
		return false
	case r >= 0x0591 && r <= 0x05C7, r >= 0x064B && r <= 0x065F, r == 0x0670:
		return unicode.IsMark(r)
	default:
		return unicode.Is(unicode.Cf, r)
	}
}
