package lifecycle

import (
	"strings"
	"unicode"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
)

const (
	ellipsis = "…"
	// pauses are signs that end a word, and look wrong before an ellipsis.
	pauses = ",;:-–—"
)

// ShortTitle returns the beginning of a title that is too long for a table, with an ellipsis, and "" for a title that is not. It is cut
// at the border of a word, unless that would take more than half of it, as in a language without blanks.
func ShortTitle(title string) string {
	characters := []rune(title)
	if len(characters) <= v1alpha1.MaxShortTitle {
		return ""
	}
	end := v1alpha1.MaxShortTitle - 1
	for border := end; border > end/2; border-- {
		if endsWord(characters[border]) {
			end = border
			break
		}
	}
	short := strings.TrimRightFunc(string(characters[:end]), endsWord)
	return bounds.Cut(short, v1alpha1.MaxShortTitleBytes-len(ellipsis)) + ellipsis
}

func endsWord(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(pauses, r) }
