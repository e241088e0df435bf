package articles

import (
	"slices"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
)

func TestTabsAreThoseThatAreAlwaysThereAndThoseThatHaveArticles(t *testing.T) {
	v := &page.Visit{Workspace: "acme"}
	for _, tt := range []struct {
		name, status string
		counts       map[string]int
		want         []string
	}{
		{"an empty workspace", "review", nil, []string{"In review", "Scheduled", "Published", "All"}},
		{"some failed", "review", map[string]int{"review": 2, "failed": 1, "all": 3}, []string{"In review", "Scheduled", "Published", "Failed", "All"}},
		{"an empty tab is open", "archived", map[string]int{"review": 2}, []string{"In review", "Scheduled", "Published", "Archived", "All"}},
	} {
		var got []string
		for _, tab := range tabs(v, listFilter{Status: tt.status}, tt.counts) {
			got = append(got, tab.Text)
			if tab.Current != (tab.Path == listFilter{Status: tt.status}.path(v)) {
				t.Errorf("%s: %+v", tt.name, tab)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
