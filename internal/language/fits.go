package language

import (
	"math/bits"
	"strings"
	"unicode"
)

const (
	// minJudged is the number of words from which function words tell a language.
	minJudged = 40
	// minProse is the number of words of prose that a text needs for that: see prose.
	minProse = 12
	// minShare is the least share of function words, in percent, that a text has in its own language. A paragraph may have fewer: a list
	// of things does.
	minShare = 8
	// minFound is the least share of function words, in percent, by which a text is known to be in another language.
	minFound = 10
	// minLead is the least number of function words in the own language, in percent of those in another: kindred languages share many of
	// them, and their lists differ in length. It is another one if letters tell: if more words have some that the other language lacks, or
	// that the own one lacks.
	minLead, minLeadForOwn, minLeadForOther = 90, 50, 115
	// maxPassage bounds the passage that Fit quotes, in characters.
	maxPassage = 200
)

// Fit says whether a text is in a language.
type Fit struct {
	// OK is false if the text, or a paragraph of 40 words or more, is in another language or another script.
	OK bool
	// Unknown is true if nothing tells the language: its script is that of other languages too, and the text has too little prose or the
	// language has no function words.
	Unknown bool
	// Found is the base tag of the language that it is in instead; empty if that is not known.
	Found string
	// Passage is the beginning of the first foreign paragraph; empty if the text as a whole is foreign.
	Passage string
}

// Fits says whether a text is in the language of a BCP 47 tag. Blank lines separate its paragraphs. Names, code
// and addresses tell nothing. A text of fewer than 40 words, or in a language without function words, is judged by its script. A tag that
// is not valid fits every text.
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
	if r.profile.base == "" {
		return Fit{OK: true, Unknown: true}
	}
	var whole sample
	passage, reader := Fit{OK: true}, proseReader{Reader: r, left: maxProse, read: map[int]*passages{}}
	for i, paragraph := range paragraphs {
		s := r.sample(paragraph)
		whole.add(&s)
		if passage.OK && s.words >= minJudged && !r.profile.isClear(&s) {
			prose := reader.proseOf(i, paragraph)
			if prose == nil {
				prose = &passages{s, paragraph.Words}
			}
			if fit := r.judge(prose, 0); !fit.OK {
				passage = Fit{Found: fit.Found, Passage: beginning(paragraph.Text)}
			}
		}
	}
	if r.profile.isClear(&whole) {
		return passage
	}
	prose := reader.proseOfAll(paragraphs)
	if whole.words < minJudged {
		return r.judgeScript(prose)
	}
	fit := r.judge(prose, minShare)
	if passage.OK {
		return fit
	}
	if _, most := r.likeliest(prose); fit.OK || r.own(prose) > most {
		return passage
	}
	return fit
}

// sample is what is counted in a text: its words, the function words of each language, and its letters.
type sample struct {
	words   int
	counts  [maxLists]int
	letters letterCount
}

func (r *Reader) sample(paragraph Paragraph) sample {
	s := sample{words: len(paragraph.Words), letters: r.countLetters(paragraph.Text)}
	for words := paragraph.Words; len(words) > 0; {
		// A word that is repeated at once is looked up once.
		times := 1
		for times < len(words) && words[times] == words[0] {
			times++
		}
		for set := r.languagesOf(words[0]); set != 0; set &= set - 1 {
			s.counts[bits.TrailingZeros64(set)] += times
		}
		words = words[times:]
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

// isClear reports whether a text is in the language by so much that its names and its code do not matter.
func (p *Profile) isClear(s *sample) bool {
	const letters, share, lead = 80, 15, 150
	if s.words < minJudged || !p.inScript(&s.letters, letters) {
		return false
	}
	own, best := 0, 0
	for i, n := range &s.counts {
		if p.kin>>i&1 == 1 {
			own = max(own, n)
		} else {
			best = max(best, n)
		}
	}
	return own*100 >= share*s.words && own*100 >= lead*best
}

// judge looks at the prose of a text or a paragraph, which has at least a share of function words in its own language.
func (r *Reader) judge(prose *passages, share int) Fit {
	if prose.words < minProse {
		return Fit{OK: true, Unknown: true}
	}
	if fit := r.judgeScript(prose); !fit.OK || r.profile.kin == 0 {
		return fit
	}
	own := r.own(prose)
	found, most := r.likeliest(prose)
	if own*100 < r.lead(prose, found)*most || r.isStrange(prose.tokens, r.profile.base) {
		return Fit{Found: found}
	}
	return Fit{OK: own*100 >= share*prose.words || !sharedScripts[r.profile.script]}
}

// judgeScript looks at the letters of prose.
func (r *Reader) judgeScript(prose *passages) Fit {
	if r.profile.inScript(&prose.letters, r.profile.minLetters()) {
		return Fit{OK: true, Unknown: sharedScripts[r.profile.script]}
	}
	found, _ := r.likeliest(prose)
	return Fit{Found: found}
}

// lead returns the least number of function words that tell the own language from another; see minLead.
func (r *Reader) lead(prose *passages, other string) int {
	switch own, others := r.strange(prose.tokens, r.profile.base), r.strange(prose.tokens, other); {
	case others > own:
		return minLeadForOwn
	case others < own:
		return minLeadForOther
	default:
		return minLead
	}
}

// own returns how many function words of the language are in prose.
func (r *Reader) own(prose *passages) int {
	own := 0
	for set := r.profile.kin; set != 0; set &= set - 1 {
		own = max(own, prose.counts[bits.TrailingZeros64(set)])
	}
	return own
}

// likeliest returns the other language that has the most function words in prose, if they tell, and how many these are.
func (r *Reader) likeliest(prose *passages) (base string, most int) {
	for i, language := range r.lists.languages {
		n := prose.counts[i]
		if n > most && n*100 >= minFound*prose.words && r.profile.kin>>i&1 == 0 && !r.isStrange(prose.tokens, language) {
			base, most = language, n
		}
	}
	return base, most
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
