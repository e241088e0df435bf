// Package figures reads the numbers and the dates of a text, as people write them: in the digits of any script, with the separators of any
// locale, and in words.
package figures

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/internal/ground/words"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// Figure is a number or a date in a text.
type Figure struct {
	// Start and end are indexes into the text, with the unit.
	Start, End int
	// Values are the readings of a number, the first that of the text's locale: a source may be of another.
	Values  [maxReadings]Value
	Count   int
	own     int
	Dates   [2]Date
	IsDate  bool
	Unread  string
	Percent bool
	// IsUnit is true if letters follow the digits.
	IsUnit bool
	Money  bool
	// Spelled is a number in words.
	Spelled bool
	// Vague is a word such as "thousands" alone, or a small number in words.
	Vague bool
	// InWord is true for digits behind a hyphen, as in COVID-19.
	InWord bool
	// Bracketed is a number between brackets, as that of a reference.
	Bracketed bool
	// until is the year before a hyphen; 0 if there is none.
	until int
}

const maxReadings = 6

// Date of the Gregorian calendar; 0 is unknown.
type Date struct{ Year, Month, Day int }

func (f *Figure) add(v Value) {
	if slices.Contains(f.Values[:f.Count], v) {
		return
	}
	if f.Count < maxReadings {
		f.Values[f.Count] = v
		f.Count++
	}
}

// Meant are the readings that the text's author means: all others are those that a source of another locale may mean.
func (f *Figure) Meant() []Value { return f.Values[:f.own] }

// IsYear reports whether a number may be a year.
func (f *Figure) IsYear() bool {
	n, ok := f.Values[0].Integer()
	return f.Count > 0 && ok && n >= 1000 && n < 2200 && !f.Percent && !f.Money && !f.Spelled
}

// Scanner finds the words and the figures of a text. A scanner must not be used by several goroutines.
type Scanner struct {
	// Text is clean, as words.Clean returns it.
	Text string
	*words.Lexicon
	separators
	// StartsWithMonth is true if dates may begin with the month and the day, as in English.
	StartsWithMonth bool
	// Sought are the beginnings of the words that matter; nil if all do.
	Sought *words.Beginnings
	buf    []byte
	found  Figure
}

// NewScanner returns a scanner for texts in the language of a BCP 47 tag.
func NewScanner(tag string) Scanner {
	profile := language.For(tag)
	base := profile.Base()
	return Scanner{Lexicon: words.For(profile), separators: separatorsOf(tag), StartsWithMonth: base == "en" || base == ""}
}

// Item is a word or a figure.
type Item struct {
	Start, End int
	// Lower is the word in small letters, until the next call. It is nil for a figure.
	Lower []byte
	// Figure is nil for a word. It is valid until the next call.
	Figure *Figure
}

// Next returns the word or figure at or behind an index; false if there is none.
func (s *Scanner) Next(at int) (Item, bool) {
	for at < len(s.Text) {
		c := s.Text[at]
		if c < utf8.RuneSelf && words.Class[c] == 0 {
			at++
			continue
		}
		if end := s.unsought(at); end > at {
			at = end
			continue
		}
		r, n := words.RuneAt(s.Text, at)
		if _, ok := words.DigitValue(r); ok {
			s.found = s.number(at)
			return Item{Start: s.found.Start, End: s.found.End, Figure: &s.found}, true
		}
		if end := words.End(s.Text, at); end > at {
			return s.word(at, end), true
		}
		at += n
	}
	return Item{}, false
}

// unsought returns the end of the word at an index if it is one of ASCII letters that does not matter; else the index itself.
func (s *Scanner) unsought(at int) int {
	if s.Sought == nil || words.Class[s.Text[at]&0x7f] == words.Digit {
		return at
	}
	begins, letters := uint(0), 0
	end := at
	for ; end < len(s.Text); end++ {
		c := s.Text[end]
		if c >= utf8.RuneSelf {
			return at
		}
		if words.Class[c] == 0 {
			break
		}
		if letters < words.BeginningBytes {
			begins |= uint(c&31) << (5 * letters)
			letters++
		}
	}
	if s.Sought[begins/64]&(1<<(begins%64)) != 0 {
		return at
	}
	return end
}

