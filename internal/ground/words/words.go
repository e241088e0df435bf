package words

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
//go:embed languages/*.yaml
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

// Marks say what a word is.
type Marks uint16

// The marks, by the lists of the files.
const (
	IsNumber Marks = 1 << iota
	IsPower
	IsJoiner
	IsMonth
	IsDateWord
	IsPart
	IsKnown
	IsWho
	IsSay
	// IsDefinite stands before a study that the text has named before.
	IsDefinite
	// IsDozen multiplies by twelve.
	IsDozen
	// IsForeign is a word for a number that is no claim: of another language than the text's, or an ordinal. Sources may have it.
	IsForeign
)

// Entry is what is known of a word, in small letters.
type Entry struct {
	Marks Marks
	// Number is the value of a word for a number.
	Number uint16
	// Power and OtherPower are exponents of ten: a billion is not the same in all languages.
	Power, OtherPower uint8
	// Month is 1 to 12.
	Month uint8
}

// Lexicon has the words of a language, and what is known of English: sources are often in English.
type Lexicon struct {
	JoinsNumbers, JoinsTens, NounsHaveCapitals bool
	Words                                      map[string]Entry
	Suffixes, Ordinals                         map[string]int
	Percent, Hedges, Studies                   Phrases
	// Begins are the beginnings of words that matter for numbers and dates, NumberBegins those of words for numbers, and StudyBegins those
	// of words that begin a phrase about studies.
	Begins, NumberBegins, StudyBegins Beginnings
}

// lexicons by the base of the language's tag. The one of "" is for languages without a file.
var lexicons = readLexicons()

func readLexicons() map[string]*Lexicon {
	files := map[string]wordFile{"": {}}
	for name := range embedded.MustTexts(wordFiles, "languages/*.yaml") {
		files[strings.TrimSuffix(path.Base(name), ".yaml")] = embedded.MustYAML[wordFile](wordFiles, name)
	}
	all := map[string]*Lexicon{}
	for base, file := range files {
		l := newLexicon(file)
		if base != "en" {
			l.addEnglish(newLexicon(files["en"]))
		}
		for text, w := range l.Words {
			if w.Marks&(IsNumber|IsPower|IsDozen|IsMonth) != 0 {
				l.Begins.Add(text)
				l.NumberBegins.Add(text)
			}
			if w.Marks&IsWho != 0 {
				l.StudyBegins.Add(text)
			}
		}
		for first := range l.Studies {
			l.StudyBegins.Add(first)
		}
		all[base] = l
	}
	return all
}

// For returns the lexicon for a language.
func For(p *language.Profile) *Lexicon {
	if l, ok := lexicons[p.Base()]; ok {
		return l
	}
	return lexicons[""]
}

func newLexicon(f wordFile) *Lexicon {
	l := &Lexicon{
		JoinsNumbers: f.JoinsNumbers, JoinsTens: f.JoinsTens, NounsHaveCapitals: f.NounsHaveCapitals,
		Words: map[string]Entry{}, Suffixes: map[string]int{}, Ordinals: map[string]int{},
		Percent: Phrases{}, Hedges: Phrases{}, Studies: Phrases{},
	}
	for text, n := range f.Numbers {
		l.mark(text, Entry{Marks: IsNumber, Number: uint16(n)}) //nolint:gosec // Below 1,000.
	}
	for text, n := range f.OrdinalWords {
		if _, also := f.Numbers[text]; !also {
			l.mark(text, Entry{Marks: IsNumber | IsForeign, Number: uint16(n)}) //nolint:gosec // Below 100.
		}
	}
	l.markAll(f.Dozens, Entry{Marks: IsDozen})
	for text, n := range f.Powers {
		l.mark(text, Entry{Marks: IsPower, Power: uint8(n)}) //nolint:gosec // Below 20.
	}
	for i, names := range f.Months {
		l.markAll(names, Entry{Marks: IsMonth | IsKnown, Month: uint8(i + 1)})
	}
	l.markAll(f.Joiners, Entry{Marks: IsJoiner})
	l.markAll(f.Dates, Entry{Marks: IsDateWord})
	l.markAll(f.Weekdays, Entry{Marks: IsKnown})
	l.markAll(f.Parts, Entry{Marks: IsPart})
	l.markAll(f.Known, Entry{Marks: IsKnown})
	l.markAll(f.Study.Who, Entry{Marks: IsWho})
	l.markAll(f.Study.Say, Entry{Marks: IsSay})
	l.markAll(f.Study.Named, Entry{Marks: IsDefinite})
	maps.Copy(l.Suffixes, f.Suffixes)
	for _, letters := range f.Ordinals {
		l.Ordinals[letters] = 0
	}
	l.Percent.Add(f.Percent)
	l.Hedges.Add(f.Hedges)
	l.Studies.Add(f.Study.Phrases)
	return l
}

