package language

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxProse bounds what is read for its prose, in bytes of a text: most articles have less, and the prose of as much tells the language of
// the others. What follows is judged by all of its words.
const maxProse = 32 << 10

// minPassage is how much is read of each paragraph of which anything is read, or all of it: fewer words do not tell its language.
const minPassage = 4 << 10

// proseReader reads the prose of paragraphs, each once.
type proseReader struct {
	profile *Profile
	// left are the bytes that may still be read, and read is the prose by the number of the paragraph.
	left int
	read map[int]*sample
}

// proseOf returns the prose of a paragraph, or of its beginning; nil if nothing more may be read.
func (r *proseReader) proseOf(i int, text string) *sample {
	if known, ok := r.read[i]; ok || r.left == 0 {
		return known
	}
	words := prose(truncated(text, max(r.left, minPassage)))
	r.left = max(0, r.left-len(text))
	s := r.profile.sample(Paragraph{Text: words, Words: r.profile.Tokens(words)})
	r.read[i] = &s
	return &s
}

// proseOfAll returns the prose of all paragraphs that may be read.
func (r *proseReader) proseOfAll(paragraphs []Paragraph) *sample {
	all := &sample{}
	for i, paragraph := range paragraphs {
		if prose := r.proseOf(i, paragraph.Text); prose != nil {
			all.add(prose)
		}
	}
	return all
}

// truncated returns the beginning of a text of at most so many bytes, without half a character at its end.
func truncated(text string, size int) string {
	if len(text) <= size {
		return text
	}
	for size > 0 && !utf8.RuneStart(text[size]) {
		size--
	}
	return text[:size]
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
