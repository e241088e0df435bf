package language

import (
	"unicode"
	"unicode/utf8"
)

// scripts by their ISO 15924 code, as BCP 47 tags have them. A script that is not here fits every text.
var scripts = map[string][]*unicode.RangeTable{
	"Arab": {unicode.Arabic},
	"Armn": {unicode.Armenian},
	"Beng": {unicode.Bengali},
	"Cyrl": {unicode.Cyrillic},
	"Deva": {unicode.Devanagari},
	"Ethi": {unicode.Ethiopic},
	"Geor": {unicode.Georgian},
	"Grek": {unicode.Greek},
	"Gujr": {unicode.Gujarati},
	"Guru": {unicode.Gurmukhi},
	"Hans": {unicode.Han, unicode.Bopomofo},
	"Hant": {unicode.Han, unicode.Bopomofo},
	"Hebr": {unicode.Hebrew},
	"Jpan": {unicode.Han, unicode.Hiragana, unicode.Katakana},
	"Khmr": {unicode.Khmer},
	"Knda": {unicode.Kannada},
	"Kore": {unicode.Hangul, unicode.Han},
	"Laoo": {unicode.Lao},
	"Latn": {unicode.Latin},
	"Mlym": {unicode.Malayalam},
	"Mymr": {unicode.Myanmar},
	"Orya": {unicode.Oriya},
	"Sinh": {unicode.Sinhala},
	"Taml": {unicode.Tamil},
	"Telu": {unicode.Telugu},
	"Thai": {unicode.Thai},
	"Tibt": {unicode.Tibetan},
}

const (
	// maxForeignLetters is the largest share of letters, in percent, that may be in another script. Names of products and code are
	// in Latin letters everywhere.
	maxForeignLetters = 50
	// minKana is the least share of kana, in percent, in Japanese letters, and the largest in Chinese ones.
	minKana = 5
	// minKanaLetters is the number of letters from which the share of kana tells Japanese from Chinese.
	minKanaLetters = 40
)

// letterCount counts the letters of a text by their script.
type letterCount struct {
	// own are in the script of the language. Among all letters, kana are Japanese syllables, and latin are in Latin script.
	own, other, kana, latin int
}

func (c *letterCount) mostlyLatin() bool { return 2*c.latin > c.own+c.other }

func (c *letterCount) add(more letterCount) {
	c.own += more.own
	c.other += more.other
	c.kana += more.kana
	c.latin += more.latin
}

func (p *Profile) countLetters(text string) letterCount {
	tables := scripts[p.script]
	var c letterCount
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			if asciiLetterOrDigit(r) && r > '9' {
				c.count(p.script == "Latn")
				c.latin++
			}
		case unicode.IsLetter(r):
			c.count(unicode.In(r, tables...))
			if unicode.Is(unicode.Latin, r) {
				c.latin++
			}
			if r >= firstKana && unicode.In(r, unicode.Hiragana, unicode.Katakana) {
				c.kana++
			}
		}
	}
	return c
}

// firstKana is the first character of Hiragana.
const firstKana = 0x3041

func (c *letterCount) count(own bool) {
	if own {
		c.own++
	} else {
		c.other++
	}
}

// inScript reports whether most letters of a text are in the language's script. A text without letters is.
func (p *Profile) inScript(c letterCount) bool {
	if scripts[p.script] == nil {
		return true
	}
	if c.other*100 > maxForeignLetters*(c.own+c.other) {
		return false
	}
	switch p.script {
	case "Jpan":
		return c.own < minKanaLetters || c.kana*100 >= minKana*c.own
	case "Hans", "Hant":
		return c.own+c.kana < minKanaLetters || c.kana*100 <= minKana*(c.own+c.kana)
	default:
		return true
	}
}
