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

// Fold returns a text without differences that do not matter for comparing: case, Unicode form (NFKC), and characters that are
// invisible or optional.
func Fold(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	folded := norm.NFKC.String(trademarks.Replace(text))
	// A Caser may not be shared between goroutines, so each call makes its own.
	folded = norm.NFC.String(dottedI.Replace(cases.Fold().String(folded)))
	return strings.Map(func(r rune) rune {
		if isOptional(r) {
			return -1
		}
		return r
	}, folded)
}

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

// PlainLetters removes the marks of Latin letters. In other scripts a mark makes another letter.
func PlainLetters(word string) string {
	if isASCII(word) {
		return word
	}
	var b strings.Builder
	latin := false
	for _, r := range norm.NFD.String(word) {
		if unicode.IsMark(r) && latin {
			continue
		}
		latin = unicode.Is(unicode.Latin, r)
		if plain, ok := strokes[r]; ok {
			b.WriteString(plain)
		} else {
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

// strokes are letters whose mark Unicode does not separate.
var strokes = map[rune]string{'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'ı': "i", 'ħ': "h", 'æ': "ae", 'œ': "oe", 'þ': "th"}

// Spellings returns a word, as Words has it, in the ways in which people write it: as it is, with plain letters for those with marks in
// Latin script, and with two letters for one where the language does so.
func (p *Profile) Spellings(word string) []string {
	out := []string{word}
	if plain := PlainLetters(word); plain != word {
		out = append(out, plain)
	}
	if long := strings.NewReplacer(p.traits.TwoLetters...).Replace(word); long != word {
		out = append(out, PlainLetters(long))
	}
	return out
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