func (s *Scanner) word(at, end int) Item {
	text := s.Text[at:end]
	if !s.Begins.Has(text) {
		s.buf = words.AppendLower(s.buf[:0], text)
		return Item{Start: at, End: end, Lower: s.buf}
	}
	s.buf = words.AppendLower(s.buf[:0], s.Text[at:end])
	w := s.Words[string(s.buf)]
	if w.Marks&words.IsMonth != 0 {
		if f, ok := s.monthFirst(at, end, int(w.Month)); ok {
			s.found = f
			return Item{Start: at, End: f.End, Figure: &s.found}
		}
	}
	if w.Marks&(words.IsNumber|words.IsPower|words.IsDozen) != 0 || s.JoinsNumbers && len(s.buf) >= 6 && s.NumberBegins.Has(text) {
		if f, ok := s.spelled(at, end); ok {
			s.found = f
			return Item{Start: at, End: f.End, Figure: &s.found}
		}
		s.buf = words.AppendLower(s.buf[:0], s.Text[at:end])
	}
	return Item{Start: at, End: end, Lower: s.buf}
}

// group is a run of digits.
type group struct {
	start, end, digits int
	// separator before it.
	separator rune
}

// maxGroups is the most groups of digits that are read as one number.
const maxGroups = 12

// number reads the number that begins with a digit.
func (s *Scanner) number(at int) Figure {
	f := Figure{Start: at}
	var array [maxGroups]group
	groups := s.groups(at, array[:0])
	f.End = groups[len(groups)-1].end
	before := words.RuneBefore(s.Text, at)
	sign := strings.TrimRight(s.Text[max(0, at-8):at], " \u00A0")
	f.Money = unicode.Is(unicode.Sc, words.RuneBefore(sign, len(sign)))
	f.InWord = before == '-' && at > 1 && unicode.IsLetter(words.RuneBefore(s.Text, at-1))
	f.until = s.yearBefore(at)
	f.Bracketed = before == '[' && f.End < len(s.Text) && s.Text[f.End] == ']'
	if s.numericDate(&f, groups) || s.dayFirst(&f, groups) {
		return f
	}
	s.readings(&f, groups)
	if f.Count == 0 {
		f.Unread = plainDigits(s.Text[at:f.End])
		return f
	}
	s.unit(&f)
	return f
}

// yearBefore returns the year before a hyphen or a dash; 0 if there is none.
func (s *Scanner) yearBefore(at int) int {
	const digits = 4
	around := s.Text[max(0, at-12):at]
	before := strings.TrimRight(around, "-– ")
	if !strings.ContainsAny(around[len(before):], "-–") || len(before) < digits {
		return 0
	}
	if len(before) > digits && words.Class[before[len(before)-digits-1]&0x7f] == words.Digit {
		return 0
	}
	n, err := strconv.Atoi(before[len(before)-digits:])
	if err != nil || n < 1000 {
		return 0
	}
	return n
}

// groups returns the groups of digits of a number. A blank separates groups only if the locale has it, and three digits follow.
func (s *Scanner) groups(at int, groups []group) []group {
	separator := rune(0)
	for len(groups) < maxGroups {
		g := group{start: at, end: at, separator: separator}
		for g.end < len(s.Text) {
			r, n := words.RuneAt(s.Text, g.end)
			if _, ok := words.DigitValue(r); !ok {
				break
			}
			g.end += n
			g.digits++
		}
		groups = append(groups, g)
		sep, n := separatorAt(s.Text, g.end)
		switch {
		case n == 0:
			return groups
		case sep == ' ' && !s.blankGroups(groups, g.end+n):
			return groups
		case sep == '-' || sep == '/' || sep == ':':
			if len(groups) > 1 && groups[1].separator != sep || !s.continues(sep, groups, g.end+n) {
				return groups
			}
		case len(groups) > 1 && strings.ContainsRune("-/:", groups[1].separator):
			return groups
		}
		separator, at = sep, g.end+n
	}
	return groups
}

