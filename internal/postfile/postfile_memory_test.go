package postfile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/postfile"
	"github.com/pressroom-dev/pressroom/test/memory"
)

// bound is about twice what the worst of the seeds takes. The constant is for what aliases stand for, which is bounded.
var bound = memory.Bound{PerByte: 1000, Constant: 32 << 20}

// withFront returns a file with this front matter.
func withFront(yaml string) string { return "---\n" + yaml + "\n---\nThey grip." }

// bomb has lists of nine aliases of the list before.
func bomb(levels int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x]\n")
	for i := range levels {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i), 9), ","))
	}
	return b.String()
}

// copies has a text, and aliases of it.
func copies(size, n int) string {
	return "a: &a " + strings.Repeat("x", size) + "\nfaq: [" + strings.Repeat("*a,", n) + "]"
}

func FuzzFilesTakeMemoryByTheirSize(f *testing.F) {
	for _, front := range []string{
		"", "title: A", bomb(3), bomb(9), copies(10_000, 100), copies(10_000, 5000), copies(100_000, 50_000), "a: &a [*a]",
		"a: " + strings.Repeat("[", 9000), "a: " + strings.Repeat("{a: ", 9000), "a: [" + strings.Repeat("1,", 20_000) + "]",
		"faq:\n" + strings.Repeat("- {}\n", 9000), "a: &a {" + strings.Repeat("b: 1,", 300) + "}\n" + strings.Repeat("b: {<<: *a}\n", 300),
	} {
		f.Add(withFront(front))
	}
	f.Fuzz(func(t *testing.T, file string) {
		bound.Check(t, len(file), func() { _, _ = postfile.Parse([]byte(file)) })
	})
}

func TestAliasesAreTheirAnchors(t *testing.T) {
	got, err := postfile.Parse([]byte(withFront("title: &name Huts\nkeyword: *name")))
	if err != nil || got.Keyword != "Huts" || got.Document.Title != "Huts" || got.Document.Markdown != "They grip." {
		t.Errorf("got %+v, %v", got, err)
	}
}
