package ground

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// figure is a number or a date in a text.
type figure struct {
	// start and end are indexes into the text, with the unit.
	start, end int
	// values are the readings of a number, the first that of the text's locale: a source may be of another.
	values  [maxReadings]value
	count   int
	own     int
	dates   [2]date
	isDate  bool
	unread  string
	percent bool
	// isUnit is true if letters follow the digits.
	isUnit bool
	money  bool
	// spelled is a number in words.
	spelled bool
	// vague is a word such as "thousands" alone, or a small number in words.
	vague bool
	// inWord is true for digits behind a hyphen, as in COVID-19.
	inWord bool
	// bracketed is a number between brackets, as that of a reference.
	bracketed bool
	// until is the year before a hyphen; 0 if there is none.
	until int
}

const maxReadings = 6

// date of the Gregorian calendar; 0 is unknown.
type date struct{ year, month, day int }

func (f *figure) add(v value) {
	if slices.Contains(f.values[:f.count], v) {
		return
	}
	if f.count < maxReadings {
		f.values[f.count] = v
		f.count++
	}
}

// meant are the readings that the text's author means: all others are those that a source of another locale may mean.
func (f *figure) meant() []value { return f.values[:f.own] }

// isYear reports whether a number may be a year.
func (f *figure) isYear() bool {
	n, ok := f.values[0].integer()
	return f.count > 0 && ok && n >= 1000 && n < 2200 && !f.percent && !f.money && !f.spelled
}

// scanner finds the words and the figures of a text that is clean.
type scanner struct {
	text string
	*lexicon
	separators
	// startsWithMonth is true if dates may begin with the month and the day, as in English.
	startsWithMonth bool
	// sought are the beginnings of the words that matter; nil if all do.
	sought *beginnings
	buf    []byte
	found  figure
}

// item is a word or a figure.
type item struct {
	start, end int
	// lower is the word in small letters, until the next call. It is nil for a figure.
	lower []byte
	// figure is nil for a word. It is valid until the next call.
	figure *figure
}

// next returns the word or figure at or behind an index; false if there is none.
func (s *scanner) next(at int) (item, bool) {
	for at < len(s.text) {
		c := s.text[at]
		if c < utf8.RuneSelf && class[c] == 0 {
			at++
			continue
		}
		if end := s.unsought(at); end > at {
			at = end
			continue
		}
		r, n := runeAt(s.text, at)
		if _, ok := digitValue(r); ok {
			s.found = s.number(at)
			return item{start: s.found.start, end: s.found.end, figure: &s.found}, true
		}
		if end := wordAt(s.text, at); end > at {
			return s.word(at, end), true
		}
		at += n
	}
	return item{}, false
}

// unsought returns the end of the word at an index if it is one of ASCII letters that does not matter; else the index itself.
func (s *scanner) unsought(at int) int {
	if s.sought == nil || class[s.text[at]&0x7f] == digit {
		return at
	}
	begins, letters := uint(0), 0
	end := at
	for ; end < len(s.text); end++ {
		c := s.text[end]
		if c >= utf8.RuneSelf {
			return at
		}
		if class[c] == 0 {
			break
		}
		if letters < beginningBytes {
			begins |= uint(c&31) << (5 * letters)
			letters++
		}
	}
	if s.sought[begins/64]&(1<<(begins%64)) != 0 {
		return at
	}
	return end
}

