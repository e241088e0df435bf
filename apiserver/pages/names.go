package pages

import (
	"strings"
	"unicode"
)

// DisplayName returns a name that a client, an account or a person chose, without characters that could disguise it: control
// characters, marks that change the direction of writing, and invisible letters. If nothing is left, it returns the fallback.
func DisplayName(name, fallback string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs), r == unicode.ReplacementChar:
			return -1
		default:
			return r
		}
	}, name)
	if clean = strings.Join(strings.Fields(clean), " "); clean == "" {
		return fallback
	}
	return clean
}
