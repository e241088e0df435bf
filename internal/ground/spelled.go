package ground

import (
	"math"
	"strings"
)

// smallest is the smallest number in words that is a claim: smaller ones are often no counts.
const smallest = 10

// sum is a number in words while it is read: what has been multiplied by a power of ten, and what has not.
type sum struct {
	total, current uint64
	// last is what was added last; a power of ten if power is true, and 0 at the beginning.
	last  uint64
	power bool
	parts int
	// foreign words are no claims, and bare is a power of ten without a number before it.
	foreign, bare bool
}

// maxSum bounds numbers in words.
const maxSum = math.MaxUint64 / 1_000_000

// add adds a word for a number; false if it begins another number.
func (n *sum) add(number uint64) bool {
	switch {
	case n.parts == 0, n.power && number < n.last, n.last >= 20 && n.last < 100 && number < 10:
	case n.last == 60 || n.last == 80:
		// soixante-dix, quatre-vingt-onze
		if number >= 20 {
			return false
		}
	case n.last == 10 && number >= 7 && number <= 9:
		// dix-sept
	case n.last >= 100 && !n.power && number < 100:
		// doscientos diez
	default:
		return false
	}
	n.current += number
	n.last, n.power, n.parts = number, false, n.parts+1
	return true
}

// times multiplies by a power of ten; false if that begins another number.
func (n *sum) times(power uint8) bool {
	factor := uint64(1)
	for range power {
		factor *= 10
	}
	if n.total+n.current > maxSum/factor || n.power && factor == n.last {
		return false
	}
	if factor == 100 {
		if n.current >= 100 {
			return false
		}
		n.current = max(1, n.current) * factor
	} else {
		if n.total > 0 && n.total < factor && n.current == 0 {
			return false
		}
		n.total += max(1, n.current) * factor
		n.current = 0
	}
	n.last, n.power, n.parts = factor, true, n.parts+1
	return true
}

// dozens multiplies by twelve.
func (n *sum) dozens() bool {
	const dozen, most = 12, 1000
	if n.total > 0 || n.current > most || n.power {
		return false
	}
	n.current = max(1, n.current) * dozen
	n.last, n.power, n.parts = 1, true, n.parts+1
	return true
}

// word adds a word; false if it is none of the number.
func (n *sum) word(w word) bool {
	foreign := w.marks&isForeign != 0
	switch {
	case w.marks&isNumber != 0:
		if n.parts > 0 && n.foreign != foreign {
			return false
		}
		n.foreign = foreign
		return n.add(uint64(w.number))
	case w.marks&(isPower|isDozen) == 0:
		return false
	}
	n.bare = n.bare || n.parts == 0
	if w.marks&isDozen != 0 {
		return n.dozens()
	}
	return n.times(w.power)
}

// spelled reads the number that begins with a word.
func (s *scanner) spelled(at, end int) (figure, bool) {
	f := figure{start: at, end: at, spelled: true}
	var n sum
	for start := at; end > start; {
		w, stop := s.numberWord(start, end)
		if w.marks&isJoiner != 0 && n.parts > 0 && s.joins(n, end) {
			start = skipBlanks(s.text, end)
			end = wordAt(s.text, start)
			continue
		}
		if !n.word(w) && (n.parts > 0 || !s.compound(&n, lower(s.text[start:end]))) {
			break
		}
		f.end = stop
		start = skipBlanks(s.text, stop)
		if start == stop {
			start += len(s.text[start:]) - len(strings.TrimPrefix(s.text[start:], "-"))
		}
		if start == stop {
			break
		}
		end = wordAt(s.text, start)
	}
	if n.parts == 0 {
		return figure{}, false
	}
	v := whole(n.total + n.current)
	f.add(v)
	f.own = 1
	f.vague = n.foreign || n.total+n.current < smallest || n.bare && n.parts == 1
	s.perCent(&f)
	return f, true
}

// numberWord returns the word for a number at an index and its end: quatre-vingt is one.
func (s *scanner) numberWord(start, end int) (word, int) {
	w := s.wordOf(start, end)
	if w.marks&isNumber == 0 || w.number >= smallest {
		return w, end
	}
	r, n := runeAt(s.text, end)
	if r != '-' && r != ' ' {
		return w, end
	}
	stop := wordAt(s.text, end+n)
	if stop == end+n || stop-start > 30 {
		return w, end
	}
	if joined, ok := s.words[lower(s.text[start:end]+s.text[end+n:stop])]; ok && joined.marks&isNumber != 0 {
		return joined, stop
	}
	return w, end
}

// joins reports whether a word such as "and" is within a number: a smaller number follows a power of ten, or ones follow tens.
func (s *scanner) joins(n sum, end int) bool {
	start := skipBlanks(s.text, end)
	next := s.wordOf(start, wordAt(s.text, start))
	if next.marks&isNumber == 0 || next.marks&isForeign != 0 {
		return false
	}
	if n.power || n.last >= 100 {
		return uint64(next.number) < n.last && (n.last > 100 || next.number < 100)
	}
	return s.joinsTens && n.last >= 20 && next.number < 20
}

// compound reads a number in one word, such as einundzwanzig.
func (s *scanner) compound(n *sum, text string) bool {
	const longest = 80
	if !s.joinsNumbers || len(text) > longest {
		return false
	}
	parts := s.split(text, map[string]bool{})
	if len(parts) < 2 {
		return false
	}
	// In German and Dutch the ones stand before the tens.
	var pending uint64
	read := sum{}
	for i, part := range parts {
		w := s.words[part]
		ok := true
		switch {
		case w.marks&isJoiner != 0:
		case w.marks&isPower != 0:
			ok = read.times(w.power)
		case i+2 < len(parts) && w.number < smallest && s.words[parts[i+1]].marks&isJoiner != 0:
			pending = uint64(w.number)
		default:
			ok = read.add(uint64(w.number))
			if pending > 0 && ok {
				ok = read.add(pending)
				pending = 0
			}
		}
		if !ok {
			return false
		}
	}
	*n = read
	return true
}

// split splits a word into words for numbers; nil if it has another part. It tries long parts first.
func (s *scanner) split(text string, failed map[string]bool) []string {
	if failed[text] {
		return nil
	}
	for size := len(text); size > 0; size-- {
		w, ok := s.words[text[:size]]
		if !ok || w.marks&(isNumber|isPower|isJoiner) == 0 || w.marks&isForeign != 0 {
			continue
		}
		if size == len(text) {
			if w.marks&isJoiner != 0 {
				continue
			}
			return []string{text}
		}
		if rest := s.split(strings.TrimPrefix(text[size:], "-"), failed); rest != nil {
			return append([]string{text[:size]}, rest...)
		}
	}
	failed[text] = true
	return nil
}
