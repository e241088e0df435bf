package language

import (
	"bytes"
	"unicode/utf8"
)

// read appends the words of a text, and counts them as CountWords does. It folds characters that do not change with their neighbors one by
// one, and others together with those that they change with.
func (r *Reader) read(text string) {
	// joins is true if a letter or a digit stands before.
	joins := false
	for i := 0; i < len(text); {
		if text[i] == ' ' {
			r.endField()
			i, joins = i+1, false
			continue
		}
		if separates[text[i]] && (i+1 == len(text) || text[i+1] < utf8.RuneSelf) {
			r.endWord(0)
			i, joins = i+1, false
			continue
		}
		c, size := rune(text[i]), 1
		if c >= utf8.RuneSelf {
			c, size = decode(text, i)
		}
		is := r.classes.of(c)
		next, last := i, class(0)
		switch {
		case is.isLetter(false):
			next, last = r.addLetters(text, i)
		case is&classSpace != 0:
			r.endField()
			next = i + size
		case is&classSteady != 0 && c >= utf8.RuneSelf:
			next, last = r.addSingles(text, i)
		}
		if next > i {
			i, joins = next, last&classJoined != 0
			continue
		}
		i, joins = r.addAny(text, i, joins)
	}
	r.endField()
}

// addAny reads the character at an index, with those that may change with it.
func (r *Reader) addAny(text string, i int, joins bool) (next int, joinsNext bool) {
	c, size := decode(text, i)
	is := r.classes.of(c)
	end, steady := r.classes.steadyRun(text, i+size, is.combining())
	if letter := asLetter(c); letter != c && joins && r.beginsJoined(text, i+size) {
		r.add(letter, classLetter)
		if end == i+size {
			return end, true
		}
		// No character changes with these letters.
		i += size
	} else if steady && is&classSteady != 0 {
		r.count.see(c, is)
		r.addSteady(c, is)
		return i + size, is&classJoined != 0
	}
	return end, r.addCluster(text[i:end])
}

// addSteady adds a character that folds by itself.
func (r *Reader) addSteady(c rune, is class) {
	if is&classUpper != 0 {
		c = lower(c)
	}
	if is&classOptional == 0 {
		r.add(c, is)
	}
}

// add a folded character to the word that is being read, or end it.
func (r *Reader) add(c rune, is class) {
	switch {
	case is&classSingle != 0:
		r.endWord(is)
		r.words = append(r.words, r.single(c))
	case is&classWord != 0:
		if r.signs > 0 {
			r.endWord(is)
		}
		r.apostrophe = r.apostrophe || c == apostropheLetter
		r.word = utf8.AppendRune(r.word, c)
	case (c == '+' || c == '#') && len(r.word) > 0:
		r.word = utf8.AppendRune(r.word, c)
		r.signs++
	default:
		r.endWord(0)
	}
}

// addLetters adds the letters and digits at an index, in their small form, as long as they fold by themselves. It returns the index behind
// them, and the class of the last.
func (r *Reader) addLetters(text string, start int) (next int, last class) {
	if r.signs > 0 {
		return start, 0
	}
	i, word := start, r.word
	for i < len(text) {
		if text[i] < utf8.RuneSelf {
			small := smallASCII[text[i]]
			if small == 0 {
				break
			}
			word, last = append(word, small), classJoined
			i++
			continue
		}
		c, size := decode(text, i)
		is := r.classes.of(c)
		if is&classAttached != 0 && i > start {
			if _, steady := r.classes.steadyRun(text, i, 0); !steady {
				_, small := utf8.DecodeLastRune(word)
				_, size = utf8.DecodeLastRuneInString(text[:i])
				i, word = i-size, word[:len(word)-small]
			}
			break
		}
		if !is.isLetter(i > start) || c == apostropheLetter {
			break
		}
		if is&classUpper != 0 {
			c = lower(c)
		}
		word, last = utf8.AppendRune(word, c), is
		i += size
	}
	if i > start {
		r.word, r.count.inside = word, true
	}
	return i, last
}

// isLetter reports whether a character is a part of words that folds by itself. A mark is only inside of a word.
func (c class) isLetter(inside bool) bool {
	return c&(classSteady|classSingle|classOptional|classAttached) == classSteady &&
		(c&classJoined != 0 || inside && c&classMark != 0)
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

// separates are ASCII signs that stand in no word.
var separates = func() (table [256]bool) {
	for _, c := range []byte("!\"$%()*,-./:;<=>?@[\\]^`{|}~") {
		table[c] = true
	}
	return table
}()

// decode returns the character at an index of a valid text. Most that are no ASCII have two or three bytes.
func decode(text string, i int) (rune, int) {
	text = text[i:]
	switch first := text[0]; {
	case first>>4 == 0xE && len(text) > 2:
		return rune(first&0xF)<<12 | rune(text[1]&0x3F)<<6 | rune(text[2]&0x3F), 3
	case first>>5 == 0x6 && len(text) > 1:
		return rune(first&0x1F)<<6 | rune(text[1]&0x3F), 2
	}
	return utf8.DecodeRuneInString(text)
}

// decodeLast returns the last character of a valid text that is not empty.
func decodeLast(text string) rune {
	i := len(text) - 1
	for i > 0 && !utf8.RuneStart(text[i]) {
		i--
	}
	c, _ := decode(text, i)
	return c
}

// beginsJoined reports whether a letter or a digit stands at an index.
func (r *Reader) beginsJoined(text string, i int) bool {
	next, _ := utf8.DecodeRuneInString(text[i:])
	return i < len(text) && r.classes.of(next)&classJoined != 0
}

func (r *Reader) endField() {
	r.endWord(0)
	r.count.end()
}

// endWord ends the word that is being read, if there is one. Signs at its end belong to it unless a word follows, as in "C++" and "a+b".
func (r *Reader) endWord(next class) {
	if len(r.word) == 0 {
		return
	}
	if next&classWord != 0 {
		r.word = r.word[:len(r.word)-r.signs]
	}
	switch {
	case r.apostrophe:
		r.addJoined(r.word)
	case len(r.word) == 1:
		r.words = append(r.words, r.letter(r.word[0]))
	default:
		r.words = append(r.words, r.number(r.word))
	}
	r.word, r.signs, r.apostrophe = r.word[:0], 0, false
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
