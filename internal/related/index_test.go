package related_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/internal/related"
)

func namesOf(articles []related.Article) []string {
	var found []string
	for _, a := range articles {
		found = append(found, a.Name)
	}
	return found
}

// candidates returns what an article could link to among others of its site.
func candidates(of related.Article, others []related.Article, n int) []related.Article {
	_, found := siteOf(others).Compare(of, n)
	return found
}

// siteOf is the index of a site with some articles. Those with an address are published.
func siteOf(articles []related.Article) *related.Site {
	for i := range articles {
		articles[i].Published = articles[i].URL != ""
	}
	return related.NewSite("en", articles)
}

// An index follows its site.
func TestAMemoryFollowsChanges(t *testing.T) {
	of := related.Article{Name: "new", Title: "trail running shoes", Keyword: "trail running shoes", Language: "en"}
	same := related.Article{Name: "same", Title: "Old title", Keyword: "running trail shoe", Language: "en"}
	near := related.Article{Name: "near", Title: "Shoes for trails", URL: "https://acme.example/near", Published: true, Language: "en"}
	far := related.Article{Name: "far", Title: "Garden hoses", URL: "https://acme.example/far", Published: true, Language: "en"}
	foreign := related.Article{Name: "foreign", Title: "Trail running shoes", URL: "https://acme.example/foreign", Published: true, Language: "de"}

	m, lists := related.NewIndex(), 0
	look := func(wantSame, wantLinks []string) {
		t.Helper()
		s, err := m.Site("acme", "blog", "en", func() ([]related.Article, error) {
			lists++
			return []related.Article{same, near, far, foreign, of}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		names, links := s.Compare(of, 3)
		if diff := cmp.Diff(wantSame, names) + cmp.Diff(wantLinks, namesOf(links)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	look([]string{"same"}, []string{"near"})
	look([]string{"same"}, []string{"near"})
	same.Keyword, far.Title = "garden hoses", "Hoses and running shoes"
	m.Set("acme", "blog", same)
	m.Set("acme", "blog", far)
	m.Set("acme", "another", related.Article{Name: "else", Keyword: of.Keyword})
	look(nil, []string{"near", "far"})
	m.Remove("acme", "near")
	look(nil, []string{"far"})
	of.Title, of.Keyword = "the", "the"
	look(nil, nil)
	if lists != 1 {
		t.Errorf("the site was listed %d times, want once", lists)
	}
	for _, name := range []string{same.Name, far.Name, foreign.Name, of.Name} {
		m.Remove("acme", name)
	}
	look(nil, nil)
	if lists != 2 {
		t.Error("an index of nothing is kept")
	}
}

// What is gone is not compared, however much comes and goes.
func TestAnIndexOfASiteThatChangesMuchStaysExact(t *testing.T) {
	s := related.NewSite("en", nil)
	for i := range 1000 {
		a := related.Article{
			Name: fmt.Sprint("a-", i), Title: fmt.Sprint("Trail shoes ", i), Keyword: "trail shoes", Published: true, URL: "https://acme.example/",
			Fingerprint: related.Fingerprint(i).String(), Language: "en",
		}
		s.Set(a)
		if i > 2 {
			s.Remove(fmt.Sprint("a-", i-3))
		}
	}
	same, links := s.Compare(related.Article{Name: "new", Title: "shoes", Keyword: "Shoes, trail", Language: "en"}, 10)
	want := []string{"a-997", "a-998", "a-999"}
	if diff := cmp.Diff(want, same) + cmp.Diff(want, namesOf(links)) + cmp.Diff(want[1:], s.Near(1000, "a-997")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A comparison allocates as much for a large site as for a small one, if as many articles share something.
func TestAComparisonDoesNotGrowWithTheSite(t *testing.T) {
	of := related.Article{Name: "new", Title: "Trail shoes", Keyword: "trail shoes", Language: "en"}
	allocated := map[int]float64{}
	for _, n := range []int{1000, 20_000} {
		s := related.NewSite("en", nil)
		for i := range n {
			word := "Topic" + strings.Repeat("x", i%7) + strconv.Itoa(i)
			s.Set(related.Article{Name: fmt.Sprint("a-", i), Title: word, Keyword: word, Published: i%2 == 0, URL: "https://acme.example/", Language: "en"})
		}
		for i := range 5 {
			s.Set(related.Article{Name: fmt.Sprint("near-", i), Title: "Shoes for trails", Published: true, URL: "https://acme.example/", Language: "en"})
		}
		allocated[n] = testing.AllocsPerRun(10, func() {
			if _, links := s.Compare(of, 3); len(links) != 3 {
				t.Errorf("%d links", len(links))
			}
		})
	}
	if allocated[20_000] > allocated[1000] {
		t.Errorf("allocations by the number of articles: %v", allocated)
	}
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
		if diff := cmp.Diff(want, namesOf(candidates(of, others, n))); diff != "" {
			t.Errorf("%d: -want +got:\n%s", n, diff)
		}
	}
}

// The terms of a text count beside its title: an article whose text is about the keyword is found, and follows when its text changes.
func TestTermsOfTextsAreCompared(t *testing.T) {
	of := related.Article{Name: "new", Title: "trail running shoes", Keyword: "trail running shoes", Language: "en"}
	others := []related.Article{
		{Name: "text", Title: "A weekend in the hills", Terms: "trail shoe grip", URL: "https://acme.example/text", Language: "en"},
		{Name: "foreign", Title: "A weekend at home", Terms: "bread oven", URL: "https://acme.example/foreign", Language: "en"},
		{Name: "title", Title: "Trail shoes", Terms: "grip sole", URL: "https://acme.example/title", Language: "en"},
	}
	if diff := cmp.Diff([]string{"title", "text"}, namesOf(candidates(of, others, 5))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	others[0].Terms = "hill weekend"
	if diff := cmp.Diff([]string{"title"}, namesOf(candidates(of, others, 5))); diff != "" {
		t.Errorf("with other terms: -want +got:\n%s", diff)
	}
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
	got := namesOf(candidates(of, others, 5))
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
