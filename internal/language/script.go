package language

import (
	"slices"
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

// scriptBlock is a range of characters whose letters are of one script.
type scriptBlock struct {
	first, last rune
	script      *unicode.RangeTable
}

func (b scriptBlock) has(r rune) bool { return b.first <= r && r <= b.last }

// blocks of letters of one script, which most letters are in. Letters elsewhere are looked up in the tables of their scripts.
var blocks = []scriptBlock{
	{0x00C0, 0x024F, unicode.Latin}, {0x0400, 0x052F, unicode.Cyrillic}, {0x05D0, 0x05EA, unicode.Hebrew}, {0x0620, 0x063F, unicode.Arabic},
	{0x0641, 0x064A, unicode.Arabic}, {0x3041, 0x3096, unicode.Hiragana}, {0x30A1, 0x30FA, unicode.Katakana}, {0x4E00, 0x9FFF, unicode.Han},
	{0xAC00, 0xD7A3, unicode.Hangul},
}

func (r *Reader) countLetters(text string) letterCount {
	own := scripts[r.profile.script]
	inBlock := make([]int, len(blocks))
	var c letterCount
	ascii, block := 0, 0
	for _, letter := range text {
		switch {
		case letter < utf8.RuneSelf:
			if smallASCII[letter] > '9' {
				ascii++
			}
		case classOf(r.classes, letter)&classLetter == 0:
		default:
			// Neighbors are mostly in one block.
			if !blocks[block].has(letter) {
				i := slices.IndexFunc(blocks, func(b scriptBlock) bool { return b.has(letter) })
				if i < 0 {
					c.count(letter, own)
					continue
				}
				block = i
			}
			inBlock[block]++
		}
	}
	c.add(letterCountOf(ascii, unicode.Latin, own))
	for i, n := range inBlock {
		c.add(letterCountOf(n, blocks[i].script, own))
	}
	return c
}

// letterCountOf letters of one script.
func letterCountOf(n int, script *unicode.RangeTable, own []*unicode.RangeTable) letterCount {
	var c letterCount
	if slices.Contains(own, script) {
		c.own = n
	} else {
		c.other = n
	}
	switch script {
	case unicode.Latin:
		c.latin = n
	case unicode.Hiragana, unicode.Katakana:
		c.kana = n
	}
	return c
}

// count a letter that is in no block.
func (c *letterCount) count(letter rune, own []*unicode.RangeTable) {
	if unicode.In(letter, own...) {
		c.own++
	} else {
		c.other++
	}
	if unicode.Is(unicode.Latin, letter) {
		c.latin++
	}
	if unicode.In(letter, unicode.Hiragana, unicode.Katakana) {
		c.kana++
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
