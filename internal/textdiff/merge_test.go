package textdiff_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/textdiff"
)

func TestChangesOfTwoPeopleAreMerged(t *testing.T) {
	const base = "One.\n\nTwo.\n\nThree."
	for _, row := range []struct{ name, base, mine, theirs, want string }{
		{"nothing of mine", base, base, "One!\n\nTwo.\n\nThree.", "One!\n\nTwo.\n\nThree."},
		{"nothing of theirs", base, "One.\n\nTwo.\n\nThree!", base, "One.\n\nTwo.\n\nThree!"},
		{"both the same", base, "One!\n\nTwo.\n\nThree.", "One!\n\nTwo.\n\nThree.", "One!\n\nTwo.\n\nThree."},
		{"two paragraphs", base, "One!\n\nTwo.\n\nThree.", "One.\n\nTwo.\n\nThree!", "One!\n\nTwo.\n\nThree!"},
		{"paragraphs side by side", base, "One!\n\nTwo.\n\nThree.", "One.\n\nTwo!\n\nThree.", "One!\n\nTwo!\n\nThree."},
		{"a new paragraph beside a changed one", base, "One.\n\nNew.\n\nTwo.\n\nThree.", "One.\n\nTwo!\n\nThree.", "One.\n\nNew.\n\nTwo!\n\nThree."},
		{"a new end after a changed one", base, "One.\n\nTwo.\n\nThree.\n\nNew.", "One.\n\nTwo.\n\nThree!", "One.\n\nTwo.\n\nThree!\n\nNew."},
		{"a paragraph less", base, "Two.\n\nThree.", "One.\n\nTwo.\n\nThree!", "Two.\n\nThree!"},
		{"a paragraph that both have removed, beside a change", base, "One.\n\nThree.", "One.\n\nThree!", "-"},
		{"paragraphs that both have removed, and another change", base, "Three.", "Three.\n\nNew.", "Three.\n\nNew."},
		{"a change that both have made, and one each", base + "\n\nFour.\n\nFive.", "One!\n\nTwo.\n\nThree!\n\nFour.\n\nFive.",
			"One.\n\nTwo.\n\nThree!\n\nFour.\n\nFive!", "One!\n\nTwo.\n\nThree!\n\nFour.\n\nFive!"},
		{"a change that both have made, beside another one of theirs", base, "One.\n\nTwo!\n\nThree.", "One!\n\nTwo!\n\nThree.", "One!\n\nTwo!\n\nThree."},
		{"items of a list", "- one\n- two\n- three", "- one!\n- two\n- three", "- one\n- two\n- three!", "- one!\n- two\n- three!"},
		{"line breaks at the end", base + "\n", "One!\n\nTwo.\n\nThree.\n\n\n", "One.\n\nTwo.\n\nThree!", "One!\n\nTwo.\n\nThree!"},

		{"the same paragraph", base, "One!\n\nTwo.\n\nThree.", "One?\n\nTwo.\n\nThree.", "-"},
		{"words of the same paragraph", "A red shoe for wet rock.", "A blue shoe for wet rock.", "A red shoe for dry rock.", "-"},
		{"a paragraph that the other has removed", base, "One.\n\nThree.", "One.\n\nTwo!\n\nThree.", "-"},
		{"new paragraphs in the same place", base, "One.\n\nMine.\n\nTwo.\n\nThree.", "One.\n\nTheirs.\n\nTwo.\n\nThree.", "-"},
		{"a new paragraph within what the other has removed", base, "One.\n\nTwo.\n\nNew.\n\nThree.", "One.", "-"},
		{"a new paragraph beside one that the other has removed", base, "One.\n\nNew.\n\nTwo.\n\nThree.", "One.\n\nThree.", "-"},
		{"a new paragraph beside two that are one for the other", base, "One.\n\nTwo.\n\nThree.\n\nNew.", "One.\n\nTwo, three.", "-"},
		{"lines of one sentence", "One\ntwo\nthree.", "One!\ntwo\nthree.", "One\ntwo!\nthree.", "-"},
		{"paragraphs that the other has joined", base, "One.\nTwo.\n\nThree.", "One.\n\nTwo!\n\nThree.", "-"},
	} {
		for _, sides := range [][2]string{{row.mine, row.theirs}, {row.theirs, row.mine}} {
			got, ok := textdiff.Merge(row.base, sides[0], sides[1])
			if !ok {
				got = "-"
			}
			if strings.TrimRight(got, "\n") != row.want {
				t.Errorf("%s: got %q, want %q", row.name, got, row.want)
			}
		}
	}
}

// side is what somebody does to a document of paragraphs that are all different.
type side struct {
	// changed are new texts of paragraphs, empty for one that is removed, and inserted are new paragraphs before them.
	changed, inserted map[int]string
}

// randomSide does something to some paragraphs.
func randomSide(r *rand.Rand, name string, paragraphs int) side {
	s := side{map[int]string{}, map[int]string{}}
	for i := range paragraphs + 1 {
		if r.IntN(8) == 0 {
			s.inserted[i] = fmt.Sprintf("%s inserts %d.", name, i)
		}
		if i == paragraphs {
			break
		}
		switch r.IntN(10) {
		case 0:
			s.changed[i] = fmt.Sprintf("%s changes %d.", name, i)
		case 1:
			s.changed[i] = ""
		}
	}
	return s
}

