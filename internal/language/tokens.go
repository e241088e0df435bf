package language

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Letters that stand for signs between letters while words are split: Unicode has them as letters.
const (
	apostropheLetter = 'ʼ'
	underscoreLetter = 'ˍ'
	ampersandLetter  = 'ˆ'
)

// Tokens splits a text into words as Words does, but an apostrophe, an underscore and an ampersand between letters belong to the word:
// cat's is not cat. Behind a function word the apostrophe separates, as in l'huile.
func (p *Profile) Tokens(text string) []string { return p.NewReader().Tokens(text) }

// asLetter is the letter that stands for a sign between letters.
func asLetter(r rune) rune {
	switch r {
	case '\'', '’':
		return apostropheLetter
	case '_':
		return underscoreLetter
	case '&':
		return ampersandLetter
	default:
		return r
	}
}

// Spellings returns a word, as Words has it, in the ways in which people write it: as it is, with plain letters for those with marks in
// Latin script, and with two letters for one where the language does so.
func (p *Profile) Spellings(word string) []string {
	out := []string{word}
	if plain := PlainLetters(word); plain != word {
		out = append(out, plain)
	}
	if letters, ok := twoLetters[p.base]; ok {
		if long := letters.Replace(word); long != word {
			out = append(out, PlainLetters(long))
		}
	}
	return out
}

var twoLetters = map[string]*strings.Replacer{
	"de": strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue"),
	"da": strings.NewReplacer("æ", "ae", "ø", "oe", "å", "aa"),
	"no": strings.NewReplacer("æ", "ae", "ø", "oe", "å", "aa"),
	"sv": strings.NewReplacer("ä", "ae", "ö", "oe", "å", "aa"),
	"fi": strings.NewReplacer("ä", "ae", "ö", "oe", "å", "aa"),
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

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
