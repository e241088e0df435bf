package content

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// clean returns valid UTF-8 with \n as its only line end and without control characters except \n and \t.
func clean(text string) string {
	if isClean(text) {
		return text
	}
	text = lineEnds.Replace(strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}

// isClean reports whether clean would change nothing.
func isClean(text string) bool {
	for i := range len(text) {
		if !suspect[text[i]] {
			continue
		}
		switch b := text[i]; {
		case b < 0x80:
			return false
		case b == 0xC2 && i+1 < len(text) && text[i+1] < 0xA0:
			// Control characters of Latin-1.
			return false
		case b == 0xEF && strings.HasPrefix(text[i:], "\uFEFF"):
			return false
		}
	}
	return utf8.ValidString(text)
}

// suspect bytes are control characters, or may begin what clean changes.
var suspect = func() (table [256]bool) {
	for b := range ' ' {
		table[b] = b != '\n' && b != '\t'
	}
	table[0x7F], table[0xC2], table[0xEF] = true, true, true
	return table
}()

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\uFEFF", "")

// oneLine returns clean text on one line, without blanks at its ends or doubled blanks. It keeps no-break spaces.
func oneLine(text string) string {
	if text = clean(text); !isOneLine(text) {
		text = strings.Join(strings.FieldsFunc(text, func(r rune) bool {
			return r == ' ' || r == '\n' || r == '\t' || r == '\u2028' || r == '\u2029'
		}), " ")
	}
	return strings.TrimSpace(text)
}

// isOneLine reports whether a text has no line ends, no tabs and no doubled blanks.
func isOneLine(text string) bool {
	return !strings.ContainsAny(text, "\n\t") && !strings.Contains(text, "  ") && !strings.Contains(text, "\u2028") &&
		!strings.Contains(text, "\u2029")
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
	if blank := strings.LastIndexFunc(text[:end+blankAt(text[end:])], unicode.IsSpace); blank > end/2 {
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

// blankAt returns the length of a blank at the beginning of a text: a cut just before a blank splits no word.
func blankAt(text string) int {
	if r, n := utf8.DecodeRuneInString(text); unicode.IsSpace(r) {
		return n
	}
	return 0
}
