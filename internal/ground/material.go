package ground

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/ground/figures"
	"github.com/pressroom-dev/pressroom/internal/ground/words"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// place is where something stands in the material.
type place struct{ text, at int }

// Origins of a text that are no source.
const (
	fact  = -1
	known = -2
)

// materialText is a text of the material.
type materialText struct {
	// origin is the index of a source, fact or known.
	origin int
	// text is plain and original as it was, if that is not the same.
	text, original string
}

// index finds what a text claims in the material. It reads the material once, for what the text has.
type index struct {
	material Material
	profile  *language.Profile
	texts    []materialText
	figures  map[figures.Value][]place
	dates    map[figures.Date][]place
	unread   map[string][]place
	// wanted are the words of the names of the text, in small letters.
	wanted map[string][]place
	// sought are the beginnings of all these, and claimed the numbers of the text.
	sought  words.Beginnings
	claimed map[figures.Value]bool
	// rounded is true if the text says of a number that it is rounded.
	rounded bool
	// near are words that begin like wanted ones, by these letters; forms has them by their stems and their shorter forms, once asked for.
	near    map[prefix][]nearWord
	forms   map[string][]place
	formed  map[prefix]bool
	stemmed map[string]string
	// plainly are words without the marks of their letters.
	plainly    map[string][]byte
	readBefore bool
	buf        []byte
	// foreign says which texts are in another language than the document.
	foreign map[int]bool
	// acronyms have the first letters of names, and dotted those that stand alone, as in U.S.; nil until asked for.
	acronyms, dotted map[string][]place
	// sorted are the numbers from 1,000, for those that are rounded.
	sorted                         []sortedValue
	quotes, withoutCode, originals *compacted
	addressIndex
}

type sortedValue struct {
	value float64
	place place
}

// prefix has the first letters of a word.
type prefix [prefixBytes]byte

const prefixBytes = 4

// nearWord is a word with the place where it stands.
type nearWord struct {
	word  string
	place place
}

func newIndex(m Material, p *language.Profile) *index {
	x := &index{
		material: m, profile: p, wanted: map[string][]place{}, near: map[prefix][]nearWord{}, forms: map[string][]place{},
		formed: map[prefix]bool{}, stemmed: map[string]string{}, plainly: map[string][]byte{}, foreign: map[int]bool{},
		claimed: map[figures.Value]bool{}, figures: map[figures.Value][]place{}, dates: map[figures.Date][]place{},
		unread: map[string][]place{},
	}
	add := func(origin int, text string) {
		if text != "" {
			t := materialText{origin: origin, text: plain(text)}
			if t.text != text {
				t.original = text
			}
			x.texts = append(x.texts, t)
		}
	}
	for _, text := range m.Facts {
		add(fact, text)
	}
	for i, s := range m.Sources {
		add(i, s.Text)
		add(i, s.Title)
	}
	for _, text := range m.Known {
		add(known, text)
	}
	return x
}

// want asks for a word of a name.
func (x *index) want(word string) {
	x.wanted[word] = nil
	x.sought.Add(word)
	if plainly := language.PlainLetters(word); plainly != word {
		x.wanted[plainly] = nil
		x.sought.Add(plainly)
	}
	if other, ok := otherNumber(word); ok {
		x.wanted[other] = nil
	}
	if p, ok := prefixOf(word); ok {
		x.near[p] = nil
	}
}

// otherNumber returns the plural of a short word, which may be an acronym, or its singular: APIs are more than one API.
func otherNumber(word string) (string, bool) {
	one, plural := strings.CutSuffix(word, "s")
	if plural {
		return one, len(one) <= maxInitials
	}
	return word + "s", len(word) <= maxInitials
}

func prefixOf(word string) (p prefix, ok bool) {
	return p, copy(p[:], word) == prefixBytes
}

// maxPlaces is how many places of one text are kept for a word or a number.
const maxPlaces = 4

func addPlace(places []place, p place) []place {
	same := 0
	for i := len(places) - 1; i >= 0 && places[i].text == p.text; i-- {
		same++
	}
	if same >= maxPlaces {
		return places
	}
	return append(places, p)
}

// read reads the material.
func (x *index) read(s *figures.Scanner) {
	for i := range x.sought {
		x.sought[i] |= s.Begins[i]
	}
	s.Sought = &x.sought
	for i := range x.texts {
		s.Text = x.texts[i].text
		x.readText(s, i)
	}
}

// readOriginals reads the texts with their markup, for what is not found without: a text may be no Markdown, and look like it. It returns
// false if there are none, or if they were read before.
func (x *index) readOriginals(s *figures.Scanner) bool {
	if x.readBefore {
		return false
	}
	x.readBefore = true
	found := false
	for i, t := range x.texts {
		if t.original != "" {
			s.Text = t.original
			x.readText(s, i)
			found = true
		}
	}
	clear(x.formed)
	clear(x.forms)
	return found
}

