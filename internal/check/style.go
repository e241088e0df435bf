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
	maxRepeated, mostlyRepeated = 80, 200
	// minParagraphs have lengths whose spread says something: the standard deviation in percent of the mean.
	minParagraphs, minSpread = 10, 18
	// minBullets begin with bold words, and mostBullets percent of all do.
	minBullets, mostBullets = 12, 80
)

func stockPhrases(f *facts) outcome {
	index, known := stockIndexes()[f.language.Base()]
	if !known {
		return notApplicable("no stock phrases of the language are known")
	}
	n, example := 0, ""
	bySection := map[int]int{}
	for _, b := range f.blocks {
		for _, s := range b.sentences {
			for _, phrase := range index.find(s.tokens) {
				n++
				bySection[b.Section]++
				if example == "" {
					example = phrase
				}
			}
		}
	}
	perThousand := 1000 * n / max(f.words, 1)
	if n < fewStock || perThousand <= maxStock {
		return pass(perfect, "the text has %s", count(n, "stock phrase", "stock phrases"))
	}
	points := 6
	if perThousand > farTooMuchStock {
		points = 3
	}
	return fault(points, "the text has %d stock phrases such as %s, %d for each 1000 words; it should have at most %d",
		n, quote(example), perThousand, maxStock).
		mend(section(mostIn(bySection)), "Replace stock phrases such as %s by what they stand for, or leave them out.", quote(example))
}

func repeatedPhrases(f *facts) outcome {
	if f.words < 100 {
		return notApplicable("the text is too short to repeat itself")
	}
	covered, words, example, at := repeated(f.blocks)
	perThousand := 1000 * covered / max(words, 1)
	if perThousand <= maxRepeated {
		return pass(perfect, "%d of 1000 words are in phrases that occur %d times", perThousand, phraseTimes)
	}
	points := 6
	if perThousand > mostlyRepeated {
		points = 3
	}
	return fault(points, "%d of 1000 words are in phrases that occur %d times or more, such as %s; at most %d should be", perThousand,
		phraseTimes, quote(example), maxRepeated).mend(section(at), "Do not repeat phrases such as %s.", quote(example))
}

// repeated counts the words that are in phrases of 5 words that occur 3 times.
func repeated(blocks []block) (covered, words int, example string, at int) {
	all := phrases(blocks)
	counts := make(map[uint64]int, len(all))
	for _, p := range all {
		counts[p.key]++
	}
	end := 0
	for _, p := range all {
		if p.start == 0 {
			end = 0
		}
		if counts[p.key] < phraseTimes {
			continue
		}
		covered += p.start + phraseWords - max(end, p.start)
		end = p.start + phraseWords
		if example == "" {
			example, at = strings.Join(p.words, " "), p.section
		}
	}
	for _, b := range blocks {
		for _, s := range b.sentences {
			words += len(s.tokens)
		}
	}
	return covered, words, example, at
}

// phrase is a run of 5 words in a sentence, with a number that is the same for the same words.
type phrase struct {
	words          []string
	start, section int
	key            uint64
}

func phrases(blocks []block) []phrase {
	// A prime near 2^64 divided by the golden ratio spreads the numbers of words.
	const spread = 0x9E3779B97F4A7C55
	ids := map[string]uint64{}
	var all []phrase
	for _, b := range blocks {
		for _, s := range b.sentences {
			numbers := make([]uint64, len(s.tokens))
			for i, token := range s.tokens {
				if ids[token] == 0 {
					ids[token] = uint64(len(ids)) + 1
				}
				numbers[i] = ids[token]
			}
			for i := 0; i+phraseWords <= len(numbers); i++ {
				p := phrase{words: s.tokens[i : i+phraseWords], start: i, section: b.Section}
				for _, number := range numbers[i : i+phraseWords] {
					p.key = (p.key ^ number) * spread
				}
				all = append(all, p)
			}
		}
	}
	return all
}

func evenParagraphs(f *facts) outcome {
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

func boldBullets(f *facts) outcome {
	all, bold := 0, 0
	bySection := map[int]int{}
	for _, b := range f.blocks {
		if b.Kind == content.BlockListItem {
			all++
			if b.BoldLed {
				bold++
				bySection[b.Section]++
			}
		}
	}
	switch {
	case all == 0:
		return notApplicable("the text has no lists")
	case bold >= minBullets && bold*100 >= mostBullets*all:
		return fault(6, "%d of %d list items begin with bold words; write some as sentences", bold, all).
			mend(section(mostIn(bySection)), "Write this section as sentences instead of a list whose items begin with bold words.")
	default:
		return pass(perfect, "%d of %s with bold words", bold, count(all, "list item begins", "list items begin"))
	}
}

// closingMoral looks for a last paragraph that says in stock words what the article has said already.
func closingMoral(f *facts) outcome {
	index, known := closingIndexes()[f.language.Base()]
	if !known {
		return notApplicable("no stock closings of the language are known")
	}
	for _, b := range slices.Backward(f.blocks) {
		if b.Kind != content.BlockParagraph || len(b.sentences) == 0 {
			continue
		}
		if phrase := index.begins(b.sentences[0].tokens); phrase != "" {
			return fault(6, "the last paragraph begins with %s; end with something new for the reader", quote(phrase)).
				mend(section(b.Section), "End the article with something new for the reader, not with a summary that begins with %s.",
					quote(phrase))
		}
		break
	}
	return pass(perfect, "the last paragraph does not begin as a summary")
}
