package check

import (
	"math"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/content"
)

// Style is judged by how often something occurs, against what people write: a single phrase is no fault. The thresholds are above
// what 99 of 100 posts have that people wrote before there were language models.
const (
	// maxStock and farTooMuchStock are stock phrases for each 1,000 words; one or two in a short text say nothing.
	maxStock, farTooMuchStock, fewStock = 5, 10, 3
	// A phrase of 5 words is repeated if it occurs 3 times. Such phrases may cover so many words in 1,000.
	phraseWords, phraseTimes    = 5, 3
	maxRepeated, mostlyRepeated = 120, 200
	// minParagraphs have lengths whose spread says something: the standard deviation in percent of the mean.
	minParagraphs, minSpread = 10, 18
	// minBullets begin with bold words, and mostBullets percent of all do.
	minBullets, mostBullets = 12, 80
)

func stockPhrases(f *facts) Finding {
	list := stockPhrasesOf[f.language.Base()]
	if list == nil {
		return notApplicable("no stock phrases of the language are known")
	}
	n, example := 0, ""
	bySection := map[int]int{}
	var passages []string
	for _, b := range f.blocks {
		found := list.find(b)
		n += len(found)
		bySection[b.Section] += len(found)
		for _, phrase := range found {
			passages = append(passages, inText(b, phrase))
		}
		if example == "" && len(found) > 0 {
			example = found[0]
		}
	}
	perThousand := 1000 * n / max(f.words, 1)
	if n < fewStock || perThousand <= maxStock {
		return pass(perfect, "the text has %s", count(n, "stock phrase", "stock phrases"))
	}
	return fault(partly(perThousand > farTooMuchStock),
		"the text has %d stock phrases such as %s, %d for each 1000 words; it should have at most %d",
		n, quote(example), perThousand, maxStock).
		mend(section(mostIn(bySection)), "Replace stock phrases such as %s by what they stand for, or leave them out.", quote(example)).
		at(passages...)
}

func repeatedPhrases(f *facts) Finding {
	if f.words < 100 {
		return notApplicable("the text is too short to repeat itself")
	}
	covered, words, example, at := f.repeated()
	perThousand := 1000 * covered / max(words, 1)
	if perThousand <= maxRepeated {
		return pass(perfect, "%d of 1000 words are in phrases that occur %d times", perThousand, phraseTimes)
	}
	return fault(partly(perThousand > mostlyRepeated),
		"%d of 1000 words are in phrases that occur %d times or more, such as %s; at most %d should be", perThousand,
		phraseTimes, quote(example), maxRepeated).mend(section(at), "Do not repeat phrases such as %s.", quote(example)).
		at(f.everywhere(example)...)
}

// repeated counts the words that are in phrases of phraseWords words that occur phraseTimes times in sentences. The example is the first
// one.
func (f *facts) repeated() (covered, words int, example string, at int) {
	times := map[[phraseWords]string]int{}
	for _, b := range f.blocks {
		words += len(b.tokens)
		for _, s := range b.sentences {
			for i := 0; i+phraseWords <= len(s.Words); i++ {
				times[[phraseWords]string(s.Words[i:])]++
			}
		}
	}
	for _, b := range f.blocks {
		for _, s := range b.sentences {
			end := 0
			for i := 0; i+phraseWords <= len(s.Words); i++ {
				if times[[phraseWords]string(s.Words[i:])] < phraseTimes {
					continue
				}
				covered += i + phraseWords - max(end, i)
				end = i + phraseWords
				if example == "" {
					example, at = strings.Join(s.Words[i:end], " "), b.Section
				}
			}
		}
	}
	return covered, words, example, at
}

func evenParagraphs(f *facts) Finding {
	var lengths []float64
	sum := 0.0
	for _, b := range f.blocks {
		if b.Kind == content.BlockParagraph && b.words > 0 {
			lengths = append(lengths, float64(b.words))
			sum += float64(b.words)
		}
	}
	if len(lengths) < minParagraphs {
		return notApplicable("the text has too few paragraphs to compare their lengths")
	}
	mean, variance := sum/float64(len(lengths)), 0.0
	for _, length := range lengths {
		variance += (length - mean) * (length - mean) / float64(len(lengths))
	}
	if 100*math.Sqrt(variance) < minSpread*mean {
		return fault(6, "all %d paragraphs have about %.0f words; people vary them", len(lengths), mean).
			mend(Target{Part: Whole}, "Vary the length of paragraphs: some of one or two sentences, some longer.")
	}
	return pass(perfect, "the lengths of paragraphs vary")
}

func boldBullets(f *facts) Finding {
	all, bold := 0, 0
	bySection := map[int]int{}
	var items []string
	for _, b := range f.blocks {
		if b.Kind == content.BlockListItem {
			all++
			if b.BoldLed {
				bold++
				items = append(items, b.Text)
				bySection[b.Section]++
			}
		}
	}
	switch {
	case all == 0:
		return notApplicable("the text has no lists")
	case bold >= minBullets && bold*100 >= mostBullets*all:
		return fault(6, "%d of %d list items begin with bold words; write some as sentences", bold, all).
			mend(section(mostIn(bySection)), "Write this section as sentences instead of a list whose items begin with bold words.").
			at(items...)
	default:
		return pass(perfect, "%d of %s with bold words", bold, count(all, "list item begins", "list items begin"))
	}
}

// closingMoral looks for a last paragraph that says in stock words what the article has said already.
func closingMoral(f *facts) Finding {
	list := closingsOf[f.language.Base()]
	if list == nil {
		return notApplicable("no stock closings of the language are known")
	}
	for _, b := range slices.Backward(f.blocks) {
		if b.Kind != content.BlockParagraph || len(b.sentences) == 0 {
			continue
		}
		if phrase := list.prefix(b.sentences[0].Words); phrase != nil {
			begins := strings.Join(phrase, " ")
			words := quote(begins)
			return fault(6, "the last paragraph begins with %s; end with something new for the reader", words).
				mend(section(b.Section),
					"End the article with something new for the reader, not with a summary that begins with %s.", words).
				at(inText(b, begins))
		}
		break
	}
	return pass(perfect, "the last paragraph does not begin as a summary")
}