func (s *scanner) word(at, end int) item {
	text := s.text[at:end]
	if !s.begins.has(text) {
		s.buf = lowered(s.buf[:0], text)
		return item{start: at, end: end, lower: s.buf}
	}
	s.buf = lowered(s.buf[:0], s.text[at:end])
	w := s.words[string(s.buf)]
	if w.marks&isMonth != 0 {
		if f, ok := s.monthFirst(at, end, int(w.month)); ok {
			s.found = f
			return item{start: at, end: f.end, figure: &s.found}
		}
	}
	if w.marks&(isNumber|isPower|isDozen) != 0 || s.joinsNumbers && len(s.buf) >= 6 && s.numberBegins.has(text) {
		if f, ok := s.spelled(at, end); ok {
			s.found = f
			return item{start: at, end: f.end, figure: &s.found}
		}
		s.buf = lowered(s.buf[:0], s.text[at:end])
	}
	return item{start: at, end: end, lower: s.buf}
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
func (s *scanner) number(at int) figure {
	f := figure{start: at}
	var array [maxGroups]group
	groups := s.groups(at, array[:0])
	f.end = groups[len(groups)-1].end
	before := runeBefore(s.text, at)
	sign := strings.TrimRight(s.text[max(0, at-8):at], " \u00A0")
	f.money = unicode.Is(unicode.Sc, runeBefore(sign, len(sign)))
	f.inWord = before == '-' && at > 1 && unicode.IsLetter(runeBefore(s.text, at-1))
	f.until = s.yearBefore(at)
	f.bracketed = before == '[' && f.end < len(s.text) && s.text[f.end] == ']'
	if s.numericDate(&f, groups) || s.dayFirst(&f, groups) {
		return f
	}
	s.readings(&f, groups)
	if f.count == 0 {
		f.unread = plainDigits(s.text[at:f.end])
		return f
	}
	s.unit(&f)
	return f
}

// yearBefore returns the year before a hyphen or a dash; 0 if there is none.
func (s *scanner) yearBefore(at int) int {
	const digits = 4
	around := s.text[max(0, at-12):at]
	before := strings.TrimRight(around, "-– ")
	if !strings.ContainsAny(around[len(before):], "-–") || len(before) < digits {
		return 0
	}
	if len(before) > digits && class[before[len(before)-digits-1]&0x7f] == digit {
		return 0
	}
	n, err := strconv.Atoi(before[len(before)-digits:])
	if err != nil || n < 1000 {
		return 0
	}
	return n
}

// groups returns the groups of digits of a number. A blank separates groups only if the locale has it, and three digits follow.
func (s *scanner) groups(at int, groups []group) []group {
	separator := rune(0)
	for len(groups) < maxGroups {
		g := group{start: at, end: at, separator: separator}
		for g.end < len(s.text) {
			r, n := runeAt(s.text, g.end)
			if _, ok := digitValue(r); !ok {
				break
			}
			g.end += n
			g.digits++
		}
		groups = append(groups, g)
		sep, n := separatorAt(s.text, g.end)
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
func (s *scanner) blankGroups(groups []group, next int) bool {
	if s.group != ' ' || groups[0].digits > 3 || len(groups) > 1 && groups[1].separator != ' ' {
		return false
	}
	return s.digitsAt(next) == 3
}

// digitsAt counts digits, at most 5.
func (s *scanner) digitsAt(at int) int {
	count := 0
	for count < 5 {
		r, n := runeAt(s.text, at)
		if _, ok := digitValue(r); !ok {
			break
		}
		at += n
		count++
	}
	return count
}

// continues reports whether a hyphen, a stroke or a colon is within a date or a time of day: of all others, each number is one of its own.
func (s *scanner) continues(sep rune, groups []group, next int) bool {
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
func (s *scanner) hasThird(sep rune, first, digits, at int) bool {
	for range digits {
		_, n := runeAt(s.text, at)
		at += n
	}
	third, n := separatorAt(s.text, at)
	if n == 0 || third != sep {
		return false
	}
	after := s.digitsAt(at + n)
	return after == 4 || first == 4 && after <= 2 || sep == '/' && after == 2
}

// numericDate reads dates such as 2024-03-12, 12.3.2024 and 3/12/2024.
func (s *scanner) numericDate(f *figure, groups []group) bool {
	if len(groups) != 3 || groups[1].separator != groups[2].separator || !strings.ContainsRune("-/.", groups[1].separator) {
		return false
	}
	var n [3]int
	for i, g := range groups {
		if g.digits > 4 {
			return false
		}
		n[i], _ = newValue(s.text[g.start:g.end], "").integer()
	}
	// What comes first is the year, the day or the month: of the last two, both may be.
	read := []date{{n[2], n[1], n[0]}, {n[2], n[0], n[1]}}
	switch {
	case groups[0].digits == 4:
		read = []date{{n[0], n[1], n[2]}}
	case groups[2].digits != 4 && (groups[2].digits != 2 || groups[1].separator != '/'):
		return false
	}
	read = slices.DeleteFunc(read, func(d date) bool { return !isDay(d.day) || d.month < 1 || d.month > 12 })
	f.isDate = copy(f.dates[:], slices.Compact(read)) > 0
	return f.isDate
}

func isDay(n int) bool { return n >= 1 && n <= 31 }

// dayFirst reads dates such as 12 March 2024, 3rd of May and 3. Mai.
func (s *scanner) dayFirst(f *figure, groups []group) bool {
	day, ok := newValue(s.text[groups[0].start:groups[0].end], "").integer()
	if len(groups) != 1 || groups[0].digits > 2 || !ok || !isDay(day) {
		return false
	}
	at := s.afterOrdinal(f.end)
	if r, n := runeAt(s.text, at); r == '.' {
		at += n
	}
	for range 3 {
		start := skipBlanks(s.text, at)
		end := wordAt(s.text, start)
		if start == at || end == start {
			return false
		}
		w := s.wordOf(start, end)
		if w.marks&isMonth != 0 {
			f.dates[0] = date{month: int(w.month), day: day}
			f.isDate = true
			f.end = end
			s.year(f)
			return true
		}
		if w.marks&isDateWord == 0 {
			return false
		}
		at = end
	}
	return false
}

// monthFirst reads dates such as March 12, 2024 and March 2024.
func (s *scanner) monthFirst(at, end, month int) (figure, bool) {
	f := figure{start: at, end: end, isDate: true}
	f.dates[0].month = month
	start := end
	if r, n := runeAt(s.text, start); r == '.' {
		start += n
	}
	start = skipBlanks(s.text, start)
	if digits := s.digitsAt(start); s.startsWithMonth && start > end && (digits == 1 || digits == 2) {
		stop := start
		for range digits {
			_, n := runeAt(s.text, stop)
			stop += n
		}
		day, _ := newValue(s.text[start:stop], "").integer()
		if _, n := separatorAt(s.text, stop); isDay(day) && (n == 0 || s.text[stop] == '-' || s.text[stop] == ' ') {
			f.dates[0].day = day
			f.end = s.afterOrdinal(stop)
		}
	}
	s.year(&f)
	return f, f.dates[0].day > 0 || f.dates[0].year > 0
}

// afterOrdinal returns the index after letters that make digits ordinal.
func (s *scanner) afterOrdinal(at int) int {
	end := at
	for end < len(s.text) && end < at+8 {
		r, n := runeAt(s.text, end)
		if !unicode.IsLetter(r) {
			break
		}
		end += n
	}
	if _, ok := s.ordinals[lower(s.text[at:end])]; ok && end > at {
		return end
	}
	return at
}

// year reads the year behind a month or a day.
func (s *scanner) year(f *figure) {
	at := f.end
	if r, n := runeAt(s.text, at); r == ',' || r == '.' {
		at += n
	}
	at = skipBlanks(s.text, at)
	if end := wordAt(s.text, at); end > at && s.wordOf(at, end).marks&isDateWord != 0 {
		at = skipBlanks(s.text, end)
	}
	if at == f.end || s.digitsAt(at) != 4 {
		return
	}
	end := at
	for range 4 {
		_, n := runeAt(s.text, end)
		end += n
	}
	if _, n := separatorAt(s.text, end); n > 0 && s.text[end] != ' ' && s.text[end] != '-' {
		return
	}
	if n, ok := newValue(s.text[at:end], "").integer(); ok && n >= 1000 {
		f.dates[0].year, f.end = n, end
	}
}

// readings adds what groups of digits may mean.
func (s *scanner) readings(f *figure, groups []group) {
	if len(groups) == 1 {
		v := newValue(s.text[groups[0].start:groups[0].end], "")
		if n, ok := v.integer(); ok && f.until > 0 && groups[0].digits == 2 && f.until%100 < n {
			// 2007-11
			f.add(whole(uint64(f.until - f.until%100 + n))) //nolint:gosec // A year.
		}
		f.add(v)
		f.own = f.count
		return
	}
	last := len(groups) - 1
	asGroups := func() value { return newValue(s.text[f.start:groups[last].end], "") }
	asDecimal := func() value {
		return newValue(s.text[f.start:groups[last-1].end], s.text[groups[last].start:groups[last].end])
	}
	grouped, isDecimal := grouping(groups), isDecimal(groups)
	switch {
	case grouped != 0 && sameSeparator(grouped, s.group):
		f.add(asGroups())
	case isDecimal && groups[last].separator == s.decimal:
		f.add(asDecimal())
	}
	f.own = f.count
	if grouped != 0 {
		f.add(asGroups())
	}
	if isDecimal && groups[last].separator != '\'' {
		f.add(asDecimal())
	}
	if f.own == 0 {
		f.own = f.count
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
func (s *scanner) unit(f *figure) {
	end := f.end
	for end < len(s.text) {
		r, n := runeAt(s.text, end)
		if !unicode.IsLetter(r) || isUnspaced(r) {
			break
		}
		end += n
	}
	if end > f.end {
		f.isUnit = true
		letters := lower(s.text[f.end:end])
		if w := s.words[letters]; w.marks&isPower != 0 {
			f.times(w)
		} else if power, ok := s.suffixes[letters]; ok {
			s.suffix(f, letters, power)
		}
		f.end = end
	}
	for range 3 {
		at := skipBlanks(s.text, f.end)
		if r, n := runeAt(s.text, at); at == f.end && r == '-' {
			at += n
		}
		stop := wordAt(s.text, at)
		if stop == at {
			break
		}
		w := s.wordOf(at, stop)
		if w.marks&isPower == 0 {
			if power, ok := s.suffixes[lower(s.text[at:stop])]; ok && f.money && at > f.end {
				s.suffix(f, lower(s.text[at:stop]), power)
				f.end = stop
			}
			break
		}
		f.times(w)
		f.end = stop
	}
	s.perCent(f)
}

// suffix reads letters such as k: 5k may be 5,000 or five kilometres.
func (s *scanner) suffix(f *figure, letters string, power int) {
	plain, own := f.values, f.own
	count := f.count
	for i := range count {
		f.values[i] = f.values[i].times(power)
	}
	if len(letters) > 1 || f.money {
		return
	}
	for _, v := range plain[:own] {
		f.add(v)
	}
	f.own = f.count
	for _, v := range plain[own:count] {
		f.add(v)
	}
}

// times multiplies a figure by a power of ten.
func (f *figure) times(w word) {
	plain, count := f.values, f.count
	for i := range count {
		f.values[i] = plain[i].times(int(w.power))
	}
	if w.otherPower != 0 {
		for _, v := range plain[:count] {
			f.add(v.times(int(w.otherPower)))
		}
	}
}

// perCent reads a sign of a percentage or a currency behind a number, or words for it.
func (s *scanner) perCent(f *figure) {
	at := skipBlanks(s.text, f.end)
	r, n := runeAt(s.text, at)
	switch {
	case r == '%' || r == '٪' || r == '％':
		f.percent, f.end = true, at+n
		return
	case unicode.Is(unicode.Sc, r):
		f.money, f.end = true, at+n
		return
	case at == f.end && r != '-' && !isUnspaced(r):
		return
	}
	if r == '-' {
		at += n
	}
	var array [8]string
	run, ends := array[:0], []int{f.end}
	for len(run) < len(array) {
		end := wordAt(s.text, at)
		if end == at {
			break
		}
		if len(run) == 0 && len(s.percent[s.lowerOf(at, end)]) == 0 {
			return
		}
		ends = append(ends, end)
		run = append(run, lower(s.text[at:end]))
		at = skipBlanks(s.text, end)
	}
	if n := s.percent.prefix(run); n > 0 {
		f.percent, f.end = true, ends[n]
	}
}

func (s *scanner) lowerOf(start, end int) string {
	return lower(s.text[start:end])
}

func (s *scanner) wordOf(start, end int) word {
	var buf [64]byte
	if end-start > len(buf)/2 {
		return word{}
	}
	return s.words[string(lowered(buf[:0], s.text[start:end]))]
}

// plainDigits returns what is no number, such as 10:30 and 1.2.3, in ASCII digits.
func plainDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if d, ok := digitValue(r); ok {
			return rune("0123456789"[d])
		}
		return plainSeparator(r)
	}, text)
}
