package language

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// Paragraph is a text that is split into sentences and words.
type Paragraph struct {
	Text      string
	Sentences []Sentence
	// Words of all sentences, as Tokens has them.
	Words []string
}

// Sentence of a paragraph.
type Sentence struct {
	// Text of the sentence, without the blanks around it.
	Text string
	// Words as Tokens has them.
	Words []string
	// Count of words for readers; see CountWords.
	Count int
}

// Split splits one paragraph into sentences and words.
func (p *Profile) Split(text string) Paragraph {
	paragraph := Paragraph{Text: text}
	for _, sentence := range p.Sentences(text) {
		words := p.Tokens(sentence)
		paragraph.Sentences = append(paragraph.Sentences, Sentence{Text: sentence, Words: words, Count: CountWords(sentence)})
		paragraph.Words = append(paragraph.Words, words...)
	}
	return paragraph
}

// Sentences splits one paragraph into sentences by UAX #29, without the blanks around them. Line feeds are blanks. What has no letter
// and no number is no sentence. A full stop behind a common abbreviation ends none.
func (p *Profile) Sentences(paragraph string) []string {
	text := prepared(paragraph)
	var out []string
	start, end := 0, 0
	for tokens := sentences.FromString(text); tokens.Next(); {
		end += len(tokens.Value())
		if end < len(text) && p.continues(text[start:end], text[end:]) {
			continue
		}
		if sentence := strings.TrimSpace(text[start:end]); strings.ContainsFunc(sentence, IsWordRune) {
			out = append(out, sentence)
		}
		start = end
	}
	return out
}

// maxSigns is the largest number of signs in a row, blanks included. From each sign behind a full stop, the library looks ahead to the
// next letter, which takes time that grows with the square of their number.
const maxSigns = 100

// prepared returns a paragraph in which line feeds are blanks and no run of signs is longer than maxSigns: hardly any text has so many.
// UAX #29 ends a sentence at each line feed, and in a paragraph they mean nothing.
func prepared(paragraph string) string {
	signs := 0
	return strings.Map(func(r rune) rune {
		if IsWordRune(r) || isWholeWord(r) {
			signs = 0
			return r
		}
		if signs++; signs > maxSigns {
			return -1
		}
		switch r {
		case '\n', '\r', '\u0085', '\u2028', '\u2029':
			return ' '
		default:
			return r
		}
	}, paragraph)
}

// continues reports whether a sentence goes on where UAX #29 ends it: behind an abbreviation, before a sign that begins none, and in
// lower case behind a quotation.
func (p *Profile) continues(sentence, rest string) bool {
	sentence = strings.TrimRightFunc(sentence, unicode.IsSpace)
	next, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(rest, unicode.IsSpace))
	last, _ := utf8.DecodeLastRuneInString(sentence)
	switch {
	case strings.ContainsRune("#@$€£–—*•&/", next):
		return true
	case strings.ContainsRune(")]\"'”’»", last):
		return unicode.IsLower(next)
	case last != '.':
		return false
	}
	word := sentence[strings.LastIndexFunc(sentence, unicode.IsSpace)+1:]
	word = strings.ToLower(strings.TrimLeft(strings.TrimSuffix(word, "."), "([\"“„«'"))
	return slices.Contains(p.traits.Abbreviations, word)
}
