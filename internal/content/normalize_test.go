package content_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

func normalize(t *testing.T, d content.Document) content.Document {
	t.Helper()
	got, err := content.Normalize(d)
	if err != nil {
		t.Fatalf("Normalize: %v", err)
	}
	again, err := content.Normalize(got)
	if err != nil {
		t.Fatalf("Normalize again: %v", err)
	}
	if diff := cmp.Diff(got, again); diff != "" {
		t.Errorf("normalizing again changes the document (-once +twice):\n%s", diff)
	}
	return got
}

func TestNormalizeKeepsFirstLevelHeadingsOutOfTheBody(t *testing.T) {
	for name, tc := range map[string]struct{ markdown, want string }{
		"the title line goes":                {"# Trail shoes\n\nText.", "Text."},
		"in other case and with punctuation": {"# **TRAIL** shoes!\n\nText.", "Text."},
		"underlined":                         {"Trail shoes\n===========\n\nText.", "Text."},
		"at a lower level":                   {"## Trail shoes\n\nText.", "Text."},
		"as a bold line":                     {"**Trail shoes**\n\nText.", "Text."},
		"twice":                              {"# Trail shoes\n\n## Trail shoes\n\nText.", "Text."},
		"below an introduction":              {"Hello.\n\n# Trail shoes\n\nText.", "Hello.\n\n\nText."},
		"but not a section of that name":     {"Hello.\n\n## Trail shoes\n\nText.", "Hello.\n\n## Trail shoes\n\nText."},
		"another first-level heading":        {"# Other\n\nText.", "## Other\n\nText."},
		"an underlined one":                  {"Other\n==\n\nText.", "Other\n--\n\nText."},
		"an empty one":                       {"Text.\n\n#\n\nMore.", "Text.\n\n##\n\nMore."},
		"with closing signs":                 {"# Other #\n\nText.", "## Other #\n\nText."},
		"in a quote":                         {"> # Other\n\n> Under\n> ===", "> ## Other\n\n> Under\n> ---"},
		"in a list":                          {"- # Other\n1.  Under\n    ==", "- ## Other\n1.  Under\n    --"},
		"in raw HTML": {
			"<H1 class=\"x\">Other</H1>\n\nText <h1>x</h1>", "<H2 class=\"x\">Other</H2>\n\nText <h2>x</h2>",
		},
		"not in code":       {"```\n# comment\n<h1>\n```\n\n`# x <h1>`", "```\n# comment\n<h1>\n```\n\n`# x <h1>`"},
		"not a number sign": {"Text #1\n\n#hashtag", "Text #1\n\n#hashtag"},
	} {
		t.Run(name, func(t *testing.T) {
			got := normalize(t, content.Document{Title: "Trail shoes", Markdown: tc.markdown})
			if got.Markdown != tc.want {
				t.Errorf("body = %q, want %q", got.Markdown, tc.want)
			}
			if html, err := content.HTML(got.Markdown); err != nil || strings.Contains(html, "<h1") {
				t.Errorf("HTML = %q, %v, want no <h1>", html, err)
			}
		})
	}
}

func TestNormalizeTakesTheTitleFromTheBody(t *testing.T) {
	got := normalize(t, content.Document{Markdown: "# The *best* shoes &amp; socks\n\nText."})
	if got.Title != "The best shoes & socks" || got.Markdown != "Text." {
		t.Errorf("title = %q, body = %q", got.Title, got.Markdown)
	}
}

