package language

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// read appends the words of a text, and counts them as CountWords does.
func (r *Reader) read(text string) {
	for i := 0; i < len(text); {
		if text[i] == ' ' {
			i++
			continue
		}
		c, size := utf8.DecodeRuneInString(text[i:])
		if classOf(r.classes, c)&classSpace != 0 {
			i += size
			continue
		}
		i = r.readField(text, i)
	}
}

// readField reads what stands between two blanks, and returns its end. A field of characters that do not fold by themselves is read in
// another way, which takes longer.
func (r *Reader) readField(text string, start int) int {
	words, count, inside := len(r.words), r.count, false
	var before class
	i := start
	for i < len(text) {
		if letters := r.addLetters(text[i:]); letters > 0 {
			inside, before = true, classJoined
			i += letters
			continue
		}
		c, size := rune(text[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(text[i:])
		}
		is := classOf(r.classes, c)
		switch {
		case is&classSpace != 0:
			r.endField(inside)
			return i
		case is&(classSimple|classSign) == 0:
			r.words, r.count, r.word, r.apostrophe = r.words[:words], count, r.word[:0], false
			end := r.endOfField(text, i)
			r.readFolded(text[start:end])
			return end
		}
		if joined := asLetter(c); joined != c && r.joins(before, text[i+size:]) {
			r.apostrophe = r.apostrophe || joined == apostropheLetter
			r.word = utf8.AppendRune(r.word, joined)
			is = classLetter
		} else {
			r.readCharacter(c, is, text[i:], &inside)
		}
		before = is
		i += size
	}
	r.endField(inside)
	return i
}

// readCharacter reads one that is no usual letter, or a sign. The rest of the text begins with it.
func (r *Reader) readCharacter(c rune, is class, rest string, inside *bool) {
	switch {
	case is&classTwo != 0:
		r.endWord()
		r.count.end(inside)
		r.count.two++
		r.words = append(r.words, r.number(utf8.AppendRune(r.word, c)))
	case is&classWord != 0:
		*inside = *inside || is&classMark == 0
		r.apostrophe = r.apostrophe || c == apostropheLetter
		r.word = utf8.AppendRune(r.word, c)
	case (c == '+' || c == '#') && len(r.word) > 0 && endsName(rest):
		r.word = append(r.word, rest[0])
	default:
		r.endWord()
		if c == '—' || c == '―' {
			r.count.end(inside)
		}
	}
}

// addLetters appends the letters and digits that a text begins with to the word that is being read, in their small form, as long as they
// fold by themselves. It returns their length.
func (r *Reader) addLetters(text string) int {
	i, word := 0, r.word
	for i < len(text) {
		if text[i] < utf8.RuneSelf {
			small := smallASCII[text[i]]
			if small == 0 {
				break
			}
			word = append(word, small)
			i++
			continue
		}
		c, size := utf8.DecodeRuneInString(text[i:])
		is := classOf(r.classes, c)
		if is&(classSimple|classTwo) != classSimple || is&classJoined == 0 || c == apostropheLetter {
			break
		}
		if is&classUpper != 0 {
			c = lower(c)
		}
		word = utf8.AppendRune(word, c)
		i += size
	}
	if i > 0 {
		r.word = word
	}
	return i
}

// smallASCII are ASCII letters and digits in their small form.
var smallASCII = func() (table [256]byte) {
	for c := range byte(utf8.RuneSelf) {
		if asciiLetterOrDigit(rune(c)) {
			table[c] = byte(lower(rune(c)))
		}
	}
	return table
}()

// joins reports whether a sign joins the letters around it to one word.
func (r *Reader) joins(before class, rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	return before&classJoined != 0 && rest != "" && classOf(r.classes, next)&classJoined != 0
}

func (r *Reader) endField(inside bool) {
	r.endWord()
	r.count.end(&inside)
}

// endWord ends the word that is being read, if there is one.
func (r *Reader) endWord() {
	if len(r.word) == 0 {
		return
	}
	if r.apostrophe {
		r.addJoined(r.word)
		r.apostrophe = false
	} else {
		r.words = append(r.words, r.number(r.word))
	}
	r.word = r.word[:0]
}

var apostrophe = []byte(string(apostropheLetter))

// addJoined appends a word with an apostrophe. Behind a function word the apostrophe separates.
func (r *Reader) addJoined(word []byte) {
	before, after, _ := bytes.Cut(word, apostrophe)
	if after = trimApostrophes(after); len(after) > 0 && r.lists.of(before)&r.profile.list != 0 {
		r.words = append(r.words, r.number(before), r.number(after))
		return
	}
	if word = trimApostrophes(word); len(word) > 0 {
		r.words = append(r.words, r.number(word))
	}
}

func trimApostrophes(word []byte) []byte {
	for bytes.HasPrefix(word, apostrophe) {
		word = word[len(apostrophe):]
	}
	for bytes.HasSuffix(word, apostrophe) {
		word = word[:len(word)-len(apostrophe)]
	}
	return word
}

// endOfField returns where the next blank is.
func (r *Reader) endOfField(text string, from int) int {
	for i, c := range text[from:] {
		if classOf(r.classes, c)&classSpace != 0 {
			return from + i
		}
	}
	return len(text)
}

// readFolded reads a field of any characters.
func (r *Reader) readFolded(field string) {
	r.count.add(field)
	for _, word := range appendFolded(nil, Fold(joinLetters(field))) {
		if strings.ContainsRune(word, apostropheLetter) {
			r.addJoined([]byte(word))
		} else {
			r.words = append(r.words, r.number([]byte(word)))
		}
	}
}
