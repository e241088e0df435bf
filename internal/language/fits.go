package language

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"
)

const (
	// minJudged is the number of words from which function words tell a language.
	minJudged = 40
	// minShare is the least share of function words, in percent, that a text has in its own language.
	minShare = 10
	// maxPassage bounds the passage that Fit quotes, in characters.
	maxPassage = 200
)

// Fit says whether a text is in a language.
type Fit struct {
	// OK is false if the text, or a paragraph of 40 words or more, is in another language or another script.
	OK bool
	// Found is the base tag of the language that it is in instead; empty if that is not known.
	Found string
	// Passage is the beginning of the first foreign paragraph; empty if the text as a whole is foreign.
	Passage string
}

// Fits says whether a text is in the language of a BCP 47 tag. Blank lines separate its paragraphs. A text of fewer than 40 words, or
// in a language without function words, is judged by its script. A tag that is not valid fits every text.
func Fits(tag, text string) Fit { return For(tag).Fits(text) }

// Fits says whether a text is in the profile's language; see the function of this name.
func (p *Profile) Fits(text string) Fit {
	r := p.NewReader()
	var paragraphs []Paragraph
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		paragraphs = append(paragraphs, Paragraph{Text: paragraph, Words: r.Words(paragraph)})
	}
	return r.Fits(paragraphs)
}

// Paragraph is a paragraph with its words.
type Paragraph struct {
	Text  string
	Words []Word
}

// Fits says whether paragraphs that the reader has read are in its language; see the function of this name.
func (r *Reader) Fits(paragraphs []Paragraph) Fit {
	p := r.profile
	if p.base == "" {
		return Fit{OK: true}
	}
	var whole sample
	passage := Fit{OK: true}
	for _, paragraph := range paragraphs {
		s := r.sample(paragraph)
		whole.add(&s)
		if passage.OK && s.words >= minJudged {
			if fit := p.judge(&s, false); !fit.OK {
				passage = Fit{Found: fit.Found, Passage: beginning(paragraph.Text)}
			}
		}
	}
	if fit := p.judge(&whole, true); !fit.OK {
		return fit
	}
	return passage
}

// sample is what is counted in a text: its words, the function words of each language, and its letters.
type sample struct {
	words   int
	counts  [maxLists]int
	letters letterCount
}

func (r *Reader) sample(paragraph Paragraph) sample {
	s := sample{words: len(paragraph.Words), letters: r.countLetters(paragraph.Text)}
	for _, w := range paragraph.Words {
		for set := r.languagesOf(w); set != 0; set &= set - 1 {
			s.counts[bits.TrailingZeros64(set)]++
		}
	}
	return s
}

func (s *sample) add(more *sample) {
	s.words += more.words
	for i := range more.counts {
		s.counts[i] += more.counts[i]
	}
	s.letters.add(&more.letters)
}

// judge looks at a text or a paragraph. A paragraph may have few function words in every language: a list of names does.
func (p *Profile) judge(s *sample, whole bool) Fit {
	if !p.inScript(&s.letters) {
		found := s.likeliest()
		// Names and code are in Latin letters everywhere.
		return Fit{Found: found, OK: !whole && found == "" && s.letters.mostlyLatin()}
	}
	if p.list == 0 || s.words < minJudged {
		return Fit{OK: true}
	}
	languages := functionWords().languages
	own := s.counts[slices.Index(languages, p.base)]
	if sister := slices.Index(languages, sisters[p.base]); sister >= 0 {
		own = max(own, s.counts[sister])
	}
	likeliest := s.likeliest()
	switch {
	case likeliest != "" && tooFew(own, slices.Max(s.counts[:]), whole):
		return Fit{Found: likeliest}
	case own*100 < minShare*s.words && whole:
		return Fit{}
	default:
		return Fit{OK: true}
	}
}

// sisters are languages whose function words do not tell them apart.
var sisters = map[string]string{"id": "ms", "ms": "id", "da": "no", "no": "da"}

// tooFew reports whether a language has so much fewer function words in a text than another that the text is in the other. Kindred
// languages share many of them, and their lists differ in length. A paragraph has fewer words, so that chance says more.
func tooFew(own, best int, whole bool) bool {
	const wholePercent, paragraphPercent = 90, 75
	if whole {
		return own*100 < best*wholePercent
	}
	return own*100 < best*paragraphPercent
}

// likeliest returns the language that has the most function words in a text, if they tell.
func (s *sample) likeliest() string {
	best := slices.Max(s.counts[:])
	if s.words < minJudged || best*100 < minShare*s.words {
		return ""
	}
	return functionWords().languages[slices.Index(s.counts[:], best)]
}

// beginning of a paragraph, on one line. It looks at no more of a text than it returns.
func beginning(paragraph string) string {
	line, blank := make([]rune, 0, maxPassage), false
	for _, r := range paragraph {
		if unicode.IsSpace(r) {
			blank = len(line) > 0
			continue
		}
		if blank {
			line, blank = append(line, ' '), false
		}
		if line = append(line, r); len(line) > maxPassage {
			return string(line[:maxPassage-1]) + "…"
		}
	}
	return string(line)
}
