package related_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/internal/related"
)

func names(articles []related.Article) []string {
	var found []string
	for _, a := range articles {
		found = append(found, a.Name)
	}
	return found
}

// What is remembered of an article is what it was about when it was read.
func TestAMemoryFollowsChanges(t *testing.T) {
	m := related.NewMemory()
	of := related.Article{Name: "new", Title: "trail running shoes", Keyword: "trail running shoes", Language: "en"}
	others := []related.Article{
		{Name: "same", Title: "Old title", Keyword: "running trail shoe", Language: "en"},
		{Name: "near", Title: "Shoes for trails", URL: "https://acme.example/near", Language: "en"},
		{Name: "far", Title: "Garden hoses", URL: "https://acme.example/far", Language: "en"},
		{Name: "foreign", Title: "Trail running shoes", URL: "https://acme.example/foreign", Language: "de"},
	}
	look := func(scope string, wantSame, wantLinks []string) {
		t.Helper()
		same, links := m.Compare(scope, of, others, 3)
		if diff := cmp.Diff(wantSame, same) + cmp.Diff(wantLinks, names(links)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	look("acme/a", []string{"same"}, []string{"near"})
	look("acme/a", []string{"same"}, []string{"near"})
	others[0].Keyword, others[2].Title = "garden hoses", "Hoses and running shoes"
	look("acme/a", nil, []string{"near", "far"})
	others = others[1:2]
	look("acme/b", nil, []string{"near"})
	of.Title, of.Keyword = "the", "the"
	look("acme/b", nil, nil)
}

func TestCandidatesAreTheNearestAndInOrder(t *testing.T) {
	of := related.Article{Name: "new", Title: "trail running shoes", Language: "en"}
	others := []related.Article{
		{Name: "c", Title: "Shoes", URL: "https://acme.example/c", Language: "en"},
		{Name: "b", Title: "Trail shoes", URL: "https://acme.example/b", Language: "en"},
		{Name: "a2", Title: "Trail running shoes", URL: "https://acme.example/a2", Language: "en"},
		{Name: "a1", Title: "Trail running shoes", URL: "https://acme.example/a1", Language: "en"},
	}
	for n, want := range [][]string{nil, {"a1"}, {"a1", "a2"}, {"a1", "a2", "b"}, {"a1", "a2", "b", "c"}, {"a1", "a2", "b", "c"}} {
		if diff := cmp.Diff(want, names(related.Candidates(of, others, n))); diff != "" {
			t.Errorf("%d: -want +got:\n%s", n, diff)
		}
	}
}

// The terms of a text count beside its title: an article whose text is about the keyword is found, and follows when its text changes.
func TestTermsOfTextsAreCompared(t *testing.T) {
	m := related.NewMemory()
	of := related.Article{Name: "new", Title: "trail running shoes", Keyword: "trail running shoes", Language: "en"}
	others := []related.Article{
		{Name: "text", Title: "A weekend in the hills", Terms: "trail shoe grip", URL: "https://acme.example/text", Language: "en"},
		{Name: "foreign", Title: "A weekend at home", Terms: "bread oven", URL: "https://acme.example/foreign", Language: "en"},
		{Name: "title", Title: "Trail shoes", Terms: "grip sole", URL: "https://acme.example/title", Language: "en"},
	}
	if diff := cmp.Diff([]string{"title", "text"}, names(compare(m, of, others))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	others[0].Terms = "hill weekend"
	if diff := cmp.Diff([]string{"title"}, names(compare(m, of, others))); diff != "" {
		t.Errorf("with other terms: -want +got:\n%s", diff)
	}
}

func compare(m *related.Memory, of related.Article, others []related.Article) []related.Article {
	_, candidates := m.Compare("acme/a", of, others, 5)
	return candidates
}

// What the nearest articles speak of orders those that have the same words of the keyword in their titles.
func TestWhatTheNearestSpeakOfCounts(t *testing.T) {
	article := func(name, title, terms string) related.Article {
		return related.Article{Name: name, Title: title, Terms: terms, URL: "https://acme.example/" + name, Language: "en"}
	}
	others := []related.Article{
		article("a", "Running a team", "manag meet team budget"),
		article("b", "Running a marathon", "pace train race runner"),
		article("near1", "Trail running shoes", "race runner train pace grip"),
		article("near2", "Trail running shoes again", "race runner train pace sole"),
		article("bread", "Baking bread", "train race runner pace"),
	}
	of := related.Article{Name: "new", Title: "trail running shoes", Keyword: "trail running shoes", Language: "en"}
	got := names(compare(related.NewMemory(), of, others))
	if diff := cmp.Diff([]string{"near1", "near2", "b", "a"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTermsAreTheMostFrequentStems(t *testing.T) {
	for _, tc := range []struct{ tag, text, want string }{
		{"en", "The shoes: a shoe for trails. Trails and shoes, 2026 2026 2026 2026, x x x x of of of of.", "shoe trail"},
		{"de", "Die Schuhe und der Schuh, auf Pfaden", "schuh pfad"},
		{"en", "", ""},
		{"en", "2026 -- 7", ""},
		{"ru", "Ботинки для тропы, ботинки", "ботинк троп"},
	} {
		if got := related.Terms(tc.tag, tc.text); got != tc.want {
			t.Errorf("Terms(%q, %q) = %q, want %q", tc.tag, tc.text, got, tc.want)
		}
	}
}

func TestTermsAreBounded(t *testing.T) {
	var many, long []string
	for i := range 100 {
		many = append(many, "w"+strings.Repeat("o", i%7)+strings.Repeat("k", i/7))
		long = append(long, strings.Repeat("ж", 20+i))
	}
	if got := len(strings.Fields(related.Terms("xx", strings.Join(many, " ")))); got != 30 {
		t.Errorf("%d terms, want 30", got)
	}
	terms := related.Terms("xx", strings.Join(long, " "))
	if len(terms) > related.MaxTermsBytes || !utf8.ValidString(terms) || strings.Fields(terms)[0] != long[0] {
		t.Errorf("terms of long words: %q", terms)
	}
}
