package figures

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"github.com/pressroom-dev/pressroom/internal/ground/words"
)

// separators of numbers.
type separators struct{ group, decimal rune }

// separatorsOf returns the separators of the language of a BCP 47 tag: it formats a number and reads them back.
func separatorsOf(tag string) separators {
	// A tag that is not valid has the separators of English.
	parsed, err := language.Parse(strings.TrimSpace(tag))
	if err != nil {
		parsed = language.English
	}
	s := separators{}
	const example = 1234567.5
	for _, r := range message.NewPrinter(parsed).Sprint(number.Decimal(example)) {
		if _, isDigit := words.DigitValue(r); isDigit {
			continue
		}
		if s.group == 0 {
			s.group = plainSeparator(r)
		}
		s.decimal = plainSeparator(r)
	}
	return s
}

// plainSeparator returns one character for those that look alike.
func plainSeparator(r rune) rune {
	switch {
	case words.IsBlank(r):
		return ' '
	case r == '’' || r == '\u02BC' || r == '\uFF07':
		return '\''
	case r == '\uFF0C' || r == '٫':
		return ','
	case r == '\uFF0E' || r == '·':
		return '.'
	case r == '٬':
		return '٬'
	default:
		return r
	}
}

// separatorAt returns the separator between two digits at an index, and its length in bytes; 0 if there is none.
func separatorAt(text string, at int) (rune, int) {
	r, n := words.RuneAt(text, at)
	if n == 0 {
		return 0, 0
	}
	s := plainSeparator(r)
	if !strings.ContainsRune(" '.,٬:/-_", s) {
		return 0, 0
	}
	next, size := utf8.DecodeRuneInString(text[at+n:])
	if _, isDigit := words.DigitValue(next); size == 0 || !isDigit {
		return 0, 0
	}
	return s, n
}