// blankGroups reports whether a blank is between groups of three digits.
func (s *Scanner) blankGroups(groups []group, next int) bool {
	if s.group != ' ' || groups[0].digits > 3 || len(groups) > 1 && groups[1].separator != ' ' {
		return false
	}
	return s.digitsAt(next) == 3
}

// digitsAt counts digits, at most 5.
func (s *Scanner) digitsAt(at int) int {
	count := 0
	for count < 5 {
		r, n := words.RuneAt(s.Text, at)
		if _, ok := words.DigitValue(r); !ok {
			break
		}
		at += n
		count++
	}
	return count
}

// continues reports whether a hyphen, a stroke or a colon is within a date or a time of day: of all others, each number is one of its own.
func (s *Scanner) continues(sep rune, groups []group, next int) bool {
	digits := s.digitsAt(next)
	if sep == ':' {
		return groups[0].digits <= 2 && digits == 2
	}
	if len(groups) == 2 {
		return digits == 2 || digits == 4 || digits == 1
	}
	first := groups[0].digits
	return (first == 4 || first <= 2) && digits <= 2 && s.hasThird(sep, first, digits, next)
}

// hasThird reports whether a third group of digits makes a date, as in 2024-03-12 and 12/3/2024.
func (s *Scanner) hasThird(sep rune, first, digits, at int) bool {
	for range digits {
		_, n := words.RuneAt(s.Text, at)
		at += n
	}
	third, n := separatorAt(s.Text, at)
	if n == 0 || third != sep {
		return false
	}
	after := s.digitsAt(at + n)
	return after == 4 || first == 4 && after <= 2 || sep == '/' && after == 2
}

// numericDate reads dates such as 2024-03-12, 12.3.2024 and 3/12/2024.
func (s *Scanner) numericDate(f *Figure, groups []group) bool {
	if len(groups) != 3 || groups[1].separator != groups[2].separator || !strings.ContainsRune("-/.", groups[1].separator) {
		return false
	}
	var n [3]int
	for i, g := range groups {
		if g.digits > 4 {
			return false
		}
		n[i], _ = newValue(s.Text[g.start:g.end], "").Integer()
	}
	// What comes first is the year, the day or the month: of the last two, both may be.
	read := []Date{{n[2], n[1], n[0]}, {n[2], n[0], n[1]}}
	switch {
	case groups[0].digits == 4:
		read = []Date{{n[0], n[1], n[2]}}
	case groups[2].digits != 4 && (groups[2].digits != 2 || groups[1].separator != '/'):
		return false
	}
	read = slices.DeleteFunc(read, func(d Date) bool { return !isDay(d.Day) || d.Month < 1 || d.Month > 12 })
	f.IsDate = copy(f.Dates[:], slices.Compact(read)) > 0
	return f.IsDate
}

func isDay(n int) bool { return n >= 1 && n <= 31 }

// dayFirst reads dates such as 12 March 2024, 3rd of May and 3. Mai.
func (s *Scanner) dayFirst(f *Figure, groups []group) bool {
	day, ok := newValue(s.Text[groups[0].start:groups[0].end], "").Integer()
	if len(groups) != 1 || groups[0].digits > 2 || !ok || !isDay(day) {
		return false
	}
	at := s.afterOrdinal(f.End)
	if r, n := words.RuneAt(s.Text, at); r == '.' {
		at += n
	}
	for range 3 {
		start := words.SkipBlanks(s.Text, at)
		end := words.End(s.Text, start)
		if start == at || end == start {
			return false
		}
		w := s.wordOf(start, end)
		if w.Marks&words.IsMonth != 0 {
			f.Dates[0] = Date{Month: int(w.Month), Day: day}
			f.IsDate = true
			f.End = end
			s.year(f)
			return true
		}
		if w.Marks&words.IsDateWord == 0 {
			return false
		}
		at = end
	}
	return false
}

