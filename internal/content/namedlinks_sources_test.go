package content_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/internal/content"
)

// cited are links with sources. One source has no address.
var cited = content.NamedLinks{
	Most: 2, Links: []content.NamedLink{{Name: "a1", URL: "https://acme.example/soil"}},
	MostSources: 2,
	Sources: []content.NamedLink{
		{Name: "survey", URL: "https://survey.example/2025"}, {Name: "field-test"}, {Name: "third", URL: "https://third.example"},
	},
}

func TestAModelCitesByName(t *testing.T) {
	for _, c := range []struct{ name, markdown, want string }{
		{"a citation", "Of them [42 percent][survey] agree.", "Of them [42 percent][survey] agree."},
		{"one source twice", "[42 percent][survey] and [more words][survey]", "[42 percent][survey] and [more words][survey]"},
		{"more sources than may be", "[one][survey] [two][field-test] [three][third]", "[one][survey] [two][field-test] three"},
		{"in other letters", "Of them [42 percent][Survey] agree.", "Of them [42 percent][survey] agree."},
		{"a name alone", "Of them 42 percent agree [survey]. More.", "[Of them 42 percent agree][survey]. More."},
		{"a name alone behind the sentence", "First one. Of them 42 percent agree. [survey] More.", "First one. [Of them 42 percent agree][survey]. More."},
		{"many words before it", "One two three four five six seven eight [survey].", "One two [three four five six seven eight][survey]."},
		{"two names", "Of them 42 percent agree [survey, field-test].", "[Of them 42 percent agree][survey]."},
		{"a number", "Of them 42 percent agree [1].", "[Of them 42 percent agree][survey]."},
		{"a number with a letter", "Of them 42 percent agree [s2].", "[Of them 42 percent agree][field-test]."},
		{"a number behind words", "Of them [42 percent][1] agree.", "Of them [42 percent][survey] agree."},
		{"a number that is too high", "Of them 42 percent agree [9].", "[Of them 42 percent agree][9]."},
		{"a note", "Of them 42 percent agree (source: survey).", "[Of them 42 percent agree][survey]."},
		{"a note of another language", "Davon sind 42 Prozent einig (Quelle: survey).", "[Davon sind 42 Prozent einig][survey]."},
		{"a note in brackets", "Of them 42 percent agree [source: survey].", "[Of them 42 percent agree][survey]."},
		{"a note about something else", "Boots (example: leather) last.", "Boots (example: leather) last."},
		{"a note of what is no source", "Of them 42 percent agree (source: gazette).", "[Of them 42 percent agree][gazette]."},
		{"a name that is no source", "Of them [42 percent][gazette] agree.", "Of them [42 percent][gazette] agree."},
		{"an article that is not given", "Read [good words][a9] here.", "Read [good words][a9] here."},
		{"an article", "Read [good words][a1] here.", "Read [good words][a1] here."},
		{"the name as an address", "Of them [42 percent](survey) agree.", "Of them [42 percent][survey] agree."},
		{"the name with an address", "Of them 42 percent agree [survey](https://evil.example).", "[Of them 42 percent agree][survey]."},
		{"the name twice", "Of them 42 percent agree [survey][survey].", "[Of them 42 percent agree][survey]."},
		{"a footnote", "Of them 42 percent agree [^survey].\n\n[^survey]: Trail survey", "[Of them 42 percent agree][survey]."},
		{"a footnote without a text", "Of them 42 percent agree [^survey].", "[Of them 42 percent agree][survey]."},
		{"a footnote of the text", "Of them all agree[^1].\n\n[^1]: But one.", "Of them all agree[^1].\n\n[^1]: But one."},
		{"nothing before it", "[survey] Of them 42 percent agree.", " Of them 42 percent agree."},
		{"behind markup", "Of **them** [survey] agree.", "Of **them** agree."},
		{"within markup", "Of **them all [survey]** agree.", "Of **[them all][survey]** agree."},
		{"in a heading", "## What [42 percent][survey] say [1]", "## What 42 percent say"},
		{"a definition of its own", "[good words][survey]\n\n[survey]: https://evil.example", "[good words][survey]\n\n"},
		{"an address before it", "All of it is at https://evil.example today [survey].", "[All of it is at  today][survey]."},
		{"behind an address", "All of it is at https://evil.example. [survey]", "[All of it is at][survey]."},
		{"behind half an address", "All of it is at https://evil [survey].", "All of it is at ."},
		{"over two lines", "Of them [42\npercent][survey] agree.", "Of them [42 percent][survey] agree."},
		{"code", "Write `[survey]` or `m[x][survey]`.", "Write `[survey]` or `m[x][survey]`."},
		{"without blanks", "跑者のうち四割が靴を替える [survey]。", "[跑者のうち四割が靴を替える][survey]。"},
		{"brackets", "A list [of words] and a[i].", "A list [of words] and a[i]."},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := cited.Apply(c.markdown)
			if strings.TrimSpace(got) != strings.TrimSpace(c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if again, removed := cited.Apply(got); again != got || removed != 0 {
				t.Errorf("a second time it is %q", again)
			}
		})
	}
}

func TestReadersSeeNoNameOfASource(t *testing.T) {
	const body = "Of [42 percent][survey], *[all runners][field-test]* and [some][gazette], [read on][a1]. `[x][survey]`\n\nAgain [42 percent][survey]."
	got, citations := cited.Define(body)
	const want = "Of [42 percent][s1], *all runners* and some, [read on][a1]. `[x][survey]`\n\nAgain [42 percent][s1].\n\n" +
		"[a1]: <https://acme.example/soil>\n[s1]: <https://survey.example/2025>"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	wantCited := []content.Citation{{"42 percent", "survey"}, {"all runners", "field-test"}, {"some", "gazette"}, {"42 percent", "survey"}}
	if diff := cmp.Diff(wantCited, citations); diff != "" {
		t.Errorf("citations (-want +got):\n%s", diff)
	}
	split, links := content.SplitLinks(got)
	if len(links) != 2 || links[1].Name != "s1" || links[1].URL != "https://survey.example/2025" {
		t.Errorf("links = %v", links)
	}
	again := content.NamedLinks{Links: links}.Rename(split, func(name, _ string) string {
		return map[string]string{"a1": "a2", "s1": "survey"}[name]
	})
	if want := "Of [42 percent][survey], *all runners* and some, [read on][a2]. `[x][survey]`\n\nAgain [42 percent][survey]."; again != want {
		t.Errorf("with other names it is %q, want %q", again, want)
	}
}

// The answers of hostile models have no address but those that we gave, and no name of a source.
func TestHostileAnswersCiteNothingButSources(t *testing.T) {
	for _, place := range places {
		for _, attack := range append([]string{"[x][survey]", "[survey]", "[^survey]", "[survey][survey]", "(source: survey)"}, attacks...) {
			markdown := "Of runners [42 percent][survey] agree.\n\n" + strings.Replace(place, "%s", attack, 1)
			body, _ := cited.Apply(markdown)
			body, _ = cited.Define(body)
			rest := strings.NewReplacer("https://survey.example/2025", "", "https://acme.example/soil", "").Replace(body)
			if found := visible.FindString(rest); found != "" || strings.Contains(rest, "survey") {
				t.Errorf("%q became %q, which has %q or the name of a source", markdown, body, found)
			}
		}
	}
	brackets, _ := cited.Apply(strings.Repeat("[", 24<<10) + strings.Repeat("[survey]", 3<<10) + strings.Repeat("][", 12<<10))
	if _, err := content.HTML(brackets); err != nil {
		t.Logf("brackets are refused: %v", err)
	}
}
