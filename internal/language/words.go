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

// Words splits a text into words for comparing: folded (see Fold) and without punctuation. In scripts written without spaces each
// character is a word, and so is each emoji. Signs at the end of a name belong to it, as in "C++" and "C#".
func Words(text string) []string {
	folded := Fold(text)
	words := make([]string, 0, len(folded)/6)
	start := -1
	for i, r := range folded {
		inside := start >= 0
		switch {
		case isWholeWord(r):
			if inside {
				words = append(words, folded[start:i])
			}
			words, start = append(words, folded[i:i+utf8.RuneLen(r)]), -1
		case IsWordRune(r):
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

// endsName reports whether the signs at the beginning of s end a word.
func endsName(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, "+#"))
	return !IsWordRune(r)
}

// Letters that stand for signs between letters while words are split: Unicode has them as letters.
const (
	apostropheLetter = 'ʼ'
	underscoreLetter = 'ˍ'
	ampersandLetter  = 'ˆ'
)

// Tokens splits a text into words as Words does, but an apostrophe, an underscore and an ampersand between letters belong to the word:
// cat's is not cat. Behind a function word the apostrophe separates, as in l'huile.
func (p *Profile) Tokens(text string) []string {
	// ŉ is folded to ʼn.
	if !strings.ContainsAny(text, "'’ʼŉ_&") {
		return Words(text)
	}
	words := Words(joinLetters(text))
	tokens := make([]string, 0, len(words))
	for _, word := range words {
		before, after, found := strings.Cut(word, string(apostropheLetter))
		if after = strings.Trim(after, string(apostropheLetter)); after != "" && p.IsFunctionWord(before) {
			tokens = append(tokens, before, after)
			continue
		}
		if found {
			word = strings.Trim(word, string(apostropheLetter))
		}
		if word != "" {
			tokens = append(tokens, word)
		}
	}
	return tokens
}

// joinLetters makes the signs between letters a part of their word.
func joinLetters(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	before := ' '
	for i, r := range text {
		if letter := asLetter(r); letter != r && isLetterOrDigit(before) {
			if next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):]); isLetterOrDigit(next) {
				r = letter
			}
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// asLetter is the letter that stands for a sign between letters.
func asLetter(r rune) rune {
	switch r {
	case '\'', '’':
		return apostropheLetter
	case '_':
		return underscoreLetter
	case '&':
		return ampersandLetter
	default:
		return r
	}
}

// CountWords counts the words of a text as a reader does: a hyphen or an apostrophe joins two words to one, a dash separates them. In
// scripts without spaces the count is an estimate from the number of characters.
func CountWords(text string) int {
	words, two, five, inside := 0, 0, 0, false
	for _, r := range text {
		unspaced := IsUnspaced(r)
		switch {
		case unspaced && unicode.In(r, twoCharWords...):
			two++
		case unspaced && !unicode.IsMark(r):
			five++
		}
		// Blanks and dashes stand between words.
		separates := unspaced || unicode.IsSpace(r) || r == '—' || r == '―'
		if inside && separates {
			words++
		}
		inside = !separates && (inside || unicode.IsLetter(r) || unicode.IsNumber(r))
	}
	if inside {
		words++
	}
	return words + (two+1)/2 + (five+4)/5
}

// ContainsPhrase reports whether the words of phrase follow each other in text, regardless of case and punctuation. No text contains a
// phrase without words.
func ContainsPhrase(text, phrase string) bool {
	return containsRun(Words(text), Words(phrase))
}

// StartsWith reports whether words begin with the words of a phrase.
func StartsWith(words, phrase []string) bool {
	return len(words) >= len(phrase) && slices.EqualFunc(words[:len(phrase)], phrase, SameWord)
}

// containsRun reports whether the words of a phrase follow each other; false for a phrase without words.
func containsRun(words, phrase []string) bool {
	if len(phrase) == 0 {
		return false
	}
	for i := 0; i+len(phrase) <= len(words); i++ {
		if SameWord(words[i], phrase[0]) && StartsWith(words[i+1:], phrase[1:]) {
			return true
		}
	}
	return false
}

// SameWord reports whether a word of a text, as Words has it, is the one that is wanted. It ignores the particle at the end of a Korean
// word, which follows without a space.
func SameWord(word, want string) bool {
	return word == want || strings.HasPrefix(word, want) && endsInHangul(want)
}

func endsInHangul(word string) bool {
	last, _ := utf8.DecodeLastRuneInString(word)
	return unicode.Is(unicode.Hangul, last)
}

// IsWordRune reports whether a character is part of words: a letter, a mark or a number.
func IsWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return isLetterOrDigit(r)
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// isWholeWord reports whether a character is a word of its own.
func isWholeWord(r rune) bool {
	return r >= utf8.RuneSelf && (IsUnspaced(r) || unicode.Is(unicode.So, r))
}

// IsUnspaced reports whether a character is of a script without spaces between words.
func IsUnspaced(r rune) bool {
	return unicode.In(r, twoCharWords...) || unicode.In(r, fiveCharWords...)
}
