package ground

import (
	"embed"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/internal/embedded"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// wordFiles have the words of each language, in a file by the base of its tag:
//
//	numbers            words for numbers by their values
//	joiners            stand between such words; with joinsTens also between tens and ones, as in "vinte e cinco"
//	joinsNumbers       words for numbers are written without blanks, as in "einundzwanzig"
//	powers             words for powers of ten, by the exponent
//	suffixes           letters behind digits that stand for powers of ten
//	percent            words for "per cent"
//	ordinals           letters behind digits that make them ordinal
//	ordinalWords       such numbers in words, by their values
//	dozens             multiply a number in words by twelve
//	months, weekdays   with usual abbreviations; dates are words between a day and its month
//	hedges             stand before a rounded number
//	parts              stand before the number of a part of the text, such as a step
//	known              words with capitals that name nothing
//	nounsHaveCapitals  capitals tell no names
//	study              who and say make a phrase such as "experts say", but not behind a word of named; phrases are whole ones
//
//go:embed words/*.yaml
var wordFiles embed.FS

// wordFile is such a file.
type wordFile struct {
	NounsHaveCapitals bool           `json:"nounsHaveCapitals"`
	JoinsNumbers      bool           `json:"joinsNumbers"`
	JoinsTens         bool           `json:"joinsTens"`
	Numbers           map[string]int `json:"numbers"`
	Joiners           []string       `json:"joiners"`
	Powers            map[string]int `json:"powers"`
	Suffixes          map[string]int `json:"suffixes"`
	Percent           []string       `json:"percent"`
	Ordinals          []string       `json:"ordinals"`
	OrdinalWords      map[string]int `json:"ordinalWords"`
	Dozens            []string       `json:"dozens"`
	Months            [][]string     `json:"months"`
	Dates             []string       `json:"dates"`
	Weekdays          []string       `json:"weekdays"`
	Hedges            []string       `json:"hedges"`
	Parts             []string       `json:"parts"`
	Known             []string       `json:"known"`
	Study             struct {
		Who     []string `json:"who"`
		Say     []string `json:"say"`
		Named   []string `json:"named"`
		Phrases []string `json:"phrases"`
	} `json:"study"`
}

// marks say what a word is.
type marks uint16

const (
	isNumber marks = 1 << iota
	isPower
	isJoiner
	isMonth
	isDateWord
	isPart
	isKnown
	isWho
	isSay
	// isDefinite stands before a study that the text has named before.
	isDefinite
	// isDozen multiplies by twelve.
	isDozen
	// isForeign is a word for a number that is no claim: of another language than the text's, or an ordinal. Sources may have it.
	isForeign
)

// word is what is known of a word, in small letters.
type word struct {
	marks marks
	// number is the value of a word for a number.
	number uint16
	// power and otherPower are exponents of ten: a billion is not the same in all languages.
	power, otherPower uint8
	// month is 1 to 12.
	month uint8
}

// lexicon has the words of a language, and what is known of English: sources are often in English.
type lexicon struct {
	joinsNumbers, joinsTens, nounsHaveCapitals bool
	words                                      map[string]word
	suffixes, ordinals                         map[string]int
	percent, hedges, studies                   phrases
	// begins are the beginnings of words that matter for numbers and dates, numberBegins those of words for numbers, and studyBegins those of
	// words that begin a phrase about studies.
	begins, numberBegins, studyBegins beginnings
}

// lexicons by the base of the language's tag. The one of "" is for languages without a file.
var lexicons = readLexicons()

func readLexicons() map[string]*lexicon {
	files := map[string]wordFile{"": {}}
	for name := range embedded.MustTexts(wordFiles, "words/*.yaml") {
		files[strings.TrimSuffix(path.Base(name), ".yaml")] = embedded.MustYAML[wordFile](wordFiles, name)
	}
	all := map[string]*lexicon{}
	for base, file := range files {
		l := newLexicon(file)
		if base != "en" {
			l.addEnglish(newLexicon(files["en"]))
		}
		for text, w := range l.words {
			if w.marks&(isNumber|isPower|isDozen|isMonth) != 0 {
				l.begins.add(text)
				l.numberBegins.add(text)
			}
			if w.marks&isWho != 0 {
				l.studyBegins.add(text)
			}
		}
		for first := range l.studies {
			l.studyBegins.add(first)
		}
		all[base] = l
	}
	return all
}

// lexiconOf returns the lexicon for a language.
func lexiconOf(p *language.Profile) *lexicon {
	if l, ok := lexicons[p.Base()]; ok {
		return l
	}
	return lexicons[""]
}

func newLexicon(f wordFile) *lexicon {
	l := &lexicon{
		joinsNumbers: f.JoinsNumbers, joinsTens: f.JoinsTens, nounsHaveCapitals: f.NounsHaveCapitals,
		words: map[string]word{}, suffixes: map[string]int{}, ordinals: map[string]int{},
		percent: phrases{}, hedges: phrases{}, studies: phrases{},
	}
	for text, n := range f.Numbers {
		l.mark(text, word{marks: isNumber, number: uint16(n)}) //nolint:gosec // Below 1,000.
	}
	for text, n := range f.OrdinalWords {
		if _, also := f.Numbers[text]; !also {
			l.mark(text, word{marks: isNumber | isForeign, number: uint16(n)}) //nolint:gosec // Below 100.
		}
	}
	l.markAll(f.Dozens, word{marks: isDozen})
	for text, n := range f.Powers {
		l.mark(text, word{marks: isPower, power: uint8(n)}) //nolint:gosec // Below 20.
	}
	for i, names := range f.Months {
		l.markAll(names, word{marks: isMonth | isKnown, month: uint8(i + 1)})
	}
	l.markAll(f.Joiners, word{marks: isJoiner})
	l.markAll(f.Dates, word{marks: isDateWord})
	l.markAll(f.Weekdays, word{marks: isKnown})
	l.markAll(f.Parts, word{marks: isPart})
	l.markAll(f.Known, word{marks: isKnown})
	l.markAll(f.Study.Who, word{marks: isWho})
	l.markAll(f.Study.Say, word{marks: isSay})
	l.markAll(f.Study.Named, word{marks: isDefinite})
	maps.Copy(l.suffixes, f.Suffixes)
	for _, letters := range f.Ordinals {
		l.ordinals[letters] = 0
	}
	l.percent.add(f.Percent)
	l.hedges.add(f.Hedges)
	l.studies.add(f.Study.Phrases)
	return l
}

// markAll marks words. Of a name of several words, such as segunda-feira, each is marked.
func (l *lexicon) markAll(texts []string, as word) {
	for _, text := range texts {
		for _, part := range words(text) {
			l.mark(part, as)
		}
	}
}

func (l *lexicon) mark(text string, as word) {
	text = clean(text)
	w := l.words[text]
	w.marks |= as.marks
	w.number += as.number
	w.power += as.power
	w.month = max(w.month, as.month)
	l.words[text] = w
}

// addEnglish adds the numbers and the months of English to those of another language, whose own words count first.
func (l *lexicon) addEnglish(english *lexicon) {
	for text, more := range english.words {
		w, own := l.words[text]
		switch {
		case !own:
			w = more
			w.marks &^= isJoiner | isWho | isSay | isPart | isDefinite | isDateWord
			if more.marks&isNumber != 0 {
				w.marks |= isForeign
			}
		case w.marks&isPower != 0 && more.marks&isPower != 0 && w.power != more.power:
			w.otherPower = more.power
		}
		if w.marks != 0 {
			l.words[text] = w
		}
	}
	for letters, power := range english.suffixes {
		if _, own := l.suffixes[letters]; !own {
			l.suffixes[letters] = power
		}
	}
	for letters := range english.ordinals {
		l.ordinals[letters] = 0
	}
	for first, all := range english.percent {
		l.percent[first] = append(l.percent[first], all...)
	}
}

// beginnings are a filter for words by their first three letters: most words of a text are not looked up. It ignores case, and lets all
// words pass that are not ASCII.
type beginnings [1 << 15 / 64]uint64

// beginningBytes is how many letters that are.
const beginningBytes = 3

func beginningOf(word string) (index uint, ok bool) {
	for i := range min(len(word), beginningBytes) {
		if word[i] >= utf8.RuneSelf {
			return 0, false
		}
		index |= uint(word[i]&31) << (5 * i)
	}
	return index, true
}

func (b *beginnings) add(word string) {
	if i, ok := beginningOf(word); ok {
		b[i/64] |= 1 << (i % 64)
	}
}

func (b *beginnings) has(word string) bool {
	i, ok := beginningOf(word)
	return !ok || b[i/64]&(1<<(i%64)) != 0
}

// phrases are runs of words by their first word.
type phrases map[string][][]string

func (p phrases) add(texts []string) {
	for _, text := range texts {
		run := words(text)
		p[run[0]] = append(p[run[0]], run)
	}
}

// prefix returns how many words at the beginning of a run are a phrase; 0 if none is. Of several, the longest counts.
func (p phrases) prefix(run []string) int {
	if len(run) == 0 {
		return 0
	}
	longest := 0
	for _, phrase := range p[run[0]] {
		if len(phrase) > longest && len(phrase) <= len(run) && slices.Equal(phrase, run[:len(phrase)]) {
			longest = len(phrase)
		}
	}
	return longest
}

// suffix reports whether a phrase ends a run of words.
func (p phrases) suffix(run []string) bool {
	for i := range run {
		if n := p.prefix(run[i:]); n == len(run)-i {
			return true
		}
	}
	return false
}
