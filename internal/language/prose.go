package language

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// proseOf returns the prose of a paragraph.
func (p *Profile) proseOf(text string) sample {
	words := prose(text)
	return p.sample(Paragraph{Text: words, Words: p.Tokens(words)})
}

// prose returns the words of a text that tell its language: those that begin with a small letter, in scripts that have capitals, and all
// in others. Names, code and addresses are the same in every language.
func prose(text string) string {
	var out strings.Builder
	out.Grow(len(text))
	for field := range strings.FieldsSeq(text) {
		code := isCode(field)
		for len(field) > 0 {
			run, isWord := firstRun(field)
			if isWord && (!code || field[0] >= utf8.RuneSelf) {
				out.WriteString(field[:run])
				out.WriteByte(' ')
			}
			field = field[run:]
		}
	}
	return out.String()
}

// firstRun is the length of the letters of one script at the beginning of a field, with the marks, apostrophes and hyphens between them,
// and whether they begin with a small letter. At the beginning of a field without letters, it is the length of one character.
func firstRun(field string) (length int, isWord bool) {
	first, length := utf8.DecodeRuneInString(field)
	if !unicode.IsLetter(first) {
		return length, false
	}
	script := scriptOf(first)
	inRun := func(r rune) bool {
		if unicode.IsMark(r) || r == '-' || asLetter(r) == apostropheLetter {
			return true
		}
		return unicode.IsLetter(r) && (script != nil && unicode.Is(script, r) || script == nil && scriptOf(r) == nil)
	}
	if end := strings.IndexFunc(field[length:], func(r rune) bool { return !inRun(r) }); end >= 0 {
		return length + end, !unicode.IsUpper(first)
	}
	return len(field), !unicode.IsUpper(first)
}

// isCode reports whether a field is code or an address: it has a digit or a sign, or a full stop between two letters.
func isCode(field string) bool {
	if strings.ContainsAny(field, `0123456789/\_@=<>{}|~$#`) {
		return true
	}
	dot := strings.IndexByte(field, '.')
	return dot > 0 && dot+1 < len(field) && isASCIIWord(field[dot-1]) && isASCIIWord(field[dot+1])
}

func isASCIIWord(b byte) bool { return b < utf8.RuneSelf && isLetterOrDigit(rune(b)) }