func TestNormalizeFillsMetaFieldsFromTheText(t *testing.T) {
	long := strings.Repeat("A sentence of words. ", 20)
	got := normalize(t, content.Document{
		Title:    "A title that goes on for longer than what a search engine would show of it",
		Markdown: "## Heading\n\n" + long + "\n\nMore.",
	})
	if got.MetaTitle != "A title that goes on for longer than what a search engine" {
		t.Errorf("meta title = %q", got.MetaTitle)
	}
	if n := utf8.RuneCountInString(got.MetaDescription); n > 160 || n < 80 || !strings.HasSuffix(got.MetaDescription, "words.") {
		t.Errorf("meta description = %q (%d characters)", got.MetaDescription, n)
	}
	kept := normalize(t, content.Document{Title: "T", Markdown: "Text.", MetaTitle: "Mine", MetaDescription: "Mine too"})
	if kept.MetaTitle != "Mine" || kept.MetaDescription != "Mine too" {
		t.Errorf("given meta fields became %q and %q", kept.MetaTitle, kept.MetaDescription)
	}
	chinese := normalize(t, content.Document{Title: "跑鞋", Markdown: strings.Repeat("跑鞋很好。", 100)})
	if n := utf8.RuneCountInString(chinese.MetaDescription); n > 80 || n < 40 {
		t.Errorf("meta description = %q (%d characters)", chinese.MetaDescription, n)
	}
	table := normalize(t, content.Document{Title: "Only a table", Markdown: "| a |\n|---|\n| b |"})
	if table.MetaDescription == "" {
		t.Error("the meta description is empty")
	}
}

// An alternative text says what is to be seen, and not what the article says.
func TestTheTextOfAnImageIsNoDescription(t *testing.T) {
	for markdown, want := range map[string]string{
		"![A pot](/pot.png)\n\nSoup for *winter*.":       "Soup for winter.",
		"![A pot](/pot.png) Soup for winter.":            "Soup for winter.",
		"[![A pot](/pot.png)](/pots)\n\n## Soup\n\nHot.": "Hot.",
		"![A pot](/pot.png)":                             "Soups",
	} {
		if got := normalize(t, content.Document{Title: "Soups", Markdown: markdown}); got.MetaDescription != want {
			t.Errorf("%q: the meta description is %q, want %q", markdown, got.MetaDescription, want)
		}
	}
}

func TestNormalizeHoldsTheBounds(t *testing.T) {
	faq := make([]v1alpha1.FAQ, 0, 70)
	for i := range 70 {
		faq = append(faq, v1alpha1.FAQ{Question: strings.Repeat("ü", 600+i), Answer: strings.Repeat("ü", 6000)})
		faq[i].Question = strings.Repeat("x", i) + faq[i].Question
	}
	got := normalize(t, content.Document{
		Title: strings.Repeat("ü", 400), MetaTitle: strings.Repeat("ü", 400), MetaDescription: strings.Repeat("ü ", 1400),
		Slug: strings.Repeat("ü", 400), Language: strings.Repeat("x", 50), Markdown: "Text.", FAQ: faq,
	})
	for name, tc := range map[string]struct{ got, want int }{
		"title":            {utf8.RuneCountInString(got.Title), content.MaxTitleChars},
		"meta title":       {utf8.RuneCountInString(got.MetaTitle), content.MaxTitleChars},
		"meta description": {utf8.RuneCountInString(got.MetaDescription), content.MaxMetaDescriptionChars},
		"slug":             {len(got.Slug), content.MaxSlugBytes},
		"language":         {len(got.Language), content.MaxLanguageBytes},
		"questions":        {len(got.FAQ), content.MaxFAQ},
		"question":         {utf8.RuneCountInString(got.FAQ[0].Question), content.MaxQuestionChars},
		"answer":           {utf8.RuneCountInString(got.FAQ[0].Answer), content.MaxAnswerChars},
	} {
		if tc.got > tc.want {
			t.Errorf("%s has size %d, want at most %d", name, tc.got, tc.want)
		}
	}
}

