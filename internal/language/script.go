package language

import (
	"maps"
	"slices"
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

// otherScripts are those of languages that people write in two. A tag such as sr-Latn names the one that is meant.
var otherScripts = map[string]string{
	"az": cyrillic, "bs": cyrillic, "kk": latin, "ku": "Arab", "sr": latin, "tk": cyrillic, "uz": cyrillic,
}

// sharedScripts are those of many languages.
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

// letterScripts are the scripts that letters are counted of. The first one is no script.
var letterScripts = func() []*unicode.RangeTable {
	all := []*unicode.RangeTable{{}}
	for _, code := range slices.Sorted(maps.Keys(scripts)) {
		for _, table := range scripts[code] {
			if !slices.Contains(all, table) {
				all = append(all, table)
			}
		}
	}
	return all
}()

// letterCount counts the letters of a text by their script: an index into letterScripts.
type letterCount [scriptMask>>scriptShift + 1]int

func (c *letterCount) add(more *letterCount) {
	for i := range more {
		c[i] += more[i]
	}
}

// of returns the number of letters in scripts.
func (c *letterCount) of(scripts ...*unicode.RangeTable) int {
	n := 0
	for _, script := range scripts {
		n += c[scriptIndex(script)]
	}
	return n
}

func (c *letterCount) all() int {
	n := 0
	for i := range c {
		n += c[i]
	}
	return n
}

func (c *letterCount) kana() int { return c.of(unicode.Hiragana, unicode.Katakana) }

func (r *Reader) countLetters(text string) letterCount {
	var c letterCount
	ascii, han := 0, 0
	for i := 0; i < len(text); {
		if first := text[i]; first < utf8.RuneSelf {
			if smallASCII[first] > '9' {
				ascii++
			}
			i++
			continue
		}
		letter, size := decode(text, i)
		i += size
		// A loop of counting the same in memory takes longer.
		if letter >= firstHan && letter <= lastHan {
			han++
		} else if is := r.classes.of(letter); is&classLetter != 0 {
			c[is.script()]++
		}
	}
	c[scriptIndex(unicode.Latin)] += ascii
	c[scriptIndex(unicode.Han)] += han
	return c
}

// The Chinese characters that most texts consist of.
const firstHan, lastHan = 0x4E00, 0x9FFF

func scriptIndex(script *unicode.RangeTable) int { return slices.Index(letterScripts, script) }

// minLetters is the least share of letters, in percent, that are in the language's script.
func (p *Profile) minLetters() int {
	if p.script == latin {
		return minOwnLetters
	}
	return minBesideLatin
}

// inScript reports whether a share of the letters of a text, in percent, is in the language's script. A text without letters is.
func (p *Profile) inScript(c *letterCount, share int) bool {
	if scripts[p.script] == nil {
		return true
	}
	own, all, kana := c.of(scripts[p.script]...)+c.of(scripts[p.otherScript]...), c.all(), c.kana()
	if own*100 < share*all {
		return false
	}
	switch p.script {
	case "Jpan":
		return own < minKanaLetters || kana*100 >= minKana*own
	case "Kore":
		return c.of(unicode.Hangul)*100 >= minHangul*own
	case "Hans", "Hant":
		return own+kana < minKanaLetters || kana*100 <= minKana*(own+kana)
	default:
		return true
	}
}
