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

// maxProse bounds what is read for its prose, in bytes of a text: most articles have less, and the prose of as much tells the language of
// the others. What follows is judged by all of its words.
const maxProse = 32 << 10

// minPassage is how much is read of each paragraph of which anything is read, or all of it: fewer words do not tell its language.
const minPassage = 4 << 10

// proseReader reads the prose of paragraphs, each once.
type proseReader struct {
	*Reader

	// left are the bytes that may still be read, and read is the prose by the number of the paragraph.
	left int
	read map[int]*passages
}

// proseOf returns the prose of a paragraph, or of its beginning; nil if nothing more may be read.
func (r *proseReader) proseOf(i int, paragraph Paragraph) *passages {
	if known, ok := r.read[i]; ok || r.left == 0 {
		return known
	}
	text := truncated(paragraph.Text, max(r.left, minPassage))
	r.left = max(0, r.left-len(paragraph.Text))
	prose := r.prose(text)
	words := r.Words(prose)
	r.read[i] = &passages{r.sample(Paragraph{Text: prose, Words: words}), words}
	return r.read[i]
}

// proseOfAll returns the prose of all paragraphs, as far as it may be read.
func (r *proseReader) proseOfAll(paragraphs []Paragraph) *passages {
	all := &passages{}
	for i, paragraph := range paragraphs {
		if prose := r.proseOf(i, paragraph); prose != nil {
			all.add(&prose.sample)
			all.tokens = append(all.tokens, prose.tokens...)
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
