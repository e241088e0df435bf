package content

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Scripts without spaces between words, by the approximate number of characters in a word.
var (
	twoCharWords  = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana}
	fiveCharWords = []*unicode.RangeTable{unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}
)

// Words splits a text into words for comparing: case-folded and in one Unicode form, without punctuation. In scripts
// written without spaces each character counts as a word, and so does each emoji.
func Words(text string) []string {
	var words []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	folded := fold(text)
	for i, r := range folded {
		switch {
		case unicode.Is(unicode.Cf, r) || r == '\uFE0F':
			// Invisible: soft hyphen, joiners, direction marks, emoji variation.
		case unspaced(r) || unicode.Is(unicode.So, r):
			flush()
			words = append(words, string(r))
		case wordRune(r):
			word.WriteRune(r)
		case (r == '+' || r == '#') && word.Len() > 0 && endsName(folded[i:]):
			word.WriteRune(r)
		default:
			flush()
		}
	}
	flush()
	return words
}

// CountWords counts the words of a text as a reader does. In scripts without spaces the count is an estimate from the number of
// characters.
func CountWords(text string) int {
	count, two, five := 0, 0, 0
	for _, word := range Words(apostrophes.Replace(text)) {
		r, _ := utf8.DecodeRuneInString(word)
		switch {
		case unicode.IsOneOf(twoCharWords, r):
			two++
		case unicode.IsOneOf(fiveCharWords, r):
			if !unicode.IsMark(r) {
				five++
			}
		case !unicode.Is(unicode.So, r):
			count++
		}
	}
	return count + (two+1)/2 + (five+4)/5
}

// ContainsPhrase reports whether the words of phrase follow each other in text, regardless of case and punctuation. No text contains a
// phrase without words.
func ContainsPhrase(text, phrase string) bool {
	return countPhrase(Words(text), Words(phrase)) > 0
}

// countPhrase counts the occurrences of phrase in words, without overlaps.
func countPhrase(words, phrase []string) int {
	if len(phrase) == 0 {
		return 0
	}
	count := 0
	for i := 0; i+len(phrase) <= len(words); {
		if startsWith(words[i:], phrase) {
			count++
			i += len(phrase)
		} else {
			i++
		}
	}
	return count
}

func startsWith(words, phrase []string) bool {
	for i, want := range phrase {
		if !sameWord(words[i], want) {
			return false
		}
	}
	return true
}

// sameWord ignores the particle at the end of a Korean word, which follows without a space.
func sameWord(word, want string) bool {
	if word == want {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(want)
	return unicode.Is(unicode.Hangul, last) && strings.HasPrefix(word, want)
}

var (
	// apostrophes are dropped for counting, so that "don't" is one word.
	apostrophes = strings.NewReplacer("'", "", "’", "", "ʼ", "")
	// trademarks are replaced because their compatibility form is letters, which would extend the word before them.
	trademarks = strings.NewReplacer("™", " ", "℠", " ")
	// dottedI undoes the folding of the Turkish capital, which leaves a combining dot.
	dottedI = strings.NewReplacer("i\u0307", "i")
)

func fold(text string) string {
	// A Caser may not be shared between goroutines, so each call makes its own.
	return norm.NFC.String(dottedI.Replace(cases.Fold().String(norm.NFKC.String(trademarks.Replace(text)))))
}

func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
}

func unspaced(r rune) bool {
	return unicode.IsOneOf(twoCharWords, r) || unicode.IsOneOf(fiveCharWords, r)
}

// endsName reports whether the signs at the beginning of s end a word, as in "C++" and "C#".
func endsName(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, "+#"))
	return !wordRune(r)
}
