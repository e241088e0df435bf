package language

import "unicode/utf8"

// addSingles adds the characters at an index that are words of their own, as long as they fold by themselves, and passes over the signs
// between them. It returns the index behind them, and the class of the last.
func (r *Reader) addSingles(text string, start int) (next int, last class) {
	i, checked := start, start
	for i < len(text) && text[i] >= utf8.RuneSelf {
		c, size := decode(text, i)
		is := r.classes.of(c)
		if is&classAttached != 0 && i >= checked {
			end, steady := r.classes.steadyRun(text, i, 0)
			if !steady {
				return r.takeBack(text, start, i)
			}
			checked = end
		}
		switch {
		case is&classSteady == 0:
			return i, last
		case is&classOptional != 0:
		case is&classSingle != 0:
			r.endWord(is)
			r.words = append(r.words, r.single(c))
		case is&(classWord|classSpace) != 0 || asLetter(c) != c:
			return i, last
		default:
			r.endWord(0)
		}
		r.count.see(c, is)
		i, last = i+size, is
	}
	return i, last
}

// takeBack takes back the character before an index, as it folds with those at the index.
func (r *Reader) takeBack(text string, start, i int) (next int, last class) {
	if i == start {
		return i, 0
	}
	c, size := utf8.DecodeLastRuneInString(text[:i])
	is := r.classes.of(c)
	if is&classOptional == 0 && is&classSingle != 0 {
		r.words = r.words[:len(r.words)-1]
	}
	r.count.takeBack(is)
	return i - size, 0
}

// single is a word of one character, and its number.
type single struct {
	char rune
	word Word
}

// singlePlaces are the places for words of one character: a power of two.
const singlePlaces = 1 << 15

// single returns the number of a word of one character.
func (r *Reader) single(c rune) Word {
	if r.singles == nil {
		r.singles = make([]single, singlePlaces)
	}
	s := &r.singles[c%singlePlaces]
	if s.char != c {
		var word [utf8.UTFMax]byte
		*s = single{c, r.number(utf8.AppendRune(word[:0], c))}
	}
	return s.word
}

// letter returns the number of a word of one ASCII letter or digit.
func (r *Reader) letter(c byte) Word {
	known := &r.letters[c%utf8.RuneSelf]
	if *known == 0 {
		*known = r.number([]byte{c}) + 1
	}
	return *known - 1
}
