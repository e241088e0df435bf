package language

import (
	"strings"
	"unicode/utf8"
)

// passages are the prose of paragraphs.
type passages struct {
	sample
	tokens []Word
}

func (r *Reader) proseOf(paragraphs ...Paragraph) *passages {
	all := &passages{}
	for _, paragraph := range paragraphs {
		text := r.prose(paragraph.Text)
		words := r.Words(text)
		s := r.sample(Paragraph{Text: text, Words: words})
		all.add(&s)
		all.tokens = append(all.tokens, words...)
	}
	return all
}

// prose returns the words of a text that tell its language: those that begin with a small letter, in scripts that have capitals, and all
// in others. Names, code and addresses are the same in every language.
func (r *Reader) prose(text string) string {
	var out strings.Builder
	out.Grow(len(text))
	for field := range strings.FieldsSeq(text) {
		code := isCode(field)
		for len(field) > 0 {
			run, isWord := r.firstRun(field)
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
func (r *Reader) firstRun(field string) (length int, isWord bool) {
	first, length := decode(field, 0)
	is := r.classes.of(first)
	if is&classLetter == 0 {
		return length, false
	}
	for length < len(field) {
		next, size := decode(field, length)
		class := r.classes.of(next)
		if class&classMark == 0 && asLetter(next) != apostropheLetter && next != '-' &&
			(class&classLetter == 0 || class.script() != is.script()) {
			break
		}
		length += size
	}
	return length, is&classUpper == 0
}

// isCode reports whether a field is code or an address: it has a digit or a sign, or a full stop between two letters.
func isCode(field string) bool {
	if strings.ContainsAny(field, `0123456789/\_@=<>{}|~$#`) {
		return true
	}
	dot := strings.IndexByte(field, '.')
	return dot > 0 && dot+1 < len(field) && asciiLetterOrDigit(rune(field[dot-1])) && asciiLetterOrDigit(rune(field[dot+1]))
}
