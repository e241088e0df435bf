package textdiff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/textdiff"
	"github.com/pressroom-dev/pressroom/test/memory"
)

// bound is about twice what the worst of the seeds takes.
var bound = memory.Bound{PerByte: 1500, Constant: 1 << 20}

func FuzzADifferenceTakesMemoryByTheSizeOfItsDocuments(f *testing.F) {
	of := func(unit string) string { return strings.Repeat(unit, (100<<10)/len(unit)) }
	var up, down, shuffled strings.Builder
	const n = 15_000
	for i := range n {
		fmt.Fprintf(&up, "%d ", i)
		fmt.Fprintf(&down, "%d ", n-i)
		fmt.Fprintf(&shuffled, "%d\n", i*7919%n)
	}
	for _, pair := range [][2]string{
		{"", ""}, {of("a "), of("b ")}, {of("a b "), of("b a c ")}, {of("a\n"), of("b\na\n")}, {of("a\n\n"), of("b\nc\n\n")}, {of("!?"), of("?.!")},
		{of("a\u0301"), of("\u0301a")}, {of("\xff"), of("\x00")}, {up.String(), down.String()}, {strings.ReplaceAll(up.String(), " ", "\n"), shuffled.String()},
	} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		bound.Check(t, len(before)+len(after), func() { textdiff.Compare(before, after) })
	})
}
