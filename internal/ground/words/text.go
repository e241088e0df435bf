// Package words reads the words of a text, and knows what those of its language mean for numbers, dates, names and studies.
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/pressroom-dev/pressroom/internal/language"
)

// Clean returns a text in Unicode's form NFC without what a reader does not see, such as joiners, soft hyphens and turns of direction.
func Clean(text string) string {
	if !mayNeedCleaning(text) {
		return text
	}
	if strings.ContainsFunc(text, isInvisible) || !utf8.ValidString(text) {
		text = strings.Map(func(r rune) rune {
			if isInvisible(r) {
				return -1
			}
			return r
		}, text)
	}
	if !norm.NFC.IsNormalString(text) {
		return norm.NFC.String(text)
	}
	return text
}

// mayNeedCleaning reports whether a text has a character that needsCleaning. Most texts have none.
func mayNeedCleaning(text string) bool {
	for at := 0; at < len(text); {
		if text[at] < utf8.RuneSelf {
			at++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[at:])
		if needsCleaning(r) {
			return true
		}
		at += n
	}
	return false
}

// needsCleaning reports whether a character may be invisible, or written in several ways.
func needsCleaning(r rune) bool {
	return r >= 0x300 && (r < 0x2010 || r > 0x2027) && r != '€' || r == 0xAD
}

// IsASCII reports whether a text has only ASCII characters.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isInvisible(r rune) bool {
	if r < 0x300 {
		return r == 0xAD
	}
	if r < 0x600 {
		return r == 0x34F
	}
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// IsWord reports whether a character is a part of words.
func IsWord(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return Class[r] != 0
	case r >= 0x2000 && r < 0x2070:
		return false
	default:
		return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
	}
}

// IsUnspaced reports whether a character is of a script without blanks between words.
func IsUnspaced(r rune) bool {
	// Most characters are Latin letters and marks of punctuation.
	return r >= 0xE00 && (r < 0x2000 || r >= 0x2E80) && language.IsUnspaced(r)
}

// RuneBefore returns the character before an index; a blank if there is none.
func RuneBefore(text string, at int) rune {
	if at == 0 {
		return ' '
	}
	r, _ := utf8.DecodeLastRuneInString(text[:at])
	return r
}

// RuneAt returns the character at an index and its length; a blank of the length 0 if there is none.
func RuneAt(text string, at int) (rune, int) {
	if at >= len(text) {
		return ' ', 0
	}
	if c := text[at]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(text[at:])
}

// End returns the end of the word at an index: a run of letters, marks and digits, or one character of a script without blanks. It is
// the index itself if no word begins there.
func End(text string, at int) int {
	end := at
	for end < len(text) {
		if c := text[end]; c < utf8.RuneSelf {
			if Class[c] == 0 {
				return end
			}
			end++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[end:])
		if IsUnspaced(r) {
			if end == at {
				return end + n
			}
			return end
		}
		if !IsWord(r) {
			return end
		}
		end += n
	}
	return end
}

// The classes of ASCII characters: 0 is no part of words.
const (
	Small = 1 + iota
	Capital
	Digit
)

// Class is that of each ASCII character.
var Class = func() (table [utf8.RuneSelf]uint8) {
	for c := range table {
		switch r := rune(c); {
		case unicode.IsLower(r):
			table[c] = Small
		case unicode.IsUpper(r):
			table[c] = Capital
		case unicode.IsDigit(r):
			table[c] = Digit
		}
	}
	return table
}()

// AppendLower appends a word in small letters to a buffer.
func AppendLower(buf []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if Class[c] == Capital {
				c += 'a' - 'A'
			}
			buf = append(buf, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r = unicode.ToLower(r); r == 'ς' {
			r = 'σ'
		}
		buf = utf8.AppendRune(buf, r)
		i += n
	}
	return buf
}

// Lower returns a word in small letters.
func Lower(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || Class[c] == Capital {
			return string(AppendLower(make([]byte, 0, len(s)+8), s))
		}
	}
	return s
}

// Of returns the words of a text in small letters.
func Of(text string) []string {
	text = Clean(text)
	var out []string
	for at := 0; at < len(text); {
		if end := End(text, at); end > at {
			out = append(out, Lower(text[at:end]))
			at = end
			continue
		}
		_, n := RuneAt(text, at)
		at += n
	}
	return out
}

// DigitValue returns the value of a decimal digit of any script.
func DigitValue(r rune) (int, bool) {
	if r < utf8.RuneSelf {
		return int(r - '0'), r >= '0' && r <= '9'
	}
	if !unicode.IsDigit(r) {
		return 0, false
	}
	// Each range of decimal digits begins with a zero, and a range of several scripts has ten for each.
	for _, in := range unicode.Nd.R16 {
		if r >= rune(in.Lo) && r <= rune(in.Hi) {
			return int(r-rune(in.Lo)) % 10, true
		}
	}
	for _, in := range unicode.Nd.R32 {
		if int64(r) >= int64(in.Lo) && int64(r) <= int64(in.Hi) {
			return int(int64(r)-int64(in.Lo)) % 10, true
		}
	}
	return 0, false
}

// IsBlank reports whether a character is a blank of any width.
func IsBlank(r rune) bool { return unicode.IsSpace(r) || r == '\u2007' || r == '\u2060' }

// SkipBlanks returns the index after at most two blanks.
func SkipBlanks(text string, at int) int {
	for range 2 {
		r, n := RuneAt(text, at)
		if n == 0 || !IsBlank(r) {
			break
		}
		at += n
	}
	return at
}

// Span is a part of a text, by the indexes of its bytes.
type Span struct{ Start, End int }
