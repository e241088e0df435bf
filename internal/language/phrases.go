package language

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// minCompoundPart is the least number of letters that a part of a compound has.
const minCompoundPart = 5

// Text is a text with the stems of its words, for several questions about it.
type Text struct {
	profile *Profile
	words   []string
	stems   []string
}

// Text returns the words and the stems of a text.
func (p *Profile) Text(text string) *Text { return p.NewStemmer().Text(p.Tokens(text)) }

// Stemmer stems no word twice. It is for one goroutine.
type Stemmer struct {
	profile *Profile
	known   map[string]string
}

// NewStemmer returns a stemmer for the texts of one article.
func (p *Profile) NewStemmer() *Stemmer { return &Stemmer{profile: p, known: map[string]string{}} }

// Text is a text that is split into words already, as Tokens has them.
func (s *Stemmer) Text(tokens []string) *Text {
	stems := make([]string, len(tokens))
	for i, word := range tokens {
		stem, ok := s.known[word]
		if !ok {
			stem = s.profile.Stem(word)
			s.known[word] = stem
		}
		stems[i] = stem
	}
	return &Text{profile: s.profile, words: tokens, stems: stems}
}

// ContainsForms reports whether the words of a phrase follow each other in a text, each in any inflected form that the language's
// stemmer knows. No text contains a phrase without words.
func (p *Profile) ContainsForms(text, phrase string) bool {
	return p.Text(text).ContainsForms(p.Text(phrase))
}

// ContainsForms reports whether the words of a phrase follow each other; see the method of the profile.
func (t *Text) ContainsForms(phrase *Text) bool {
	return countRuns(t.stems, phrase.stems, SameWord) > 0
}

// Mentions reports whether all words of content of a phrase are in a text, in any order and any form. Where the language joins words,
// a word of 5 letters or more is also present at either end of a longer one. No text mentions a phrase without words.
func (p *Profile) Mentions(text, phrase string) bool { return p.Text(text).Mentions(p.Text(phrase)) }

// Mentions reports whether all words of content of a phrase are in the text; see the method of the profile.
func (t *Text) Mentions(phrase *Text) bool {
	wanted := phrase.content()
	if len(wanted) == 0 {
		return false
	}
	for _, i := range wanted {
		same := func(have string) bool { return SameWord(have, phrase.stems[i]) }
		if !slices.ContainsFunc(t.stems, same) && !t.inCompound(phrase.words[i]) {
			return false
		}
	}
	return true
}

// content returns the indexes of the words of content; of all words if there are none.
func (t *Text) content() []int {
	content, all := make([]int, 0, len(t.words)), make([]int, len(t.words))
	for i, word := range t.words {
		all[i] = i
		if !t.profile.IsFunctionWord(word) {
			content = append(content, i)
		}
	}
	if len(content) == 0 {
		return all
	}
	return content
}

// inCompound reports whether a word is joined to others.
func (t *Text) inCompound(part string) bool {
	if !t.profile.compounds || utf8.RuneCountInString(part) < minCompoundPart {
		return false
	}
	return slices.ContainsFunc(t.words, func(word string) bool {
		return strings.HasPrefix(word, part) || strings.HasSuffix(word, part)
	})
}
