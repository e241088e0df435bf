package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// What a person looks for in the text is named as the text has it.
func TestAFailedCheckNamesThePassagesThatItIsAbout(t *testing.T) {
	long := "We walk " + strings.Repeat("on and on ", 10) + "today."
	for name, tc := range map[string]struct {
		text string
		want []string
	}{
		"sentence-length":           {long + " We rest.\n\nIt **rains** " + strings.Repeat("a lot ", 20) + "here.", []string{long, "It rains " + strings.Repeat("a lot ", 20) + "here."}},
		"paragraph-length":          {strings.Repeat("Walk on. ", 90) + "\n\nRest.", []string{strings.Repeat("Walk on. ", 90)[:300]}},
		"sentence-beginnings":       {"It rains. We walk. We *run*. We rest.", []string{"We walk.", "We run.", "We rest."}},
		"stock-phrases":             {"Delve into\naplethora of, or a plethora — of shoes. It is Important to note that they fit.", []string{"Delve into", "a plethora — of", "It is Important to note"}},
		"closing-moral":             {"Shoes.\n\nIn conclusion, shoes matter.", []string{"In conclusion"}},
		"placeholders":              {"Call [your company name] now.", []string{"your company name"}},
		"avoided-words":             {"A cheap shoe. A good shoe. The cheap ones.", []string{"A cheap shoe.", "The cheap ones."}},
		"competing-links":           {"Buy [trail shoes](https://o.example) now.", []string{"trail shoes"}},
		"outbound-links":            {`Ask <a href="https://o.example" rel="nofollow">the shop</a>.`, []string{"the shop"}},
		"keyphrase-density":         {strings.Repeat("Trail shoes are light. ", 3) + "They are red.", []string{"Trail shoes are light."}},
		"keyphrase-in-introduction": {"They are red.\n\nThey are light.", []string{"They are red."}},
		"keyphrase-in-subheadings":  {"Trail shoes.\n\n## Grip\n\nHold.\n\n## Fit\n\nSit.", []string{"Grip", "Fit"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := find(t, check.Run(check.Input{
				Document: content.Document{Title: "Trail shoes", Language: "en", Markdown: tc.text}, Keyword: "trail shoes", AvoidWords: []string{"cheap"},
			}), name)
			if diff := cmp.Diff(tc.want, f.Passages); f.Result != check.Failed || diff != "" {
				t.Errorf("%s: %s; passages (-want +got):\n%s", f.Result, f.Message, diff)
			}
		})
	}
}

func TestPassagesAreFewAndShort(t *testing.T) {
	var text strings.Builder
	for i := range 50 {
		fmt.Fprintf(&text, "Number %d goes %s.\n\n", i, strings.Repeat("on and on ", 60))
	}
	f := find(t, check.Run(check.Input{Document: content.Document{Title: "T", Language: "en", Markdown: text.String()}}), "sentence-length")
	if len(f.Passages) != 20 || len(f.Passages[0]) != 300 {
		t.Errorf("%d passages, the first of %d bytes; want 20 of 300", len(f.Passages), len(f.Passages[0]))
	}
}

// A title and a slug are no article.
func TestATextOfFewWordsHasALowScore(t *testing.T) {
	in := good(t)
	whole := check.Run(in).SEOScore()
	for _, tc := range []struct {
		text string
		most int
	}{
		{"Trail running shoes " + strings.Repeat("fall ", 9), 12},
		{"Trail running shoes " + strings.Repeat("fall ", 29), 32},
		{"Shoes.", 1},
		{"", 0},
	} {
		in.Document.Markdown = tc.text
		r := check.Run(in)
		if got := r.SEOScore(); got > tc.most {
			t.Errorf("a text of %d words scores %d, want at most as many", r.Words, got)
		}
		want := fmt.Sprintf("the text has %d words; it should have at least 300, and with fewer than 100, the score is at most the number of words", tc.most)
		if got := find(t, r, "text-length").Message; tc.most > 1 && got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
	if whole != 99 {
		t.Errorf("the whole text scores %d, want 99", whole)
	}
}

func TestHowOftenTheKeywordShouldBeThereIsASentence(t *testing.T) {
	words := func(n int) string { return strings.Repeat("walk ", n) }
	for text, want := range map[string]string{
		words(12):                    "the keyword is not in the text; it should be there once",
		words(60):                    "the keyword is not in the text; it should be there once or twice",
		"Trail shoes. " + words(300): "the keyword is in the text once; it should be there 2 to 6 times",
		strings.Repeat("Trail shoes. ", 2) + words(12): "the keyword is in the text twice; it should be there at most once",
	} {
		in := check.Input{Document: content.Document{Title: "T", Language: "en", Markdown: text}, Keyword: "trail shoes"}
		if got := find(t, check.Run(in), "keyphrase-density").Message; got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
}
