package check

import (
	"slices"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/internal/content"
)

// The thresholds of readability that Yoast documents in its "SCORING READABILITY", but for LIX.
const (
	someLongSentences, manyLongSentences   = 25, 30
	maxParagraphWords, farTooLongParagraph = 150, 200
	maxSectionWords, farTooLongSection     = 300, 350
	maxSameBeginnings                      = 2
	// maxLIX is about what a broadsheet newspaper has, and hardLIX what a law has.
	maxLIX, hardLIX = 60, 70
)

func sentenceLength(f *facts) Finding {
	if !f.language.MarksSentences() {
		return notApplicable("the language is not known to mark the end of sentences")
	}
	limit := f.language.SentenceLimit()
	all := 0
	var long []string
	bySection := map[int]int{}
	for _, b := range f.blocks {
		for _, s := range b.sentences {
			all++
			if s.Count > limit {
				long = append(long, s.Text)
				bySection[b.Section]++
			}
		}
	}
	switch {
	case all == 0:
		return notApplicable("the text has no sentences")
	case len(long)*100 <= someLongSentences*all:
		return pass(perfect, "%d of %s more than %d words", len(long), count(all, "sentence has", "sentences have"), limit)
	}
	return fault(partly(len(long)*100 > manyLongSentences*all), "%d of %s more than %d words; at most %d percent should",
		len(long), count(all, "sentence has", "sentences have"), limit, someLongSentences).
		mend(section(mostIn(bySection)), "Write shorter sentences: at most %d words in most of them.", limit).at(long...)
}

// mostIn returns the section with the highest number, the first one of equals.
func mostIn(bySection map[int]int) int {
	best := -1
	for i, n := range bySection {
		if best < 0 || n > bySection[best] || n == bySection[best] && i < best {
			best = i
		}
	}
	return max(best, 0)
}

func paragraphLength(f *facts) Finding {
	longest, at := 0, 0
	var tooLong []string
	for _, b := range f.blocks {
		if b.Kind == content.BlockHeading {
			continue
		}
		if b.words > longest {
			longest, at = b.words, b.Section
		}
		if b.words > maxParagraphWords {
			tooLong = append(tooLong, b.Text)
		}
	}
	if len(tooLong) == 0 {
		return pass(perfect, "the longest paragraph has %d words", longest)
	}
	return fault(partly(longest > farTooLongParagraph), "%s more than %d words, the longest %d",
		count(len(tooLong), "paragraph has", "paragraphs have"), maxParagraphWords, longest).
		mend(section(at), "Divide the paragraphs of more than %d words.", maxParagraphWords).at(tooLong...)
}

// sectionLength looks at what stands between two headings of any level.
func sectionLength(f *facts) Finding {
	longest, at, words, headings := 0, 0, 0, 0
	for _, b := range f.blocks {
		if b.Kind == content.BlockHeading {
			words = 0
			headings++
			continue
		}
		if words += b.words; words > longest {
			longest, at = words, b.Section
		}
	}
	switch {
	case headings == 0 && longest > maxSectionWords:
		return fault(2, "the text has %d words and no headings; there should be one for every %d words", longest, maxSectionWords).
			mend(Target{Part: Whole}, "Divide the text by headings that begin with ##, one for every %d words.", maxSectionWords)
	case longest > maxSectionWords:
		return fault(partly(longest > farTooLongSection),
			"there are %d words without a heading; there should be one for every %d words", longest, maxSectionWords).mend(section(at),
			"Divide this section by headings of the third level, or shorten it to at most %d words.", maxSectionWords)
	default:
		return pass(perfect, "there are at most %d words without a heading", longest)
	}
}

func sentenceBeginnings(f *facts) Finding {
	leading := f.language.Leading()
	if leading == nil {
		return notApplicable("the words that often begin sentences of the language are not known")
	}
	last, begins, at := "", "", 0
	var run, worst []string
	for _, b := range f.blocks {
		if b.Kind == content.BlockListItem || b.Kind == content.BlockCell {
			continue
		}
		for _, s := range b.sentences {
			if len(s.Words) == 0 {
				continue
			}
			if first := beginning(s.Words, leading); first != last {
				last, run = first, nil
			}
			if run = append(run, s.Text); len(run) > len(worst) {
				worst, at, begins = run, b.Section, last
			}
		}
	}
	if len(worst) <= maxSameBeginnings {
		return pass(perfect, "at most %s in a row with the same word", count(len(worst), "sentence begins", "sentences begin"))
	}
	return fault(3, "%d sentences in a row begin with %s; at most %d should", len(worst), quote(begins), maxSameBeginnings).
		mend(section(at), "Do not begin %d sentences in a row with %s.", len(worst), quote(begins)).at(worst...)
}

// beginning is the first word of a sentence, with the second one if the first is an article or the like.
func beginning(words, leading []string) string {
	if len(words) > 1 && slices.Contains(leading, words[0]) {
		return words[0] + " " + words[1]
	}
	return words[0]
}

// longWord is the number of letters over which a word is long.
const longWord = 6

// lix is the number of words in a sentence plus the share, in percent, of words with more than longWord letters.
func lix(f *facts) Finding {
	if !f.language.HasLetterCase() {
		return notApplicable("the length of words says little in the language's script")
	}
	sentences, words, long := 0, 0, 0
	for _, b := range f.blocks {
		if b.Kind == content.BlockHeading {
			continue
		}
		sentences += len(b.sentences)
		words += len(b.tokens)
		for _, word := range b.tokens {
			if utf8.RuneCountInString(word) > longWord {
				long++
			}
		}
	}
	if words == 0 {
		return notApplicable("the text has no sentences")
	}
	value := words/sentences + 100*long/words
	if value <= maxLIX {
		return pass(perfect, "the text has a LIX of %d, of at most %d", value, maxLIX)
	}
	return fault(partly(value > hardLIX),
		"the text has a LIX of %d; it should have at most %d: fewer long words, shorter sentences", value, maxLIX).
		mend(Target{Part: Whole}, "Use shorter words and shorter sentences.")
}