func (x *index) readText(s *figures.Scanner, text int) {
	most := len(x.texts[text].text)
	for at := 0; ; {
		it, ok := s.Next(at)
		if !ok {
			return
		}
		at = it.End
		p := place{text: text, at: min(it.Start, most)}
		if it.Figure == nil {
			x.addWord(it.Lower, p)
			if r, n := utf8.DecodeRune(it.Lower); n > 0 && r < 0x250 && !words.IsASCII(s.Text[it.Start:it.End]) {
				x.addWord(x.plainLetters(it.Lower), p)
			}
			continue
		}
		x.addFigure(it.Figure, p)
		if it.Figure.Spelled || it.Figure.IsDate || it.Figure.IsUnit {
			x.addWords(s, &it, p)
		}
	}
}

// plainLetters returns a word without the marks of its letters.
func (x *index) plainLetters(word []byte) []byte {
	plainly, ok := x.plainly[string(word)]
	if !ok {
		plainly = []byte(language.PlainLetters(string(word)))
		x.plainly[string(word)] = plainly
	}
	return plainly
}

// addWords adds the words of a figure: Seven and May are names, too.
func (x *index) addWords(s *figures.Scanner, it *figures.Item, p place) {
	for at := it.Start; at < it.End; {
		if end := words.End(s.Text, at); end > at {
			x.buf = words.AppendLower(x.buf[:0], s.Text[at:end])
			x.addWord(x.buf, p)
			at = end
			continue
		}
		_, n := words.RuneAt(s.Text, at)
		at += n
	}
}

func (x *index) addWord(word []byte, p place) {
	if places, ok := x.wanted[string(word)]; ok {
		x.wanted[string(word)] = addPlace(places, p)
	}
	if len(word) < prefixBytes {
		return
	}
	key := prefix(word)
	if near, ok := x.near[key]; ok {
		for _, have := range near {
			if have.word == string(word) && have.place.text == p.text {
				return
			}
			if len(near) > 64 {
				break
			}
		}
		x.near[key] = append(near, nearWord{word: string(word), place: p})
	}
}

func (x *index) addFigure(f *figures.Figure, p place) {
	if f.Unread != "" {
		x.unread[f.Unread] = addPlace(x.unread[f.Unread], p)
		return
	}
	if !f.IsDate {
		for _, v := range f.Values[:f.Count] {
			x.addValue(v, p)
		}
		return
	}
	for _, d := range f.Dates {
		if d == (figures.Date{}) {
			continue
		}
		for _, part := range []figures.Date{d, {Month: d.Month, Day: d.Day}, {Year: d.Year, Month: d.Month}} {
			x.dates[part] = addPlace(x.dates[part], p)
		}
		for _, n := range []int{d.Year, d.Day} {
			if n > 0 {
				x.addValue(figures.Whole(uint64(n)), p)
			}
		}
	}
}

// roundedFrom is the number from which others are near enough if the text says that it is rounded, and tolerance by how much.
const (
	roundedFrom = 1000
	tolerance   = 0.005
)

func (x *index) addValue(v figures.Value, p place) {
	if x.claimed[v] {
		x.figures[v] = addPlace(x.figures[v], p)
	}
	if !x.rounded {
		return
	}
	if f := v.Float(); f >= roundedFrom*(1-tolerance) {
		x.sorted = append(x.sorted, sortedValue{f, p})
	}
}

// about returns the places of numbers that a rounded one may stand for.
func (x *index) about(v figures.Value) []place {
	if !slices.IsSortedFunc(x.sorted, compareValues) {
		slices.SortStableFunc(x.sorted, compareValues)
	}
	f := v.Float()
	from, _ := slices.BinarySearchFunc(x.sorted, sortedValue{value: f * (1 - tolerance)}, compareValues)
	var found []place
	for i := from; i < len(x.sorted) && x.sorted[i].value <= f*(1+tolerance) && len(found) < 64; i++ {
		found = append(found, x.sorted[i].place)
	}
	return found
}

func compareValues(a, b sortedValue) int {
	switch {
	case a.value < b.value:
		return -1
	case a.value > b.value:
		return 1
	default:
		return 0
	}
}

