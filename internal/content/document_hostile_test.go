package content_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// filled repeats a text up to the largest size of a body.
func filled(unit string) string { return strings.Repeat(unit, v1alpha1.MaxMarkdownBytes/len(unit)) }

// ordinary is an article of the largest size, with all the markup that articles have.
func ordinary() string {
	return filled("## What to look for\n\nLugs of *4 mm* or more, and a [heel](https://acme.example/heel) that holds, on **any** ground, " +
		"with `code` and more words that follow here.\n\n- one item\n- another item\n\n| a | b |\n|---|---|\n| c | d |\n\n")
}

// hostileTexts take as long to parse as their authors could make them. Some are refused.
func hostileTexts() map[string]string {
	texts := map[string]string{
		"quotes": filled(strings.Repeat(">", 99) + "a\n"), "quotes apart": filled(strings.Repeat("> ", 99) + "a\n\n"),
		"lists": filled(strings.Repeat("- ", 99) + "a\n"), "numbered lists": filled(strings.Repeat("1. ", 99) + "a\n"),
		"a list of letters": filled("- a\n"), "headings": filled("# a\n"), "underlined headings": filled("a\n=\n\n"),
		"wide tables": filled("|" + strings.Repeat("a|", 300) + "\n|" + strings.Repeat("-|", 300) + "\n" + strings.Repeat("|\n", 300) + "\n"),
		"long tables": filled("|" + strings.Repeat("a|", 20) + "\n|" + strings.Repeat("-|", 20) + "\n" + strings.Repeat("|"+strings.Repeat("a|", 20)+"\n", 20) + "\n"),
		"tags":        filled("<div><b><i>"), "first-level headings in HTML": filled("<h1>"),
		"entities": filled("&amp;"), "escapes": filled("\\*"), "marks": filled("a" + strings.Repeat("\u0301", 200)), "blanks": filled(strings.Repeat(" ", 500) + "a\n"),
		"references": strings.Repeat("[a]: b\n", 1990) + "\n" + strings.Repeat("[a] [a]\n\n", 27_000),
	}
	for _, unit := range []string{"[a](", "[", "![", "*a ", "*a* ", "a*", "_a ", "~a", "`", "<a ", "[a](b) ", "http://a ", "a@b.c "} {
		for _, n := range []int{40, 100, 200, 300, 500, 1000, 1900} {
			texts[fmt.Sprintf("%d of %q in each paragraph", n, unit)] = filled(strings.Repeat(unit, n) + "\n\n")
		}
	}
	return texts
}

func TestTheBoundsOfMarkupAreForTheWholeText(t *testing.T) {
	for name, text := range map[string]string{
		"links that do not end in many paragraphs": filled(strings.Repeat("[a](", 500) + "\n\n"),
		"emphasis in many paragraphs":              filled(strings.Repeat("*a ", 1000) + "\n\n"),
		"nested lists on many lines":               filled(strings.Repeat("- ", 99) + "a\n"),
		"cells that the rows of a table lack": "|" + strings.Repeat("a|", 100) + "\n|" + strings.Repeat("-|", 100) + "\n" +
			strings.Repeat("|\n", 400),
	} {
		if _, err := content.Normalize(content.Document{Title: "T", Markdown: text}); !errors.Is(err, content.ErrTooComplex) {
			t.Errorf("%s: got %v, want ErrTooComplex", name, err)
		}
	}
	if _, err := content.Normalize(content.Document{Title: "T", Markdown: ordinary()}); err != nil {
		t.Errorf("an ordinary text of the largest size: %v", err)
	}
}

// BenchmarkHostileMarkdown measures how many times longer than an ordinary text of the same size the worst text takes to be normalized
// and rendered: of those that are accepted, and of those that are refused.
func BenchmarkHostileMarkdown(b *testing.B) {
	for b.Loop() {
		base, err := timed(ordinary())
		if err != nil {
			b.Fatal(err)
		}
		var accepted, refused time.Duration
		worst := ""
		for name, text := range hostileTexts() {
			took, err := timed(text)
			if err == nil && took > accepted {
				accepted, worst = took, name
			} else if err != nil {
				refused = max(refused, took)
			}
		}
		b.Log("the worst that is accepted: ", worst)
		b.ReportMetric(float64(base.Milliseconds()), "ordinary-ms")
		b.ReportMetric(accepted.Seconds()/base.Seconds(), "accepted/ordinary")
		b.ReportMetric(refused.Seconds()/base.Seconds(), "refused/ordinary")
	}
}

// timed is the shortest of three times: the machine does other things too.
func timed(text string) (time.Duration, error) {
	shortest := time.Duration(1<<63 - 1)
	var failed error
	for range 3 {
		began := time.Now()
		d, err := content.Normalize(content.Document{Title: "T", Markdown: text})
		if failed = err; err == nil {
			_, failed = content.HTML(d.Markdown)
		}
		shortest = min(shortest, time.Since(began))
	}
	return shortest, failed
}
