package textdiff_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/textdiff"
)

// written shows paragraphs with [-removed-] and {+added+} words, and | between paragraphs.
func written(paragraphs []textdiff.Paragraph) string {
	var out []string
	for _, p := range paragraphs {
		var line strings.Builder
		for _, s := range p.Spans {
			text := strings.ReplaceAll(s.Text, "\n", "¶")
			switch s.Kind {
			case textdiff.Added:
				text = "{+" + text + "+}"
			case textdiff.Removed:
				text = "[-" + text + "-]"
			}
			line.WriteString(text)
		}
		out = append(out, line.String())
	}
	return strings.Join(out, " | ")
}

// sides returns the old and the new document that paragraphs are made of.
func sides(paragraphs []textdiff.Paragraph) (before, after string) {
	var olds, news strings.Builder
	for _, p := range paragraphs {
		for _, s := range p.Spans {
			if s.Kind != textdiff.Added {
				olds.WriteString(s.Text)
			}
			if s.Kind != textdiff.Removed {
				news.WriteString(s.Text)
			}
		}
	}
	return olds.String(), news.String()
}

func TestWhatAReaderSeesOfAChange(t *testing.T) {
	for _, row := range []struct{ name, before, after, want string }{
		{"nothing at all", "", "", ""},
		{"the same", "One.\n\nTwo.", "One.\n\nTwo.", "One.¶¶ | Two."},
		{"a word", "A red shoe.", "A blue shoe.", "A [-red-]{+blue+} shoe."},
		{"the end of a word is a word", "One shoe.", "One shoes.", "One [-shoe-]{+shoes+}."},
		{"a sign", "It is open", "It is open!", "It is open{+!+}"},
		{"a first text", "", "One.", "{+One.+}"},
		{"a paragraph more", "One.\n\nTwo.\n", "One.\n\nNew.\n\nTwo.\n", "One.¶¶ | {+New.¶¶+} | Two.¶"},
		{"a paragraph less", "One.\n\nOld.\n\nTwo.\n", "One.\n\nTwo.\n", "One.¶¶ | [-Old.¶¶-] | Two.¶"},
		{"each paragraph has its own words", "A cat.\n\nA dog.\n", "A cow.\n\nA fox.\n", "A [-cat-]{+cow+}.¶¶ | A [-dog-]{+fox+}.¶"},
		{"a script without spaces", "我喜欢红色", "我喜欢蓝色", "我喜欢[-红-]{+蓝+}色"},
		{"a word with an apostrophe is one", "It's here", "It was here", "[-It's-]{+It was+} here"},
		{"an accent belongs to its letter", "cafe\u0301s", "cafes", "[-cafe\u0301s-]{+cafes+}"},
		{
			"words in common do not tear sentences apart", "Why would anybody run the whole night long",
			"Nobody asked her where the old map went", "[-Why would anybody run the whole night long-]{+Nobody asked her where the old map went+}",
		},
	} {
		if got := written(textdiff.Compare(row.before, row.after)); got != row.want {
			t.Errorf("%s: got  %s\nwant %s", row.name, got, row.want)
		}
	}
}

func TestOnlyChangedParagraphsAreChanged(t *testing.T) {
	var changed []bool
	for _, p := range textdiff.Compare("One.\n\nTwo.\n\nThree.", "One.\n\nTwo!\n\nThree.") {
		changed = append(changed, p.Changed())
	}
	if got := fmt.Sprint(changed); got != "[false true false]" {
		t.Errorf("got %s, want the second alone", got)
	}
}

// The library gives up after some differences.
func TestManySmallChangesAreAllFoundByWords(t *testing.T) {
	var before, after strings.Builder
	const edits = 400
	for i := range edits {
		fmt.Fprintf(&before, "This is sentence number %d about the red shoe, which nobody has worn. ", i)
		fmt.Fprintf(&after, "This is sentence number %d about the blue shoe, which nobody has worn. ", i)
	}
	found := 0
	for _, p := range textdiff.Compare(before.String(), after.String()) {
		for _, s := range p.Spans {
			switch s.Kind {
			case textdiff.Removed:
				if s.Text != "red" {
					t.Fatalf("%.200q is removed, want red", s.Text)
				}
				found++
			case textdiff.Added:
				if s.Text != "blue" {
					t.Fatalf("%.200q is added, want blue", s.Text)
				}
			}
		}
	}
	if found != edits {
		t.Errorf("%d words are removed, want %d", found, edits)
	}
}

func TestLargeDocumentsAreComparedByLines(t *testing.T) {
	line := strings.Repeat("many words ", 10) + "\n"
	before := strings.Repeat(line, textdiff.MaxWordBytes/len(line)+1) + "A red shoe.\n"
	after := strings.TrimSuffix(before, "A red shoe.\n") + "A blue shoe.\n"
	got := textdiff.Compare(before, after)
	last := got[len(got)-2:]
	if want := "[-A red shoe.¶-] | {+A blue shoe.¶+}"; written(last) != want {
		t.Errorf("got %s, want %s", written(last), want)
	}
}

func FuzzBothDocumentsAreInTheDifference(f *testing.F) {
	f.Add("", "")
	f.Add("One.\n\nTwo.", "One!\n\n\nThree. Two.")
	f.Add("\n\n# A\n", "# A\n\n\xff\xfe\u0301")
	f.Add("'’", "a'b’c")
	f.Add("# Huts\n\n- one\n- two\n\n我喜欢", "# Hut\n\n- two\n- three\n\n我不喜欢\r\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		gotBefore, gotAfter := sides(textdiff.Compare(before, after))
		if gotBefore != before {
			t.Errorf("same and removed give %q, want %q", gotBefore, before)
		}
		if gotAfter != after {
			t.Errorf("same and added give %q, want %q", gotAfter, after)
		}
	})
}

// unlike returns two documents of some bytes with nothing in common but frequent words.
func unlike(size int) (before, after string) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func(name string) string {
		var b strings.Builder
		for b.Len() < size {
			switch random.IntN(10) {
			case 0:
				b.WriteString("the ")
			case 1:
				b.WriteString("and ")
			default:
				fmt.Fprintf(&b, "%s%d ", name, random.IntN(5000))
			}
			if random.IntN(60) == 0 {
				b.WriteString("\n\n")
			}
		}
		return b.String()
	}
	return text("alpha"), text("beta")
}

func TestUnlikeDocumentsAreWhole(t *testing.T) {
	before, after := unlike(60 << 10)
	if gotBefore, gotAfter := sides(textdiff.Compare(before, after)); gotBefore != before || gotAfter != after {
		t.Error("the difference has not both documents")
	}
}

func BenchmarkCompare(b *testing.B) {
	before, after := unlike(60 << 10)
	edited := strings.Replace(before, "the", "one", 20)
	for name, other := range map[string]string{"unlike60KB": after, "edited60KB": edited} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				textdiff.Compare(before, other)
			}
		})
	}
}