// formsOf returns the places of a word of a name in other forms.
func (x *index) formsOf(name nameWord) []place {
	word := name.text
	var found []place
	if other, ok := otherNumber(word); ok {
		found = slices.Concat(found, x.wanted[other])
	}
	if plainly := language.PlainLetters(word); plainly != word {
		found = slices.Concat(found, x.wanted[plainly])
	}
	p, ok := prefixOf(word)
	if !ok {
		return found
	}
	if !x.formed[p] {
		x.formed[p] = true
		for _, near := range x.near[p] {
			x.addForms(near)
		}
	}
	stem := x.profile.Stem(word)
	found = slices.Concat(found, x.forms[stem])
	if name.fixed {
		return append(found, x.quotation(word, &sentence{})...)
	}
	found = append(found, x.forms[cutOff+word]...)
	for shorter := range shorterForms(word) {
		found = append(found, x.forms[shorter]...)
	}
	return found
}

// cutOff stands before a word without its last letters.
const cutOff = "~"

func (x *index) addForms(near nearWord) {
	stem := x.profile.Stem(near.word)
	x.forms[near.word] = addPlace(x.forms[near.word], near.place)
	if stem != near.word {
		x.forms[stem] = addPlace(x.forms[stem], near.place)
	}
	for shorter := range shorterForms(near.word) {
		x.forms[cutOff+shorter] = addPlace(x.forms[cutOff+shorter], near.place)
	}
}

const (
	// minForm is the least number of bytes of a shorter form, and maxEnding the most letters that it lacks: Canada and Canadas.
	minForm, maxEnding = 5, 3
)

// shorterForms are a word without its last letters.
func shorterForms(word string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for cut := 0; cut < maxEnding && len(word) > 0; cut++ {
			_, n := utf8.DecodeLastRuneInString(word)
			word = word[:len(word)-n]
			if len(word) < minForm || !yield(word) {
				return
			}
		}
	}
}

// isForeign reports whether a text is in another language than the document: its beginning tells.
func (x *index) isForeign(text int) bool {
	const beginning = 2000
	foreign, known := x.foreign[text]
	if !known {
		t := x.texts[text].text
		foreign = !x.profile.FitsAll([]language.Paragraph{x.profile.Split(cut(t, beginning))}).OK
		x.foreign[text] = foreign
	}
	return foreign
}

// support says what a claim rests on, by the places where the material has it.
func (x *index) support(s *sentence, places []place) (Result, place) {
	best, rank := place{}, 0
	for _, p := range places {
		if r := x.rank(s, x.texts[p.text].origin); r > rank {
			best, rank = p, r
		}
	}
	switch {
	case rank == 0:
		return Unsupported, place{}
	case rank == rankOther && len(s.cited) > 0:
		return WrongSource, best
	default:
		return Supported, best
	}
}

const (
	rankOther = 1 + iota
	rankKnown
	rankFact
	rankCited
)

func (x *index) rank(s *sentence, origin int) int {
	switch {
	case origin == fact:
		return rankFact
	case origin == known:
		return rankKnown
	case slices.Contains(s.cited, origin):
		return rankCited
	case len(s.cited) == 0:
		return rankFact
	default:
		return rankOther
	}
}

// maxPassage bounds passages, in characters.
const maxPassage = 300

// cite fills in the source and the passage of a place.
func (x *index) cite(c *Claim, p place) {
	t := x.texts[p.text]
	if t.origin == known {
		return
	}
	if t.origin >= 0 {
		c.Source = x.material.Sources[t.origin].Name
	}
	c.Passage = passageAt(t.text, p.at)
}

// passageAt returns the sentence around an index, or what stands around it in a long one.
func passageAt(text string, at int) string {
	from, to := sentenceAround(text, at)
	passage := cut(text[from:to], maxPassage)
	if strings.ContainsAny(passage, "\n\t") {
		return content.Label(passage)
	}
	return strings.TrimSpace(passage)
}

// sentenceAround returns where the sentence around an index begins and ends; it looks at no more than a passage on each side.
func sentenceAround(text string, at int) (from, to int) {
	const around = maxPassage / 2
	from = at
	for n := 0; from > 0 && n < around; n++ {
		r := words.RuneBefore(text, from)
		if r == '\n' || (r == ' ' && from > 1 && strings.IndexByte(".!?", text[from-2]) >= 0) || r == '。' {
			break
		}
		from -= len(string(r))
	}
	to = at
	for n := 0; to < len(text) && n < around; n++ {
		r, size := words.RuneAt(text, to)
		if r == '\n' {
			break
		}
		to += size
		if next, _ := words.RuneAt(text, to); strings.ContainsRune(".!?", r) && words.IsBlank(next) || r == '。' {
			break
		}
	}
	return max(from, 0), to
}

// cut returns at most so many characters of a text, with an ellipsis if it is longer.
func cut(text string, chars int) string {
	if len(text) <= chars {
		return text
	}
	n := 0
	last := 0
	for i := range text {
		if n == chars-1 {
			last = i
		}
		if n == chars {
			return strings.TrimSpace(text[:last]) + "…"
		}
		n++
	}
	return text
}
