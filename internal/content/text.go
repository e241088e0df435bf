package content

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// clean returns valid UTF-8 with \n as its only line end and without byte order marks and control characters except \n and \t.
func clean(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r == '\uFEFF', unicode.IsControl(r) && r != '\n' && r != '\t':
			return -1
		default:
			return r
		}
	}, text)
}

// oneLine returns clean text on one line, without blanks at its ends or doubled blanks, and without marks that turn the direction of what
// stands around it. It keeps no-break spaces. Lines of Chinese or Japanese are joined without a blank. A text of which nothing can be seen
// is empty.
func oneLine(text string) string {
	if !IsVisible(text) {
		return ""
	}
	lines := strings.Split(strings.Map(withoutTurns, clean(text)), "\n")
	var b strings.Builder
	last := rune(-1)
	for _, line := range lines {
		words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == '\u2028' || r == '\u2029' })
		for i, word := range words {
			first, _ := utf8.DecodeRuneInString(word)
			if b.Len() > 0 && (i > 0 || !joinsLines(last, first)) {
				b.WriteByte(' ')
			}
			b.WriteString(word)
			last, _ = utf8.DecodeLastRuneInString(word)
		}
	}
	return strings.TrimSpace(b.String())
}

// Label returns a name or another short text as it is shown beside others: on one line, without marks that turn the direction of what
// stands around it, and empty if nothing of it can be seen. The REST API refuses texts that would be changed so. Manifests may have them,
// and are read as labels where they are used.
func Label(text string) string { return oneLine(text) }

// IsVisible reports whether a reader sees anything of a text: letters without a shape and marks of the format are not seen.
func IsVisible(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.M, r) && r != '\u2800' &&
			!unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
	})
}

// TurnsDirection reports whether a character embeds, overrides or isolates a direction of writing, and so turns what stands around it.
// Marks of a single place, and the joiners of Persian and of emoji, do not.
func TurnsDirection(r rune) bool {
	return r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069'
}

func withoutTurns(r rune) rune {
	if TurnsDirection(r) {
		return -1
	}
	return r
}

func runeColumns(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case width.LookupRune(r).Kind() == width.EastAsianWide, width.LookupRune(r).Kind() == width.EastAsianFullwidth:
		return 2
	default:
		return 1
	}
}

func perRune(rune) int { return 1 }

// shorten cuts a text to the limit, measured by size, between words if that leaves at least half of the limit.
func shorten(text string, limit int, size func(rune) int) string {
	end := fitting(text, limit, size)
	if end == len(text) {
		return text
	}
	if blank := strings.LastIndexFunc(text[:end+leadingSpace(text[end:])], unicode.IsSpace); blank > end/2 {
		end = blank
	}
	return strings.TrimRightFunc(text[:end], func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;:-–—(", r)
	})
}

// fitting returns how many bytes of the text fit into the limit without separating a letter from its marks.
func fitting(text string, limit int, size func(rune) int) int {
	used, end := 0, 0
	for i, r := range text {
		if used += size(r); used > limit {
			return end
		}
		next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		if !unicode.IsMark(next) && next != '\u200D' && r != '\u200D' {
			end = i + utf8.RuneLen(r)
		}
	}
	return len(text)
}

// leadingSpace returns the length in bytes of the space that a text begins with; 0 if it begins with none. A cut just before a space splits
// no word.
func leadingSpace(text string) int {
	if r, n := utf8.DecodeRuneInString(text); unicode.IsSpace(r) {
		return n
	}
	return 0
}
