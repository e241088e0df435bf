package language

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Scripts that more than one place names.
const latin, cyrillic = "Latn", "Cyrl"

// scripts by their ISO 15924 code, as BCP 47 tags have them. A script that is not here fits every text.
var scripts = map[string][]*unicode.RangeTable{
	"Arab":   {unicode.Arabic},
	"Armn":   {unicode.Armenian},
	"Beng":   {unicode.Bengali},
	cyrillic: {unicode.Cyrillic},
	"Deva":   {unicode.Devanagari},
	"Ethi":   {unicode.Ethiopic},
	"Geor":   {unicode.Georgian},
	"Grek":   {unicode.Greek},
	"Gujr":   {unicode.Gujarati},
	"Guru":   {unicode.Gurmukhi},
	"Hans":   {unicode.Han, unicode.Bopomofo},
	"Hant":   {unicode.Han, unicode.Bopomofo},
	"Hebr":   {unicode.Hebrew},
	"Jpan":   {unicode.Han, unicode.Hiragana, unicode.Katakana},
	"Khmr":   {unicode.Khmer},
	"Knda":   {unicode.Kannada},
	"Kore":   {unicode.Hangul, unicode.Han},
	"Laoo":   {unicode.Lao},
	latin:    {unicode.Latin},
	"Mlym":   {unicode.Malayalam},
	"Mymr":   {unicode.Myanmar},
	"Orya":   {unicode.Oriya},
	"Sinh":   {unicode.Sinhala},
	"Taml":   {unicode.Tamil},
	"Telu":   {unicode.Telugu},
	"Thai":   {unicode.Thai},
	"Tibt":   {unicode.Tibetan},
}

// sharedScripts are the scripts of many languages.
var sharedScripts = map[string]bool{"Arab": true, "Beng": true, cyrillic: true, "Deva": true, latin: true}

const (
	// minOwnLetters is the least share of letters, in percent, that are in the language's own script. Latin words stand in texts of all
	// languages, so that minBesideLatin is enough for others.
	minOwnLetters, minBesideLatin = 50, 25
	// minKana is the least share of kana, in percent, in Japanese letters, and the largest in Chinese ones.
	minKana = 5
	// minHangul is the least share of Hangul, in percent, in Korean letters.
	minHangul = 50
	// minKanaLetters is the number of letters from which the share of kana tells Japanese from Chinese.
	minKanaLetters = 40
)

// scriptOf returns the script of a letter; nil if it is none of the scripts above.
func scriptOf(letter rune) *unicode.RangeTable {
	// Most letters of most texts are Latin.
	if unicode.Is(unicode.Latin, letter) {
		return unicode.Latin
	}
	for _, tables := range scripts {
		for _, table := range tables {
			if unicode.Is(table, letter) {
				return table
			}
		}
	}
	return nil
}

// letterCount counts the letters of a text: all of them, those in the script of the language, and those in two scripts that tell Japanese
// and Korean from Chinese.
type letterCount struct{ all, own, kana, hangul int }

func (c *letterCount) add(more letterCount) {
	c.all += more.all
	c.own += more.own
	c.kana += more.kana
	c.hangul += more.hangul
}

func (p *Profile) countLetters(text string) letterCount {
	var c letterCount
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		c.all++
		if unicode.In(r, p.letters...) {
			c.own++
		}
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			c.kana++
		case unicode.Is(unicode.Hangul, r):
			c.hangul++
		}
	}
	return c
}

// inScript reports whether a share of the letters of a text, in percent, is in the language's script. A text without letters is.
func (p *Profile) inScript(c letterCount, share int) bool {
	if len(p.letters) == 0 {
		return true
	}
	if c.own*100 < share*c.all {
		return false
	}
	switch p.script {
	case "Jpan":
		return c.own < minKanaLetters || c.kana*100 >= minKana*c.own
	case "Kore":
		return c.hangul*100 >= minHangul*c.own
	case "Hans", "Hant":
		return c.own+c.kana < minKanaLetters || c.kana*100 <= minKana*(c.own+c.kana)
	default:
		return true
	}
}

// maxStrange is the largest share of words, in percent, that may have letters that the language lacks.
const maxStrange = 8

// strange counts the words that have letters which a language lacks.
func strange(words []string, base string) int {
	alphabet, n := languages[base].Alphabet, 0
	if alphabet == "" {
		return 0
	}
	isOther := func(r rune) bool {
		return r >= utf8.RuneSelf && r != apostropheLetter && !strings.ContainsRune(alphabet, r)
	}
	for _, word := range words {
		if strings.ContainsFunc(word, isOther) {
			n++
		}
	}
	return n
}

// isStrange reports whether many words have letters that a language lacks.
func isStrange(words []string, base string) bool {
	return strange(words, base)*100 > maxStrange*len(words)
}
