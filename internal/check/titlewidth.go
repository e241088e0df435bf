package check

import (
	"unicode"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// titleSize is the font size of titles in search results, in pixels.
const titleSize = 20

// Widths of characters in thousandths of the font size: the advance widths that Adobe publishes for Helvetica, which are Arial's.
const (
	usualWidth = 556
	wideWidth  = 1000
)

// asciiWidths are the widths of the characters from space to tilde.
var asciiWidths = [...]int{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
	556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
}

// otherWidths are characters that are no ASCII letters with marks.
var otherWidths = map[rune]int{
	'’': 222, '‘': 222, '“': 333, '”': 333, '„': 333, '–': 556, '—': 1000, '…': 1000, '•': 350, '·': 278, '¡': 333, '¿': 611, '«': 556,
	'»': 556, '‹': 333, '›': 333, '€': 556, '£': 556, '©': 737, '®': 737, '™': 1000, '°': 400, '×': 584, 'ß': 611, 'æ': 889, 'Æ': 1000,
	'ø': 611, 'Ø': 778, 'œ': 944, 'Œ': 1000, 'ı': 278, 'ł': 222, 'Ł': 556, 'đ': 556, 'Đ': 722,
	'г': 365, 'ж': 669, 'м': 688, 'т': 458, 'ф': 823, 'ш': 802, 'щ': 823, 'ы': 719, 'ю': 750, 'Ж': 923, 'М': 833, 'О': 778, 'Ф': 760,
	'Ш': 917, 'Щ': 938, 'Ы': 885, 'Ю': 1010,
}

// TitlePixels is the width of a title in a list of search results: Arial at 20 pixels. Letters of other scripts have an average width.
func TitlePixels(title string) int {
	sum := 0
	for _, r := range norm.NFD.String(title) {
		sum += runeWidth(r)
	}
	return (sum*titleSize + 999) / 1000
}

func runeWidth(r rune) int {
	switch {
	case r >= ' ' && r <= '~':
		return asciiWidths[r-' ']
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf), unicode.IsControl(r):
		return 0
	}
	if known, ok := otherWidths[r]; ok {
		return known
	}
	if kind := width.LookupRune(r).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
		return wideWidth
	}
	if unicode.IsUpper(r) {
		return 667
	}
	return usualWidth
}
