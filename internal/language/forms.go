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
}

// wordSet says of each word whether it is in the set.
type wordSet []bool

func (s wordSet) has(w Word) bool { return int(w) < len(s) && s[w] }

// Forms finds the inflected forms of the words of a phrase, as far as the language's stemmer knows them.
func (r *Reader) Forms(phrase string) Forms {
	f := Forms{reader: r, words: r.Words(phrase)}
	for _, w := range f.words {
		f.sets = append(f.sets, r.formsOf(w))
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
		for other := range f.sets[i] {
			word := v.at(Word(other))
			if bytes.HasPrefix(word, part) || bytes.HasSuffix(word, part) {
				f.sets[i][other] = true
			}
		}
	}
	return f
}

// In reports whether the words of the phrase follow each other in a text. No text contains a phrase without words.
func (f Forms) In(text []Word) bool {
	if len(f.sets) == 0 {
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
	return slices.ContainsFunc(text, set.has)
}

// formsOf returns the words that have the stem of one.
func (r *Reader) formsOf(want Word) wordSet {
	set := make(wordSet, r.Len())
	wanted := newWantedStem(r.profile, r.stem(want))
	for other := range set {
		w := Word(other)
		if wanted.mayBe(r.vocabulary.at(w)) {
			set[w] = SameWord(r.stem(w), wanted.stem)
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
// two letters, or begins with another letter, but in languages that inflect there too. Of words of 7 letters or more the first 3 stay, if
// the stem has at least 5: its end may change.
type wantedStem struct {
	profile   *Profile
	stem      string
	letters   int
	beginning [keptLetters]rune
}

const keptLetters, keepingLetters, keepingStem = 3, 7, 5

func newWantedStem(p *Profile, stem string) wantedStem {
	return wantedStem{profile: p, stem: stem, letters: utf8.RuneCountInString(stem), beginning: beginningOf([]byte(stem))}
}

// mayBe reports whether a word may have the stem.
func (s wantedStem) mayBe(word []byte) bool {
	if s.profile.prefixes {
		return true
	}
	if first := word[0]; first < utf8.RuneSelf && rune(first) != s.beginning[0] {
		return false
	}
	word = s.profile.inflected(word)
	switch {
	case len(word)+1 < s.letters:
		return false
	case strings.IndexByte(s.profile.finals, word[len(word)-1]) >= 0:
		return string(word) == s.stem
	}
	have := beginningOf(word)
	if have[0] != s.beginning[0] || s.letters < keepingStem {
		return have[0] == s.beginning[0]
	}
	return have == s.beginning || utf8.RuneCount(word) < keepingLetters
}

// beginningOf returns the first letters of a word, without their marks.
func beginningOf(word []byte) [keptLetters]rune {
	var letters [keptLetters]rune
	for i := range letters {
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
