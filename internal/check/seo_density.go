package check

import "github.com/pressroom-dev/pressroom/internal/language"

// Density of the keyword in percent of the words, times a factor that grows with the number of its words: 0.7 plus a third of it.
// Densities are compared as whole numbers, of which 30 are one percent.
const (
	densityUnit            = 30
	minDensity, maxDensity = densityUnit / 2, 3 * densityUnit
	farTooDense            = 4 * densityUnit
	// longText is the number of words from which the density counts, and shortText that up to which one keyword is enough.
	longText, shortText = 100, 50
)

func keyphraseDensity(f *facts) Finding {
	n := 0
	for _, b := range f.blocks {
		n += b.keywords
	}
	least, most := f.keywordRange()
	found := "the keyword is in the text " + times(n)
	if n == 0 {
		found = "the keyword is not in the text"
	}
	switch {
	case f.words == 0:
		return fault(-50, "the text has no words")
	case n == 0, n < least:
		return fault(4, "%s; it should be there %s", found, timesFrom(least, most)).mend(f.sectionWithout(),
			"Use the words %s together in one more sentence, in exactly this form.", quote(f.key.text))
	case n <= most:
		return pass(perfect, "%s", found)
	case f.farTooDense(n):
		return fault(-50, "%s; more than %s costs up to 41 points of the score, because readers and search engines take it for spam",
			found, times(most)).mend(f.sectionWithMost(), "Use the words %s less often here: replace them by other words.",
			quote(f.key.text)).at(f.sentencesWithKeyword()...)
	default:
		return fault(-10, "%s; it should be there at most %s", found, times(most)).mend(f.sectionWithMost(),
			"Use the words %s less often here: replace them by other words.", quote(f.key.text)).at(f.sentencesWithKeyword()...)
	}
}

func (f *facts) sentencesWithKeyword() []string {
	return f.sentencesWhere(func(s language.Sentence) bool { return f.key.count(s.Words) > 0 })
}

// keywordRange is how often the keyword should be in the text.
func (f *facts) keywordRange() (least, most int) {
	switch {
	case f.words <= shortText:
		return 1, 1
	case f.words < longText:
		return 1, 2
	default:
		perKeyword := f.densityOf(1)
		return max(2, (minDensity*f.words+perKeyword-1)/perKeyword), max(2, maxDensity*f.words/perKeyword)
	}
}

func (f *facts) farTooDense(n int) bool {
	_, most := f.keywordRange()
	if f.words < longText {
		return n > most+1
	}
	return f.densityOf(n) > farTooDense*f.words
}

// densityOf returns the density of n keywords times the number of words.
func (f *facts) densityOf(n int) int { return n * 100 * (21 + 10*len(f.key.words)) }

// sectionWithout is the longest section that has the keyword least often.
func (f *facts) sectionWithout() Target {
	sections := f.perSection()
	best := 0
	for i, s := range sections {
		if s.words == 0 {
			continue
		}
		if s.keywords < sections[best].keywords || s.keywords == sections[best].keywords && s.words > sections[best].words {
			best = i
		}
	}
	return section(best)
}

// sectionWithMost is the section that has the keyword most often.
func (f *facts) sectionWithMost() Target {
	bySection := map[int]int{}
	for _, b := range f.blocks {
		bySection[b.Section] += b.keywords
	}
	return section(mostIn(bySection))
}

// sectionSums are the keywords and the words of a section.
type sectionSums struct{ keywords, words int }

// perSection counts the keywords and the words of the sections up to the last one that has a text.
func (f *facts) perSection() []sectionSums {
	sections := []sectionSums{{}}
	for _, b := range f.blocks {
		for b.Section >= len(sections) {
			sections = append(sections, sectionSums{})
		}
		sections[b.Section].keywords += b.keywords
		sections[b.Section].words += b.words
	}
	return sections
}

// The share of headings, and of many images, that should have the keyword.
const minTopicPercent, maxTopicPercent = 30, 75

func keyphraseInHeadings(f *facts) Finding {
	headings := f.headings()
	with := 0
	for _, h := range headings {
		if f.isAboutKeyword(h.tokens) {
			with++
		}
	}
	all := len(headings)
	switch {
	case all == 0 && f.words > maxSectionWords:
		return fault(2, "the text has no headings of the second or third level; 30 to 75 percent of them should have the keyword").
			mend(Target{Part: Whole}, "Divide the text by headings that begin with ##, and use %s in some of them.", quote(f.key.text))
	case all == 0:
		return pass(perfect, "the text is short enough to need no headings")
	case all == 1 && with == 1, all > 1 && with*100 >= minTopicPercent*all && with*100 <= maxTopicPercent*all:
		return pass(perfect, "%d of %s the keyword", with, count(all, "heading has", "headings have"))
	case with*100 < minTopicPercent*all:
		return fault(3, "%d of %s the keyword; 30 to 75 percent should have it", with, count(all, "heading has", "headings have")).
			mend(f.headingTarget(false), "Use the words %s in the heading of this section, in this form.", quote(f.key.text)).
			at(f.headingsWith(false)...)
	default:
		return fault(3, "%d of %s the keyword; at most 75 percent should have it", with, count(all, "heading has", "headings have")).
			mend(f.headingTarget(true), "Write the heading of this section without the words %s.", quote(f.key.text)).
			at(f.headingsWith(true)...)
	}
}

// isAboutKeyword reports whether a heading has more than half of the keyword's words of content, or all of its words in a language whose
// function words are not known.
func (f *facts) isAboutKeyword(heading []string) bool {
	found := f.key.found(heading)
	if f.language.KnowsFunctionWords() {
		return 2*found > len(f.key.words)
	}
	return found == len(f.key.words)
}

// headingsWith are the headings that have the keyword, or have it not.
func (f *facts) headingsWith(has bool) (texts []string) {
	for _, h := range f.headings() {
		if f.isAboutKeyword(h.tokens) == has {
			texts = append(texts, h.Text)
		}
	}
	return texts
}

// headingTarget is the first section whose heading has the keyword, or has it not.
func (f *facts) headingTarget(has bool) Target {
	for _, h := range f.headings() {
		if h.Section > 0 && f.isAboutKeyword(h.tokens) == has {
			return section(h.Section)
		}
	}
	return Target{Part: Whole}
}