// markAll marks words. Of a name of several words, such as segunda-feira, each is marked.
func (l *Lexicon) markAll(texts []string, as Entry) {
	for _, text := range texts {
		for _, part := range Of(text) {
			l.mark(part, as)
		}
	}
}

func (l *Lexicon) mark(text string, as Entry) {
	text = Clean(text)
	w := l.Words[text]
	w.Marks |= as.Marks
	w.Number += as.Number
	w.Power += as.Power
	w.Month = max(w.Month, as.Month)
	l.Words[text] = w
}

// addEnglish adds the numbers and the months of English to those of another language, whose own words count first.
func (l *Lexicon) addEnglish(english *Lexicon) {
	for text, more := range english.Words {
		w, own := l.Words[text]
		switch {
		case !own:
			w = more
			w.Marks &^= IsJoiner | IsWho | IsSay | IsPart | IsDefinite | IsDateWord
			if more.Marks&IsNumber != 0 {
				w.Marks |= IsForeign
			}
		case w.Marks&IsPower != 0 && more.Marks&IsPower != 0 && w.Power != more.Power:
			w.OtherPower = more.Power
		}
		if w.Marks != 0 {
			l.Words[text] = w
		}
	}
	for letters, power := range english.Suffixes {
		if _, own := l.Suffixes[letters]; !own {
			l.Suffixes[letters] = power
		}
	}
	for letters := range english.Ordinals {
		l.Ordinals[letters] = 0
	}
	for first, all := range english.Percent {
		l.Percent[first] = append(l.Percent[first], all...)
	}
}

// Beginnings are a filter for words by their first three letters: most words of a text are not looked up. It ignores case, and lets all
// Words pass that are not ASCII.
type Beginnings [1 << 15 / 64]uint64

// BeginningBytes is how many letters that are.
const BeginningBytes = 3

func beginningOf(word string) (index uint, ok bool) {
	for i := range min(len(word), BeginningBytes) {
		if word[i] >= utf8.RuneSelf {
			return 0, false
		}
		index |= uint(word[i]&31) << (5 * i)
	}
	return index, true
}

// Add adds the beginning of a word.
func (b *Beginnings) Add(word string) {
	if i, ok := beginningOf(word); ok {
		b[i/64] |= 1 << (i % 64)
	}
}

// Has reports whether a word begins as one that was added, or is not of ASCII letters.
func (b *Beginnings) Has(word string) bool {
	i, ok := beginningOf(word)
	return !ok || b[i/64]&(1<<(i%64)) != 0
}

// Phrases are runs of words by their first word.
type Phrases map[string][][]string

// Add adds phrases.
func (p Phrases) Add(texts []string) {
	for _, text := range texts {
		run := Of(text)
		p[run[0]] = append(p[run[0]], run)
	}
}

// Prefix returns how many words at the beginning of a run are a phrase; 0 if none is. Of several, the longest counts.
func (p Phrases) Prefix(run []string) int {
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

// Suffix reports whether a phrase ends a run of words.
func (p Phrases) Suffix(run []string) bool {
	for i := range run {
		if n := p.Prefix(run[i:]); n == len(run)-i {
			return true
		}
	}
	return false
}
