package language

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Scripts without spaces between words, by the approximate number of characters in a word.
var (
	twoCharWords  = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana}
	fiveCharWords = []*unicode.RangeTable{unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}
)

// Words splits a text into words for comparing: case-folded and in one Unicode form, without punctuation and without marks that
// are optional in writing. In scripts written without spaces each character counts as a word, and so does each emoji.
func Words(text string) []string {
	return AppendWords(make([]string, 0, len(text)/6), text)
}

// AppendWords appends the words of a text, as Words has them.
func AppendWords(words []string, text string) []string {
	for field := range strings.FieldsSeq(text) {
		words = appendFolded(words, Fold(field))
	}
	return words
}

// appendFolded splits a folded text.
func appendFolded(words []string, folded string) []string {
	classes, start := classes(), -1
	for i, r := range folded {
		inside := start >= 0
		switch is := classes.of(r); {
		case is&(classTwo|classFive|classSymbol) != 0:
			if inside {
				words = append(words, folded[start:i])
			}
			words, start = append(words, string(r)), -1
		case is&classWord != 0:
			if !inside {
				start = i
			}
		case inside && (r == '+' || r == '#') && endsName(folded[i:]):
		case inside:
			words, start = append(words, folded[start:i]), -1
		}
	}
	if start >= 0 {
		words = append(words, folded[start:])
	}
	return words
}

// CountWords counts the words of a text as a reader does: a hyphen or an apostrophe joins two words to one, a dash separates them. In
// scripts without spaces the count is an estimate from the number of characters.
func CountWords(text string) int {
	var c wordCount
	for field := range strings.FieldsSeq(text) {
		c.add(field)
	}
	return c.total()
}

// wordCount counts words, and the characters of scripts without spaces by the length of their words.
type wordCount struct {
	words, two, five int
	// inside a word.
	inside bool
}

func (c *wordCount) total() int { return c.words + (c.two+1)/2 + (c.five+4)/5 }

func (c *wordCount) add(field string) {
	t := classes()
	for _, r := range field {
		c.see(r, t.of(r))
	}
	c.end()
}

// see counts a character that is no blank.
func (c *wordCount) see(r rune, is class) {
	switch {
	case is&(classTwo|classFive) != 0:
		c.end()
		if is&classTwo != 0 {
			c.two++
		} else if is&classMark == 0 {
			c.five++
		}
	case is&(classLetter|classNumber) != 0:
		c.inside = true
	case r == '—' || r == '―':
		c.end()
	}
}

// takeBack uncounts a character of a script without spaces that see has counted.
func (c *wordCount) takeBack(is class) {
	switch {
	case is&classTwo != 0:
		c.two--
	case is&classFive != 0 && is&classMark == 0:
		c.five--
	}
}

// end ends a word, if there is one.
func (c *wordCount) end() {
	if c.inside {
		c.words++
		c.inside = false
	}
}

// ContainsPhrase reports whether the words of phrase follow each other in text, regardless of case and punctuation. No text contains a
// phrase without words.
func ContainsPhrase(text, phrase string) bool {
	return CountPhrase(Words(text), Words(phrase)) > 0
}

// CountPhrase counts the occurrences of phrase in words, without overlaps.
func CountPhrase(words, phrase []string) int {
	return countRuns(words, phrase, SameWord)
}

// StartsWith reports whether words begin with the words of a phrase.
func StartsWith(words, phrase []string) bool {
	return len(words) >= len(phrase) && slices.EqualFunc(words[:len(phrase)], phrase, SameWord)
}

// countRuns counts where the phrase's words follow each other, by a comparison of one word of the text with one of the phrase.
func countRuns(words, phrase []string, same func(word, want string) bool) int {
	if len(phrase) == 0 {
		return 0
	}
	count := 0
	for i := 0; i+len(phrase) <= len(words); {
		n := 0
		for n < len(phrase) && same(words[i+n], phrase[n]) {
			n++
		}
		if n == len(phrase) {
			count++
			i += n
		} else {
			i++
		}
	}
	return count
}

// SameWord reports whether a word of a text, as Words has it, is the one that is wanted. It ignores the particle at the end of a Korean
// word, which follows without a space.
func SameWord(word, want string) bool {
	if word == want {
		return true
	}
	return endsInHangul([]byte(want)) && strings.HasPrefix(word, want)
}

// firstHangul is the first character of Hangul.
const firstHangul = 0x1100

func endsInHangul(word []byte) bool {
	if len(word) == 0 || word[len(word)-1] < utf8.RuneSelf {
		return false
	}
	last, _ := utf8.DecodeLastRune(word)
	return last >= firstHangul && (last < firstHan || last > lastHan) && unicode.Is(unicode.Hangul, last)
}

// IsWordRune reports whether a character is part of words: a letter, a mark or a number.
func IsWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
}

func asciiLetterOrDigit(c rune) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z'
}

// IsUnspaced reports whether a character is of a script without spaces between words.
func IsUnspaced(r rune) bool {
	return r >= firstUnspaced && (unicode.IsOneOf(twoCharWords, r) || unicode.IsOneOf(fiveCharWords, r))
}

// firstUnspaced is the first character of Thai; no script without spaces has an earlier one.
const firstUnspaced = 0x0E01

// endsName reports whether the signs at the beginning of s end a word, as in "C++" and "C#".
func endsName(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, "+#"))
	return !IsWordRune(r)
}
