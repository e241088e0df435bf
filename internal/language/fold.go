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
	// A Caser may not be shared between goroutines, so each call makes its own.
	folded := norm.NFC.String(dottedI.Replace(cases.Fold().String(norm.NFKC.String(trademarks.Replace(text)))))
	return strings.Map(func(r rune) rune {
		if isOptional(r) {
			return -1
		}
		return r
	}, folded)
}

func lower(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}
	return unicode.ToLower(r)
}

// isSimple reports whether folding only makes letters small: for ASCII and the common letters of European languages and Arabic.
func isSimple(text string) bool {
	for _, r := range text {
		if r >= utf8.RuneSelf && !isSimpleRune(r) {
			return false
		}
	}
	return true
}

func isSimpleRune(r rune) bool {
	return r == apostropheLetter || r == underscoreLetter || r == ampersandLetter || unicode.Is(simpleRunes, r)
}

// simpleRunes are Latin letters but for ß, İ, ĳ, ŀ and ŉ, which fold to others; those of Cyrillic, Hebrew and Arabic; and the guillemets,
// dashes, quotation marks and apostrophes that stand beside or within words.
var simpleRunes = &unicode.RangeTable{R16: []unicode.Range16{
	{0x00AB, 0x00AB, 1}, {0x00BB, 0x00BB, 1}, {0x00C0, 0x00DE, 1}, {0x00E0, 0x012F, 1}, {0x0131, 0x0131, 1}, {0x0134, 0x013E, 1},
	{0x0141, 0x0148, 1}, {0x014A, 0x017E, 1}, {0x0400, 0x0481, 1}, {0x048A, 0x052F, 1}, {0x05D0, 0x05EA, 1}, {0x0621, 0x063A, 1},
	{0x0641, 0x064A, 1}, {0x2012, 0x2016, 1}, {0x2018, 0x201F, 1},
}, LatinOffset: 3}

// isOptional reports whether a character says nothing of the word that it is in: invisible ones such as the soft hyphen, joiners and
// direction marks; the variation of emoji; the vowel points of Hebrew and Arabic, and the stroke that stretches an Arabic word.
func isOptional(r rune) bool {
	switch {
	case r == 0xFE0F || r == 0x0640:
		return true
	case r >= 0x0591 && r <= 0x05C7, r >= 0x064B && r <= 0x065F, r == 0x0670:
		return unicode.IsMark(r)
	default:
		return unicode.Is(unicode.Cf, r)
	}
}