// monthFirst reads dates such as March 12, 2024 and March 2024.
func (s *Scanner) monthFirst(at, end, month int) (Figure, bool) {
	f := Figure{Start: at, End: end, IsDate: true}
	f.Dates[0].Month = month
	start := end
	if r, n := words.RuneAt(s.Text, start); r == '.' {
		start += n
	}
	start = words.SkipBlanks(s.Text, start)
	if digits := s.digitsAt(start); s.StartsWithMonth && start > end && (digits == 1 || digits == 2) {
		stop := start
		for range digits {
			_, n := words.RuneAt(s.Text, stop)
			stop += n
		}
		day, _ := newValue(s.Text[start:stop], "").Integer()
		if _, n := separatorAt(s.Text, stop); isDay(day) && (n == 0 || s.Text[stop] == '-' || s.Text[stop] == ' ') {
			f.Dates[0].Day = day
			f.End = s.afterOrdinal(stop)
		}
	}
	s.year(&f)
	return f, f.Dates[0].Day > 0 || f.Dates[0].Year > 0
}

// afterOrdinal returns the index after letters that make digits ordinal.
func (s *Scanner) afterOrdinal(at int) int {
	end := at
	for end < len(s.Text) && end < at+8 {
		r, n := words.RuneAt(s.Text, end)
		if !unicode.IsLetter(r) {
			break
		}
		end += n
	}
	if _, ok := s.Ordinals[words.Lower(s.Text[at:end])]; ok && end > at {
		return end
	}
	return at
}

// Year reads the year behind a month or a day.
func (s *Scanner) year(f *Figure) {
	at := f.End
	if r, n := words.RuneAt(s.Text, at); r == ',' || r == '.' {
		at += n
	}
	at = words.SkipBlanks(s.Text, at)
	if end := words.End(s.Text, at); end > at && s.wordOf(at, end).Marks&words.IsDateWord != 0 {
		at = words.SkipBlanks(s.Text, end)
	}
	if at == f.End || s.digitsAt(at) != 4 {
		return
	}
	end := at
	for range 4 {
		_, n := words.RuneAt(s.Text, end)
		end += n
	}
	if _, n := separatorAt(s.Text, end); n > 0 && s.Text[end] != ' ' && s.Text[end] != '-' {
		return
	}
	if n, ok := newValue(s.Text[at:end], "").Integer(); ok && n >= 1000 {
		f.Dates[0].Year, f.End = n, end
	}
}

// readings adds what groups of digits may mean.
func (s *Scanner) readings(f *Figure, groups []group) {
	if len(groups) == 1 {
		v := newValue(s.Text[groups[0].start:groups[0].end], "")
		if n, ok := v.Integer(); ok && f.until > 0 && groups[0].digits == 2 && f.until%100 < n {
			// 2007-11
			f.add(Whole(uint64(f.until - f.until%100 + n))) //nolint:gosec // A year.
		}
		f.add(v)
		f.own = f.Count
		return
	}
	last := len(groups) - 1
	asGroups := func() Value { return newValue(s.Text[f.Start:groups[last].end], "") }
	asDecimal := func() Value {
		return newValue(s.Text[f.Start:groups[last-1].end], s.Text[groups[last].start:groups[last].end])
	}
	grouped, isDecimal := grouping(groups), isDecimal(groups)
	switch {
	case grouped != 0 && sameSeparator(grouped, s.group):
		f.add(asGroups())
	case isDecimal && groups[last].separator == s.decimal:
		f.add(asDecimal())
	}
	f.own = f.Count
	if grouped != 0 {
		f.add(asGroups())
	}
	if isDecimal && groups[last].separator != '\'' {
		f.add(asDecimal())
	}
	if f.own == 0 {
		f.own = f.Count
	}
}

// isDecimal reports whether the last group of digits may stand behind the decimal sign.
func isDecimal(groups []group) bool {
	last := len(groups) - 1
	if !strings.ContainsRune(".,'٬", groups[last].separator) {
		return false
	}
	return last == 1 || grouping(groups[:last]) != 0 && groups[last].separator != groups[1].separator
}

func sameSeparator(a, b rune) bool {
	return a == b || a == '٬' && b == ','
}

// grouping returns the separator of groups of three digits, or as in India of two and at last three; 0 if they are no groups.
func grouping(groups []group) rune {
	last := len(groups) - 1
	if last < 1 || groups[last].digits != 3 || groups[0].digits > 3 || !strings.ContainsRune(" '.,٬_", groups[1].separator) {
		return 0
	}
	for _, g := range groups[1:last] {
		if g.digits != groups[1].digits || g.digits != 2 && g.digits != 3 {
			return 0
		}
	}
	for _, g := range groups[1:] {
		if g.separator != groups[1].separator {
			return 0
		}
	}
	return groups[1].separator
}

