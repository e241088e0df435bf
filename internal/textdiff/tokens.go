package textdiff

import (
	"unicode"
	"unicode/utf8"
)

// lines cuts a text behind each run of line breaks.
func lines(text string) []string {
	var out []string
	begin := 0
	for i := 1; i < len(text); i++ {
		if text[i-1] == '\n' && text[i] != '\n' {
			out = append(out, text[begin:i])
			begin = i
		}
	}
	if begin < len(text) {
		out = append(out, text[begin:])
	}
	return out
}

// class of a rune, by which runes make tokens.
type class int

const (
	// other runes are a token each.
	other class = iota
	word
	space
	// sign is a letter of a script that has no spaces between words: a token with the marks that follow it.
	sign
	mark
)

// tokens cuts a text into words, spaces and single other signs. Bytes that are no UTF-8 are other signs.
func tokens(text string) []string {
	out := make([]string, 0, len(text)/4)
	begin, current := 0, other
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		next := classOf(r)
		if i > 0 && !joins(current, next) {
			out = append(out, text[begin:i])
			begin = i
		}
		if next != mark || i == 0 {
			current = next
		}
		i += size
	}
	if begin < len(text) {
		out = append(out, text[begin:])
	}
	return out
}

// joins reports whether a rune continues a token.
func joins(current, next class) bool {
	return next == mark || next == current && (next == word || next == space)
}

func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'):
		return word
	case unicode.IsSpace(r):
		return space
	case unicode.Is(unicode.M, r), r == '\'', r == '’':
		return mark
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return sign
	case unicode.IsLetter(r), unicode.IsDigit(r):
		return word
	}
	return other
}
