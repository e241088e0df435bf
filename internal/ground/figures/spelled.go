package figures

import (
	"math"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/ground/words"
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
func (n *sum) word(w words.Entry) bool {
	foreign := w.Marks&words.IsForeign != 0
	switch {
	case w.Marks&words.IsNumber != 0:
		if n.parts > 0 && n.foreign != foreign {
			return false
		}
		n.foreign = foreign
		return n.add(uint64(w.Number))
	case w.Marks&(words.IsPower|words.IsDozen) == 0:
		return false
	}
	n.bare = n.bare || n.parts == 0
	if w.Marks&words.IsDozen != 0 {
		return n.dozens()
	}
	return n.times(w.Power)
}

// spelled reads the number that begins with a word.
func (s *Scanner) spelled(at, end int) (Figure, bool) {
	f := Figure{Start: at, End: at, Spelled: true}
	var n sum
	for start := at; end > start; {
		w, stop := s.numberWord(start, end)
		if w.Marks&words.IsJoiner != 0 && n.parts > 0 && s.joins(n, end) {
			start = words.SkipBlanks(s.Text, end)
			end = words.End(s.Text, start)
			continue
		}
		if !n.word(w) && (n.parts > 0 || !s.compound(&n, words.Lower(s.Text[start:end]))) {
			break
		}
		f.End = stop
		start = words.SkipBlanks(s.Text, stop)
		if start == stop {
			start += len(s.Text[start:]) - len(strings.TrimPrefix(s.Text[start:], "-"))
		}
		if start == stop {
			break
		}
		end = words.End(s.Text, start)
	}
	if n.parts == 0 {
		return Figure{}, false
	}
	v := Whole(n.total + n.current)
	f.add(v)
	f.own = 1
	f.Vague = n.foreign || n.total+n.current < smallest || n.bare && n.parts == 1
	s.perCent(&f)
	return f, true
}

// numberWord returns the word for a number at an index and its end: quatre-vingt is one.
func (s *Scanner) numberWord(start, end int) (words.Entry, int) {
	w := s.wordOf(start, end)
	if w.Marks&words.IsNumber == 0 || w.Number >= smallest {
		return w, end
	}
	r, n := words.RuneAt(s.Text, end)
	if r != '-' && r != ' ' {
		return w, end
	}
	stop := words.End(s.Text, end+n)
	if stop == end+n || stop-start > 30 {
		return w, end
	}
	if joined, ok := s.Words[words.Lower(s.Text[start:end]+s.Text[end+n:stop])]; ok && joined.Marks&words.IsNumber != 0 {
		return joined, stop
	}
	return w, end
}

// joins reports whether a word such as "and" is within a number: a smaller number follows a power of ten, or ones follow tens.
func (s *Scanner) joins(n sum, end int) bool {
	start := words.SkipBlanks(s.Text, end)
	next := s.wordOf(start, words.End(s.Text, start))
	if next.Marks&words.IsNumber == 0 || next.Marks&words.IsForeign != 0 {
		return false
	}
	if n.power || n.last >= 100 {
		return uint64(next.Number) < n.last && (n.last > 100 || next.Number < 100)
	}
	return s.JoinsTens && n.last >= 20 && next.Number < 20
}

// compound reads a number in one word, such as einundzwanzig.
func (s *Scanner) compound(n *sum, text string) bool {
	const longest = 80
	if !s.JoinsNumbers || len(text) > longest {
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
		w := s.Words[part]
		ok := true
		switch {
		case w.Marks&words.IsJoiner != 0:
		case w.Marks&words.IsPower != 0:
			ok = read.times(w.Power)
		case i+2 < len(parts) && w.Number < smallest && s.Words[parts[i+1]].Marks&words.IsJoiner != 0:
			pending = uint64(w.Number)
		default:
			ok = read.add(uint64(w.Number))
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
func (s *Scanner) split(text string, failed map[string]bool) []string {
	if failed[text] {
		return nil
	}
	for size := len(text); size > 0; size-- {
		w, ok := s.Words[text[:size]]
		if !ok || w.Marks&(words.IsNumber|words.IsPower|words.IsJoiner) == 0 || w.Marks&words.IsForeign != 0 {
			continue
		}
		if size == len(text) {
			if w.Marks&words.IsJoiner != 0 {
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