func TestCompleteFillsTheFieldsAndLeavesTheBody(t *testing.T) {
	got, err := content.Complete(content.Document{
		Title: " Better\nshoes ", Slug: "Über uns", Markdown: "## Better shoes\n\nText.", MetaDescription: " Mine ", Language: "de",
		FAQ: []v1alpha1.FAQ{{Question: "Why?", Answer: " Because. "}, {Question: "why", Answer: "Again."}},
	})
	want := content.Document{
		Title: "Better shoes", Slug: "ueber-uns", Markdown: "## Better shoes\n\nText.", MetaTitle: "Better shoes", MetaDescription: "Mine",
		Language: "de", FAQ: []v1alpha1.FAQ{{Question: "Why?", Answer: "Because."}},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Complete = %v (-want +got):\n%s", err, diff)
	}
	if _, err := content.Complete(content.Document{Title: "\n", Markdown: "Text."}); !errors.Is(err, content.ErrNoTitle) {
		t.Errorf("Complete = %v, want ErrNoTitle", err)
	}
}

func TestNormalizeTidiesText(t *testing.T) {
	got := normalize(t, content.Document{
		Title: "  Two\nlines\t of \x07title ", Markdown: "\ufeff\r\n \r\n    code\r\n\r\nText\x00 \xff.\r\n\r\n",
		Language: " de-CH ", Slug: "Über uns",
		FAQ: []v1alpha1.FAQ{{Question: " Why? ", Answer: "Because.\r\n\r\n\r\nYes. "},
			{Question: "why", Answer: "Again."}, {Question: "", Answer: "x"}, {Question: "x"},
		},
	})
	want := content.Document{
		Title: "Two lines of title", Markdown: "    code\n\nText \ufffd.", Language: "de-CH", Slug: "ueber-uns",
		MetaTitle: "Two lines of title", MetaDescription: "Text \ufffd.",
		FAQ: []v1alpha1.FAQ{{Question: "Why?", Answer: "Because.\n\nYes."}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Normalize (-want +got):\n%s", diff)
	}
}

func TestNormalizeRefusesInvalidArticles(t *testing.T) {
	for name, tc := range map[string]struct {
		doc  content.Document
		want error
	}{
		"no title":     {content.Document{Markdown: "Text."}, content.ErrNoTitle},
		"no text":      {content.Document{Title: "T", Markdown: " \n\t"}, content.ErrNoBody},
		"only a title": {content.Document{Markdown: "# T"}, content.ErrNoBody},
		"too long":     {content.Document{Title: "T", Markdown: strings.Repeat("ü", v1alpha1.MaxMarkdownBytes/2+1)}, content.ErrTooLong},
		"grows too long": {
			content.Document{Title: "T", Markdown: "# a\n" + strings.Repeat("b", v1alpha1.MaxMarkdownBytes-4)}, content.ErrTooLong,
		},
		"HTML too long": {
			content.Document{Title: "T", Markdown: "[a]: https://example.com/" + strings.Repeat("a", 100000) + "\n" + strings.Repeat("\n[a]\n", 30)},
			content.ErrTooLong,
		},
		"too complex": {content.Document{Title: "T", Markdown: strings.Repeat("[", 100000)}, content.ErrTooComplex},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := content.Normalize(tc.doc); !errors.Is(err, tc.want) {
				t.Errorf("Normalize = %v, want %v", err, tc.want)
			}
		})
	}
}

func TestPlainTextIsWhatAReaderSees(t *testing.T) {
	const markdown = "# A *title* &amp; more\n\nText with [a link](https://example.com), `code`, \\*stars\\* and<br>a break\nin a line.\n\n" +
		"2. two\n3. three\n   - nested\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | **2** |\n\n```go\nx := 1\n```\n\n" +
		"<div>raw</div>\n\n---\n\n![a picture](a.png) <https://example.com>"
	const want = "A title & more\n\nText with a link, code, *stars* and a break in a line.\n\n2. two\n3. three\n- nested\n\nquoted\n\n" +
		"a | b\n1 | 2\n\nx := 1\n\na picture https://example.com"
	if got := content.PlainText(markdown); got != want {
		t.Errorf("PlainText = %q\nwant        %q", got, want)
	}
	if got := content.PlainText(strings.Repeat("[", 100000)); got != "" {
		t.Errorf("PlainText of what is too complex = %.20q, want nothing", got)
	}
}