// unit reads what stands behind a number: letters, powers of ten, and per cent.
func (s *Scanner) unit(f *Figure) {
	end := f.End
	for end < len(s.Text) {
		r, n := words.RuneAt(s.Text, end)
		if !unicode.IsLetter(r) || words.IsUnspaced(r) {
			break
		}
		end += n
	}
	if end > f.End {
		f.IsUnit = true
		letters := words.Lower(s.Text[f.End:end])
		if w := s.Words[letters]; w.Marks&words.IsPower != 0 {
			f.times(w)
		} else if power, ok := s.Suffixes[letters]; ok {
			s.suffix(f, letters, power)
		}
		f.End = end
	}
	for range 3 {
		at := words.SkipBlanks(s.Text, f.End)
		if r, n := words.RuneAt(s.Text, at); at == f.End && r == '-' {
			at += n
		}
		stop := words.End(s.Text, at)
		if stop == at {
			break
		}
		w := s.wordOf(at, stop)
		if w.Marks&words.IsPower == 0 {
			if power, ok := s.Suffixes[words.Lower(s.Text[at:stop])]; ok && f.Money && at > f.End {
				s.suffix(f, words.Lower(s.Text[at:stop]), power)
				f.End = stop
			}
			break
		}
		f.times(w)
		f.End = stop
	}
	s.perCent(f)
}

// suffix reads letters such as k: 5k may be 5,000 or five kilometres.
func (s *Scanner) suffix(f *Figure, letters string, power int) {
	plain, own := f.Values, f.own
	count := f.Count
	for i := range count {
		f.Values[i] = f.Values[i].times(power)
	}
	if len(letters) > 1 || f.Money {
		return
	}
	for _, v := range plain[:own] {
		f.add(v)
	}
	f.own = f.Count
	for _, v := range plain[own:count] {
		f.add(v)
	}
}

// times multiplies a figure by a power of ten.
func (f *Figure) times(w words.Entry) {
	plain, count := f.Values, f.Count
	for i := range count {
		f.Values[i] = plain[i].times(int(w.Power))
	}
	if w.OtherPower != 0 {
		for _, v := range plain[:count] {
			f.add(v.times(int(w.OtherPower)))
		}
	}
}

// perCent reads a sign of a percentage or a currency behind a number, or words for it.
func (s *Scanner) perCent(f *Figure) {
	at := words.SkipBlanks(s.Text, f.End)
	r, n := words.RuneAt(s.Text, at)
	switch {
	case r == '%' || r == '٪' || r == '％':
		f.Percent, f.End = true, at+n
		return
	case unicode.Is(unicode.Sc, r):
		f.Money, f.End = true, at+n
		return
	case at == f.End && r != '-' && !words.IsUnspaced(r):
		return
	}
	if r == '-' {
		at += n
	}
	var array [8]string
	run, ends := array[:0], []int{f.End}
	for len(run) < len(array) {
		end := words.End(s.Text, at)
		if end == at {
			break
		}
		if len(run) == 0 && len(s.Percent[s.lowerOf(at, end)]) == 0 {
			return
		}
		ends = append(ends, end)
		run = append(run, words.Lower(s.Text[at:end]))
		at = words.SkipBlanks(s.Text, end)
	}
	if n := s.Percent.Prefix(run); n > 0 {
		f.Percent, f.End = true, ends[n]
	}
}

func (s *Scanner) lowerOf(start, end int) string {
	return words.Lower(s.Text[start:end])
}

func (s *Scanner) wordOf(start, end int) words.Entry {
	var buf [64]byte
	if end-start > len(buf)/2 {
		return words.Entry{}
	}
	return s.Words[string(words.AppendLower(buf[:0], s.Text[start:end]))]
}

// plainDigits returns what is no number, such as 10:30 and 1.2.3, in ASCII digits.
func plainDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if d, ok := words.DigitValue(r); ok {
			return rune("0123456789"[d])
		}
		return plainSeparator(r)
	}, text)
}
