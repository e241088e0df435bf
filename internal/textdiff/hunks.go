package textdiff

import (
	"unicode"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// searched is how many differences the library looks for in two sequences. What is between those that it has found from the beginning
// and those from the end it takes for wholly different.
const searched = 100

// hunks returns the parts of two sequences that differ, in order.
func hunks(before, after []string) []lcs.Diff {
	return search(nil, before, after, lcs.Diff{End: len(before), ReplEnd: len(after)})
}

// search adds the hunks within a part of two sequences to out. What the library takes for wholly different is searched again.
func search(out []lcs.Diff, before, after []string, within lcs.Diff) []lcs.Diff {
	for _, h := range lcs.DiffLines(before[within.Start:within.End], after[within.ReplStart:within.ReplEnd]) {
		h.Start, h.End = h.Start+within.Start, h.End+within.Start
		h.ReplStart, h.ReplEnd = h.ReplStart+within.ReplStart, h.ReplEnd+within.ReplStart
		removed, added := h.End-h.Start, h.ReplEnd-h.ReplStart
		if h == within || removed == 0 || added == 0 || removed+added < searched {
			out = append(out, h)
			continue
		}
		out = search(out, before, after, h)
	}
	return out
}

// readable joins hunks if what is the same between them has fewer words than each of them: a "the" that two unlike sentences have in
// common would only tear them apart.
func readable(in []lcs.Diff, before, after []string) []lcs.Diff {
	olds, news := wordsUntil(before), wordsUntil(after)
	changed := func(h lcs.Diff) int {
		return max(olds[h.End]-olds[h.Start], news[h.ReplEnd]-news[h.ReplStart], 1)
	}
	var out []lcs.Diff
	for _, h := range in {
		for len(out) > 0 {
			last := out[len(out)-1]
			if between := olds[h.Start] - olds[last.End]; between >= min(changed(last), changed(h)) {
				break
			}
			h.Start, h.ReplStart = last.Start, last.ReplStart
			out = out[:len(out)-1]
		}
		out = append(out, h)
	}
	return out
}

// wordsUntil returns how many of the tokens before each token are words, and of all tokens at the end.
func wordsUntil(tokens []string) []int {
	out := make([]int, 1, len(tokens)+1)
	for i, t := range tokens {
		n := out[i]
		if r, _ := utf8.DecodeRuneInString(t); unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
		out = append(out, n)
	}
	return out
}
