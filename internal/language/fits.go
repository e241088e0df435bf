package language

import (
	"slices"
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
func Fits(tag, text string) Fit {
	p := For(tag)
	var paragraphs []Paragraph
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		paragraphs = append(paragraphs, Paragraph{Text: paragraph, Words: p.Tokens(paragraph)})
	}
	return p.FitsAll(paragraphs)
}

// FitsAll says whether paragraphs are in the profile's language; see the function Fits. It looks at their text and at their words.
func (p *Profile) FitsAll(paragraphs []Paragraph) Fit {
	if p.base == "" {
		return Fit{OK: true, Unknown: true}
	}
	whole := sample{counts: map[string]int{}}
	passage := Fit{OK: true}
	for _, paragraph := range paragraphs {
		s := p.sample(paragraph)
		whole.add(&s)
		if passage.OK && len(s.words) >= minJudged && !p.isClear(&s) {
			prose := p.proseOf(paragraph.Text)
			if fit := p.judge(&prose, 0); !fit.OK {
				passage = Fit{Found: fit.Found, Passage: beginning(paragraph.Text)}
			}
		}
	}
	if p.isClear(&whole) {
		return passage
	}
	prose := sample{counts: map[string]int{}}
	for _, paragraph := range paragraphs {
		s := p.proseOf(paragraph.Text)
		prose.add(&s)
	}
	if len(whole.words) < minJudged {
		return p.judgeScript(&prose)
	}
	fit := p.judge(&prose, minShare)
	if passage.OK {
		return fit
	}
	if _, most := p.likeliest(&prose); fit.OK || p.own(&prose) > most {
		return passage
	}
	return fit
}

// sample is a text with what is counted in it: the function words of each language, and letters.
type sample struct {
	words   []string
	counts  map[string]int
	letters letterCount
}

func (p *Profile) sample(paragraph Paragraph) sample {
	s := sample{words: paragraph.Words, counts: map[string]int{}, letters: p.countLetters(paragraph.Text)}
	for _, word := range s.words {
		for _, language := range functionWords().of[word] {
			s.counts[language]++
		}
	}
	return s
}

func (s *sample) add(more *sample) {
	s.words = append(s.words, more.words...)
	for language, n := range more.counts {
		s.counts[language] += n
	}
	s.letters.add(more.letters)
}

// isClear reports whether a text is in the language by so much that its names and its code do not matter.
func (p *Profile) isClear(s *sample) bool {
	const letters, share, lead = 80, 15, 150
	if len(s.words) < minJudged || !p.inScript(s.letters, letters) {
		return false
	}
	own, best := p.own(s), 0
	for language, n := range s.counts {
		if !slices.Contains(p.kin, language) {
			best = max(best, n)
		}
	}
	return own*100 >= share*len(s.words) && own*100 >= lead*best
}

// judge looks at the prose of a text or a paragraph, which has at least a share of function words in its own language.
func (p *Profile) judge(prose *sample, share int) Fit {
	if len(prose.words) < minProse {
		return Fit{OK: true, Unknown: true}
	}
	if fit := p.judgeScript(prose); !fit.OK || len(p.kin) == 0 {
		return fit
	}
	own := p.own(prose)
	found, most := p.likeliest(prose)
	if own*100 < p.lead(prose, found)*most || isStrange(prose.words, p.base) {
		return Fit{Found: found}
	}
	return Fit{OK: own*100 >= share*len(prose.words) || !sharedScripts[p.script]}
}

// judgeScript looks at the letters of prose.
func (p *Profile) judgeScript(prose *sample) Fit {
	share := minBesideLatin
	if p.script == latin {
		share = minOwnLetters
	}
	if p.inScript(prose.letters, share) {
		return Fit{OK: true, Unknown: sharedScripts[p.script]}
	}
	found, _ := p.likeliest(prose)
	return Fit{Found: found}
}

// lead returns the least number of function words that tell the own language from another; see minLead.
func (p *Profile) lead(prose *sample, other string) int {
	switch own, others := strange(prose.words, p.base), strange(prose.words, other); {
	case others > own:
		return minLeadForOwn
	case others < own:
		return minLeadForOther
	default:
		return minLead
	}
}

// own returns how many function words of the language are in prose.
func (p *Profile) own(prose *sample) int {
	own := 0
	for _, language := range p.kin {
		own = max(own, prose.counts[language])
	}
	return own
}

// likeliest returns the other language that has the most function words in prose, if they tell, and how many these are.
func (p *Profile) likeliest(prose *sample) (base string, most int) {
	for _, language := range functionWords().languages {
		n := prose.counts[language]
		if n > most && n*100 >= minFound*len(prose.words) && !slices.Contains(p.kin, language) && !isStrange(prose.words, language) {
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
