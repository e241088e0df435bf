package page

import (
	"cmp"

	"golang.org/x/text/language"
)

// rightToLeft are the scripts that are written from right to left, by their ISO 15924 codes.
var rightToLeft = map[string]bool{"Arab": true, "Hebr": true, "Syrc": true, "Thaa": true, "Nkoo": true, "Adlm": true, "Rohg": true}

// languageOf returns the attribute lang of a text in a language, which is a BCP 47 tag.
func languageOf(tag string) string { return language.Make(cmp.Or(tag, "en")).String() }

// directionOf returns the attribute dir of a text in a language.
func directionOf(tag string) string {
	script, _ := language.Make(cmp.Or(tag, "en")).Script()
	if rightToLeft[script.String()] {
		return "rtl"
	}
	return "ltr"
}
