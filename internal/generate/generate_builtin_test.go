package generate_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/ground"
	"github.com/pressroom-dev/pressroom/internal/language"
)

func builtIn(t *testing.T, r generate.Request) generate.Result {
	t.Helper()
	g, err := generate.New(generate.Config{Type: "BuiltIn"})
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	result, err := g.Generate(t.Context(), r, nil)
	if err != nil {
		t.Fatalf("Generate: %v", err)
	}
	return result
}

func TestBuiltInWritesACompleteOutline(t *testing.T) {
	result := builtIn(t, generate.Request{
		Keyword: "trail running shoes", SecondaryKeywords: []string{"grip", "waterproof"}, Tone: "friendly", Language: "en",
		Audience: "beginners", SiteName: "Acme", Domain: "acme.example",
	})
	doc := result.Document
	text := content.PlainText(doc.Markdown)
	if words := language.CountWords(text); words < 600 {
		t.Errorf("the body has %d words, want 600 or more", words)
	}
	for _, want := range []string{"trail running shoes", "built-in generator", "outline", "grip", "waterproof", "friendly", "beginners", "Acme"} {
		if !language.ContainsPhrase(text, want) {
			t.Errorf("the body does not have %q", want)
		}
	}
	if strings.Count(doc.Markdown, "\n## ") < 5 || len(doc.FAQ) < 3 || doc.MetaTitle == "" || doc.MetaDescription == "" {
		t.Errorf("headings, FAQ or meta fields are missing: %+v", doc)
	}
	if doc.Title != "Trail running shoes: an outline to build on" || doc.Slug != "trail-running-shoes-an-outline-to-build-on" {
		t.Errorf("title = %q, slug = %q", doc.Title, doc.Slug)
	}
	want := check.Input{
		Document: doc, Keyword: "trail running shoes", SecondaryKeywords: []string{"grip", "waterproof"}, SiteURL: "https://acme.example",
	}
	report := result.Report
	if !reflect.DeepEqual(report, check.Run(want)) {
		t.Errorf("the report is not that of the outline, which has one length: %+v", report)
	}
	if score := report.SEOScore(); score < 70 || score > 90 || len(report.Must()) > 0 {
		t.Errorf("score = %d, want that of a placeholder without images and links: %+v", score, report.Failed())
	}
	if result.Model != "" || result.Usage != (generate.Usage{}) {
		t.Errorf("model = %q, usage = %+v, want none", result.Model, result.Usage)
	}
	for _, leftover := range []string{"{", "}"} {
		if strings.Contains(doc.Markdown+doc.Title+doc.MetaDescription, leftover) {
			t.Errorf("a name in braces was not filled in")
		}
	}
}

func TestBuiltInIsDeterministic(t *testing.T) {
	request := generate.Request{Keyword: "coffee", SecondaryKeywords: []string{"beans"}, AvoidWords: []string{"unleash"}}
	if diff := cmp.Diff(builtIn(t, request), builtIn(t, request)); diff != "" {
		t.Errorf("the same request gave another article:\n%s", diff)
	}
}

func TestBuiltInTakesAnyKeywordAsPlainText(t *testing.T) {
	plain, err := content.HTML(builtIn(t, generate.Request{Keyword: "ab", SecondaryKeywords: []string{"cd"}}).Document.Markdown)
	if err != nil {
		t.Fatal(err)
	}
	for _, keyword := range []string{
		"# heading", "*bold* _it_ ~~no~~", "[link](https://example.com)", "<script>alert(1)</script>", "a | b", "`code`", "![x](y.png)",
		"https://example.com/a", "www.example.com", "me@example.com", "&amp; &copy;", "C#", "C++", "back\\slash", "1. list", "- item", "> quote",
		"跑鞋", "größer & schöner", "أحذية", "👟👟", "{site} {secondary} {keyword}", "line\nbreak", "%s %d", "$1", strings.Repeat("long ", 39),
	} {
		t.Run(keyword, func(t *testing.T) {
			doc := builtIn(t, generate.Request{Keyword: keyword, SecondaryKeywords: []string{keyword}}).Document
			html, err := content.HTML(doc.Markdown)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Join(strings.Fields(keyword), " ")
			if text := content.PlainText(doc.Markdown); !strings.Contains(text, "This outline about "+want+" was") || !strings.Contains(text, "On "+want+",") {
				t.Errorf("the text does not have the keyword as it is: %.200q", text)
			}
			if diff := cmp.Diff(tags(plain), tags(html)); diff != "" {
				t.Errorf("the keyword makes markup (-plain +this):\n%s", diff)
			}
			if !strings.Contains(strings.ToLower(doc.Title), strings.ToLower(want)) {
				t.Errorf("title = %q, want the keyword in it", doc.Title)
			}
		})
	}
}

