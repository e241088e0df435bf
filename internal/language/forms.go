package language

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// minCompoundPart is the least number of letters that a part of a compound has.
const minCompoundPart = 5

// Forms are the words of a phrase with the words of the texts that are forms of them. They know only what their reader has read before they
// were made.
type Forms struct {
	reader *Reader
	words  []Word
	sets   []wordSet
	// read is the number of words that texts may have.
	read int
}

// wordSet says of each word whether it is in the set. A set without words is nil.
type wordSet []bool

func (s wordSet) has(w Word) bool { return int(w) < len(s) && s[w] }

// with returns the set with a word, which is one of so many.
func (s wordSet) with(w Word, words int) wordSet {
	if s == nil {
		s = make(wordSet, words)
	}
	s[w] = true
	return s
}

// Forms finds the inflected forms of the words of a phrase, as far as the language's stemmer knows them.
func (r *Reader) Forms(phrase string) Forms {
	f := Forms{reader: r, read: r.Len()}
	f.words = r.Words(phrase)
	for _, w := range f.words {
		f.sets = append(f.sets, r.formsOf(w, f.read))
	}
	return f
}

// Compounds adds the words that a word of the phrase is a part of. Where the language joins words, a word of 5 letters or more is also
// present at either end of a longer one.
func (f Forms) Compounds() Forms {
	if !f.reader.profile.compounds {
		return f
	}
	v := &f.reader.vocabulary
	for i, w := range f.words {
		part := v.at(w)
		if utf8.RuneCount(part) < minCompoundPart {
			continue
		}
		for other := range Word(f.read) { //nolint:gosec // G115: a text has fewer than 2^32 words
			if word := v.at(other); bytes.HasPrefix(word, part) || bytes.HasSuffix(word, part) {
				f.sets[i] = f.sets[i].with(other, f.read)
			}
		}
	}
	return f
}

// In reports whether the words of the phrase follow each other in a text. No text contains a phrase without words.
func (f Forms) In(text []Word) bool {
	if len(f.sets) == 0 || slices.ContainsFunc(f.sets, func(s wordSet) bool { return s == nil }) {
		return false
	}
	for i := 0; i+len(f.sets) <= len(text); i++ {
		n := 0
		for n < len(f.sets) && f.sets[n].has(text[i+n]) {
			n++
		}
		if n == len(f.sets) {
			return true
		}
	}
	return false
}

// Mentioned reports whether all words of content of the phrase are in a text, in any order; all words if it has no others. No text mentions
// a phrase without words.
func (f Forms) Mentioned(text []Word) bool {
	content := make([]wordSet, 0, len(f.sets))
	for i, w := range f.words {
		if !f.reader.IsFunctionWord(w) {
			content = append(content, f.sets[i])
		}
	}
	if len(content) == 0 {
		content = f.sets
	}
	for _, set := range content {
		if !anyIn(set, text) {
			return false
		}
	}
	return len(content) > 0
}

func anyIn(set wordSet, text []Word) bool {
	return set != nil && slices.ContainsFunc(text, set.has)
}

// maxStemmed bounds the words that are stemmed for one word: no text has so many different words that begin alike, or twice as
// many words.
const maxStemmed = 1 << 12

// formsOf returns those of so many words that have the stem of one.
func (r *Reader) formsOf(want Word, words int) wordSet {
	var set wordSet
	wanted, left := newWantedStem(r.profile, r.stem(want)), maxStemmed
	if wanted.kept == 0 {
		left *= 2
	}
	for w := range Word(words) { //nolint:gosec // G115: a text has fewer than 2^32 words
		if !wanted.mayBe(r.vocabulary.at(w)) {
			continue
		}
		if left--; w == want || left >= 0 && SameWord(r.stem(w), wanted.stem) {
			set = set.with(w, words)
		}
	}
	return set
}

// stem of a word. No word is stemmed twice.
func (r *Reader) stem(w Word) string {
	if missing := r.Len() - len(r.stems); missing > 0 {
		r.stems = append(r.stems, make([]string, missing)...)
	}
	if r.stems[w] == "" {
		r.stems[w] = r.profile.stem(&r.env, r.vocabulary.at(w))
	}
	return r.stems[w]
}

// wantedStem is a stem that words may have. What stemmers do to no word spares stemming most of them: no stem is longer than its word by
// two letters, in another script, or begins otherwise: its first 3 letters are those of the word, but for the last 2 of the stem, which
// may change. (In Snowball's vocabularies they do so in 1 word of 3,000.)
type wantedStem struct {
	profile *Profile
	stem    string
	letters int
	// beginning are the letters that words have too, and script that of the first.
	beginning [keptLetters]rune
	kept      int
	classes   *classTable
	script    int
}

const keptLetters, changedLetters = 3, 2

func newWantedStem(p *Profile, stem string) wantedStem {
	s := wantedStem{profile: p, stem: stem, letters: utf8.RuneCountInString(stem), classes: classes()}
	first, _ := utf8.DecodeRuneInString(stem)
	s.script = s.classes.of(first).script()
	if s.letters > p.newBeginnings {
		s.kept = max(1, min(keptLetters, s.letters-changedLetters-p.changes))
		s.beginning = beginningOf([]byte(stem), s.kept)
	}
	return s
}

// mayBe reports whether a word may have the stem.
func (s *wantedStem) mayBe(word []byte) bool {
	switch {
	case s.profile.stemmer == nil:
		return strings.HasPrefix(string(word), s.stem)
	case s.kept == 0:
		return s.script == 0 || bytes.ContainsFunc(word, func(c rune) bool { return s.classes.of(c).script() == s.script })
	}
	// Most words begin with another letter.
	first := rune(word[0])
	if first >= utf8.RuneSelf {
		first, _ = utf8.DecodeRune(word)
	}
	if first != s.beginning[0] && (first < utf8.RuneSelf || s.classes.of(first).script() != s.script) {
		return false
	}
	word = s.profile.inflected(word)
	switch {
	case len(word)+1 < s.letters:
		return false
	case strings.IndexByte(s.profile.finals, word[len(word)-1]) >= 0:
		return string(word) == s.stem
	default:
		return beginningOf(word, s.kept) == s.beginning
	}
}

// beginningOf returns the first letters of a word, without their marks.
func beginningOf(word []byte, count int) [keptLetters]rune {
	var letters [keptLetters]rune
	for i := range letters[:count] {
		if len(word) == 0 {
			break
		}
		first, size := utf8.DecodeRune(word)
		if first >= utf8.RuneSelf {
			if plain := norm.NFD.Properties(word).Decomposition(); plain != nil {
				first, _ = utf8.DecodeRune(plain)
			}
		}
		letters[i] = first
		word = word[size:]
	}
	return letters
}
