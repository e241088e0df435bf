package textdiff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/aymanbagabas/go-udiff/lcs"
)

// Merge returns a document with the changes that two people have made to the same one, line breaks at its ends aside. It reports false if
// both have changed the same lines, or lines that no unchanged line and no end of a paragraph separates: then people must look. The order
// of the two does not matter. A change that both have made is made once.
func Merge(base, mine, theirs string) (merged string, ok bool) {
	switch {
	case mine == base, mine == theirs:
		return theirs, true
	case theirs == base:
		return mine, true
	}
	base, mine, theirs = ended(base), ended(mine), ended(theirs)
	m := merger{base: lines(base)}
	own, others := m.changes(lines(mine)), m.changes(lines(theirs))
	own, others = without(own, others), without(others, own)
	if !m.apart(own, others) {
		return "", false
	}
	edits, ok := udiff.Merge(m.edits(own), m.edits(others))
	if !ok {
		return "", false
	}
	merged, err := udiff.Apply(base, edits)
	return strings.Trim(merged, "\n"), err == nil
}

// paragraphEnd is the end of a paragraph in Markdown.
const paragraphEnd = "\n\n"

// ended is a document whose last line is the end of a paragraph like that of any other.
func ended(text string) string {
	if text = strings.Trim(text, "\n"); text != "" {
		text += paragraphEnd
	}
	return text
}

// merger merges changes of a document.
type merger struct{ base []string }

// change is what somebody has put in place of lines of the document.
type change struct {
	lcs.Diff

	lines []string
}

// changes returns what differs in another document, in order. An unchanged line is between any two.
func (m merger) changes(after []string) []change {
	all := hunks(m.base, after)
	out := make([]change, 0, len(all))
	for _, h := range all {
		out = append(out, change{h, after[h.ReplStart:h.ReplEnd]})
	}
	return out
}

// without returns the changes of one person that are no part of a larger change of the other.
func without(changes, larger []change) []change {
	return slices.DeleteFunc(slices.Clone(changes), func(x change) bool {
		at, _ := slices.BinarySearchFunc(larger, x.End, func(y change, end int) int { return cmp.Compare(y.End, end) })
		return at < len(larger) && larger[at].has(x)
	})
}

// has reports whether a change of as many lines, line by line, has a smaller one in it.
func (c change) has(x change) bool {
	within := c.Start <= x.Start && x.End <= c.End && x.End-x.Start < c.End-c.Start
	if !within || len(c.lines) != c.End-c.Start || len(x.lines) != x.End-x.Start {
		return false
	}
	at := x.Start - c.Start
	return slices.Equal(c.lines[at:at+len(x.lines)], x.lines)
}

// apart reports whether no change of one person touches another change of the other.
func (m merger) apart(xs, ys []change) bool {
	for len(xs) > 0 && len(ys) > 0 {
		x, y := xs[0], ys[0]
		if !same(x, y) && !m.before(x, y) && !m.before(y, x) {
			return false
		}
		// No later change of the one touches the change that ends first.
		if x.End <= y.End {
			xs = xs[1:]
		} else {
			ys = ys[1:]
		}
	}
	return true
}

// same reports whether two people have made the same change.
func same(x, y change) bool {
	return x.Start == y.Start && x.End == y.End && strings.Join(x.lines, "") == strings.Join(y.lines, "")
}

// before reports whether a change is before another one, and does not touch it: a line that nobody has changed is between them, or the end
// of a paragraph. There one of them must be another text of one line: of new lines on both sides, nobody knows which come first.
func (m merger) before(x, y change) bool {
	if x.End != y.Start {
		return x.End < y.Start
	}
	at := y.Start
	ends := at == 0 || strings.HasSuffix(m.base[at-1], paragraphEnd)
	if last := len(x.lines) - 1; last >= 0 && !strings.HasSuffix(x.lines[last], paragraphEnd) {
		ends = false
	}
	return ends && (x.rewrites() || y.rewrites())
}

// rewrites reports whether a change has one line in place of one.
func (c change) rewrites() bool { return c.End-c.Start == 1 && len(c.lines) == 1 }

// edits returns changes in the form of the library.
func (m merger) edits(changes []change) []udiff.Edit {
	offsets := make([]int, 1, len(m.base)+1)
	for i, line := range m.base {
		offsets = append(offsets, offsets[i]+len(line))
	}
	out := make([]udiff.Edit, 0, len(changes))
	for _, c := range changes {
		out = append(out, udiff.Edit{Start: offsets[c.Start], End: offsets[c.End], New: strings.Join(c.lines, "")})
	}
	return out
}