// tags lists the tags of an HTML text.
func tags(html string) []string {
	var out []string
	for rest := html; ; {
		_, after, ok := strings.Cut(rest, "<")
		if !ok {
			return out
		}
		tag, more, _ := strings.Cut(after, ">")
		out, rest = append(out, tag), more
	}
}

func TestBuiltInAllowsTheWordsOfTheKeyword(t *testing.T) {
	doc := builtIn(t, generate.Request{Keyword: "budget trail shoes", AvoidWords: []string{"budget", "game-changer", " "}, SiteName: "Acme"}).Document
	if !language.ContainsPhrase(doc.Title, "budget") {
		t.Errorf("title = %q, want the keyword in it", doc.Title)
	}
}

func TestBuiltInNamesTheWordThatItCannotAvoid(t *testing.T) {
	g, err := generate.New(generate.Config{Type: "BuiltIn"})
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"the", "generator", "table", "to build on", "sources and links", "Acme", strings.Repeat("long ", 20) + "budget"} {
		_, err := g.Generate(t.Context(), generate.Request{
			Keyword: "shoes", SiteName: "Acme", Tone: strings.Repeat("long ", 20) + "budget", AvoidWords: []string{"game-changer", word},
		}, nil)
		if got := wantError(t, err, v1alpha1.ReasonInvalidAnswer, false); !strings.Contains(got.Message, `"`+word[:3]) {
			t.Errorf("message = %q, want %q in it", got.Message, word)
		}
	}
}

func TestBuiltInReportsItsProgressAndStopsWhenCancelled(t *testing.T) {
	g, err := generate.New(generate.Config{Type: "BuiltIn"})
	if err != nil {
		t.Fatal(err)
	}
	var seen [][2]int
	if _, err := g.Generate(t.Context(), generate.Request{Keyword: "shoes"}, func(step, steps int) { seen = append(seen, [2]int{step, steps}) }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][2]int{{1, 3}, {2, 3}, {3, 3}}, seen); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Generate(ctx, generate.Request{Keyword: "shoes"}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Generate = %v, want context.Canceled", err)
	}
}

// surveyed is what texts of the tests rest on. One source has the name of a link, and one no address.
func surveyed() *ground.Material {
	return &ground.Material{
		Facts: []string{"Acme sells 42 trail models [and more]."},
		Sources: []ground.Source{
			{Name: "survey", Title: "Trail survey [2025]", URL: "https://survey.example/2025", Text: "Of all runners, 61 percent own two pairs."},
			{Name: "a1", Title: "Field notes", Text: "The lugs of a new pair are 5 mm deep."},
		},
	}
}

func TestBuiltInUsesFactsAndSources(t *testing.T) {
	result := builtIn(t, generate.Request{Keyword: "trail running shoes", Language: "en", Material: surveyed()})
	html, err := content.HTML(result.Document.Markdown)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<li>Acme sells 42 trail models [and more].</li>", `<li><a href="https://survey.example/2025">Trail survey [2025]</a></li>`, "<li>Field notes</li>",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("%q is not in the outline:\n%s", want, html)
		}
	}
	if diff := cmp.Diff([]ground.Citation{{Words: "Trail survey [2025]", Source: "survey"}, {Words: "Field notes", Source: "a1"}}, result.Cited); diff != "" {
		t.Errorf("citations (-want +got):\n%s", diff)
	}
	if failed := result.Report.Must(); len(failed) > 0 || strings.Contains(result.Document.Markdown, "[survey]") {
		t.Errorf("the outline fails %v, or has a name of a source:\n%s", failed, result.Document.Markdown)
	}
	without := builtIn(t, generate.Request{Keyword: "trail running shoes", Language: "en", Material: surveyed(), Citations: v1alpha1.CitationNone})
	if strings.Contains(without.Document.Markdown, "survey.example") || len(without.Cited) != 2 {
		t.Errorf("a site without links of citations gets\n%s", without.Document.Markdown)
	}
}
