package related_test

import (
	"testing"

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
