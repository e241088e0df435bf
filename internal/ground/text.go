package ground

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/pressroom-dev/pressroom/internal/language"
)

// clean returns a text in Unicode's form NFC without what a reader does not see, such as joiners, soft hyphens and turns of direction.
func clean(text string) string {
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

func isASCII(s string) bool {
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

// isWord reports whether a character is a part of words.
func isWord(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return class[r] != 0
	case r >= 0x2000 && r < 0x2070:
		return false
	default:
		return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
	}
}

// isUnspaced reports whether a character is of a script without blanks between words.
func isUnspaced(r rune) bool {
	// Most characters are Latin letters and marks of punctuation.
	return r >= 0xE00 && (r < 0x2000 || r >= 0x2E80) && language.IsUnspaced(r)
}

// runeBefore returns the character before an index; a blank if there is none.
func runeBefore(text string, at int) rune {
	if at == 0 {
		return ' '
	}
	r, _ := utf8.DecodeLastRuneInString(text[:at])
	return r
}

// runeAt returns the character at an index and its length; a blank of the length 0 if there is none.
func runeAt(text string, at int) (rune, int) {
	if at >= len(text) {
		return ' ', 0
	}
	if c := text[at]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(text[at:])
}

// wordAt returns the end of the word at an index: a run of letters, marks and digits, or one character of a script without blanks. It is
// the index itself if no word begins there.
func wordAt(text string, at int) int {
	end := at
	for end < len(text) {
		if c := text[end]; c < utf8.RuneSelf {
			if class[c] == 0 {
				return end
			}
			end++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[end:])
		if isUnspaced(r) {
			if end == at {
				return end + n
			}
			return end
		}
		if !isWord(r) {
			return end
		}
		end += n
	}
	return end
}

// class of ASCII characters: 0 is no part of words.
const (
	small = 1 + iota
	capital
	digit
)

var class = func() (table [utf8.RuneSelf]uint8) {
	for c := range table {
		switch r := rune(c); {
		case unicode.IsLower(r):
			table[c] = small
		case unicode.IsUpper(r):
			table[c] = capital
		case unicode.IsDigit(r):
			table[c] = digit
		}
	}
	return table
}()

// lowered appends a word in small letters to a buffer.
func lowered(buf []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if class[c] == capital {
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

// lower returns a word in small letters.
func lower(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || class[c] == capital {
			return string(lowered(make([]byte, 0, len(s)+8), s))
		}
	}
	return s
}

// words returns the words of a text in small letters.
func words(text string) []string {
	text = clean(text)
	var out []string
	for at := 0; at < len(text); {
		if end := wordAt(text, at); end > at {
			out = append(out, lower(text[at:end]))
			at = end
			continue
		}
		_, n := runeAt(text, at)
		at += n
	}
	return out
}

// digitValue returns the value of a decimal digit of any script.
func digitValue(r rune) (int, bool) {
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

// isBlank reports whether a character is a blank of any width.
func isBlank(r rune) bool { return unicode.IsSpace(r) || r == '\u2007' || r == '\u2060' }

// skipBlanks returns the index after at most two blanks.
func skipBlanks(text string, at int) int {
	for range 2 {
		r, n := runeAt(text, at)
		if n == 0 || !isBlank(r) {
			break
		}
		at += n
	}
	return at
}