// document is the document after what some people have done.
func document(paragraphs int, people ...side) string {
	var out []string
	for i := range paragraphs + 1 {
		text := fmt.Sprintf("Paragraph %d.", i)
		for _, s := range people {
			if inserted := s.inserted[i]; inserted != "" {
				out = append(out, inserted)
			}
			if changed, ok := s.changed[i]; ok {
				text = changed
			}
		}
		if i < paragraphs && text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n\n")
}

// touches reports whether somebody has done something at a place: place 2i is before paragraph i, and place 2i+1 is that paragraph.
func (s side) touches(place int) bool {
	if place%2 == 0 {
		return s.inserted[place/2] != ""
	}
	_, changed := s.changed[place/2]
	return changed
}

// alike reports whether what two people have done at the same place is no conflict: both have changed a paragraph to the same, or each has
// inserted one, and one of them has removed the paragraph beside it. That is like a changed paragraph, which another one follows.
func alike(place int, a, b side) bool {
	i := place / 2
	if place%2 == 1 {
		return a.changed[i] == b.changed[i]
	}
	removes := func(s side) bool {
		for _, beside := range []int{i - 1, i} {
			if text, changed := s.changed[beside]; changed && text == "" {
				return true
			}
		}
		return false
	}
	return removes(a) || removes(b)
}

// inOrder is a document with the paragraphs that were inserted at one place in a fixed order: either order is right.
func inOrder(text string) string {
	paragraphs := strings.Split(text, "\n\n")
	for i := 1; i < len(paragraphs); i++ {
		_, before, _ := strings.Cut(paragraphs[i-1], " inserts ")
		_, after, inserted := strings.Cut(paragraphs[i], " inserts ")
		if inserted && before == after && paragraphs[i-1] > paragraphs[i] {
			paragraphs[i-1], paragraphs[i] = paragraphs[i], paragraphs[i-1]
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

func TestAMergeLosesNoChangeAndNoLineIsChangedByBoth(t *testing.T) {
	merged := 0
	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(12)
		mine, theirs := randomSide(r, "I", n), randomSide(r, "They", n)
		base, own, others := document(n), document(n, mine), document(n, theirs)
		got, ok := textdiff.Merge(base, own, others)
		both, near := false, false
		for place := range 2*n + 1 {
			if !mine.touches(place) {
				continue
			}
			both = both || theirs.touches(place) && !alike(place, mine, theirs)
			for beside := place - 3; beside <= place+3; beside++ {
				near = near || theirs.touches(beside)
			}
		}
		nothing := own == base || others == base
		switch {
		case ok && both && !nothing:
			t.Fatalf("seed %d: both have changed the same\nbase %q\nmine %q\ntheirs %q\ngot %q", seed, base, own, others, got)
		case ok && inOrder(got) != inOrder(document(n, mine, theirs)):
			t.Fatalf("seed %d: got %q, want %q", seed, got, document(n, mine, theirs))
		case !ok && !near:
			t.Fatalf("seed %d: not merged although nothing is near\nmine %q\ntheirs %q", seed, own, others)
		case ok && !nothing:
			merged++
		}
	}
	if merged < 1000 {
		t.Errorf("only %d of the documents were merged: the others show nothing of a merge", merged)
	}
}

// linesOf counts the lines of a document.
func linesOf(text string) map[string]int {
	count := map[string]int{}
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" {
			count[line]++
		}
	}
	return count
}

// Whatever the documents are, a new line is there as often as either has it, and a line that one has removed no more often than the other
// has it.
func FuzzAMergeLosesNoChange(f *testing.F) {
	f.Add("One.\n\nTwo.\n\nThree.", "One!\n\nTwo.\n\nThree.", "One.\n\nTwo.\n\nThree!")
	f.Add("a\nb\na\nb", "a\nb\na", "b\na\nb")
	f.Add("", "a", "b")
	f.Add("\n\na\r\n\n\n\nb", "a\n\nb\n\nc", "c\n\na\n\nb")
	f.Add("a\n\na\n\na", "a\n\na", "a\n\na\n\na\n\na")
	f.Fuzz(func(t *testing.T, base, mine, theirs string) {
		got, ok := textdiff.Merge(base, mine, theirs)
		again, okAgain := textdiff.Merge(base, theirs, mine)
		if ok != okAgain || strings.Trim(got, "\n") != strings.Trim(again, "\n") {
			t.Fatalf("%q, %v is %q, %v in the other order", got, ok, again, okAgain)
		}
		if !ok {
			return
		}
		was, own, others, all := linesOf(base), linesOf(mine), linesOf(theirs), linesOf(got)
		for _, counted := range []map[string]int{was, own, others, all} {
			for line := range counted {
				n := all[line]
				lost := was[line] == 0 && n < max(own[line], others[line])
				back := own[line] == 0 && n > others[line] || others[line] == 0 && n > own[line]
				if lost || back || n > own[line]+others[line] {
					t.Fatalf("%d of %q, of which were %d, and they made %d and %d", n, line, was[line], own[line], others[line])
				}
			}
		}
	})
}
