package page_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

func TestWhatTheRESTAPINamesHasWords(t *testing.T) {
	words := page.Words
	var statuses, scopes []string
	for _, s := range index.Statuses {
		statuses = append(statuses, strings.ToLower(string(s)))
	}
	for _, s := range auth.Scopes() {
		scopes = append(scopes, strings.ToLower(string(s)))
	}
	for what, c := range map[string]struct {
		names []string
		words map[string]string
	}{
		"statuses":    {statuses, words.Statuses},
		"scopes":      {scopes, words.Scopes},
		"disclosures": {slices.Collect(maps.Values(lifecycle.DisclosureNames)), words.Disclosures},
	} {
		if got, want := slices.Sorted(maps.Keys(c.words)), slices.Sorted(slices.Values(c.names)); !slices.Equal(got, want) {
			t.Errorf("%s with words are %q, want %q", what, got, want)
		}
	}
	if len(words.Transitions) == 0 || len(words.Fields) == 0 || words.Advice[404] == "" {
		t.Errorf("the file is not read to its end: %+v", words)
	}
	for what, marks := range map[string]map[string]page.Mark{
		"subscriptions": words.Subscriptions, "deliveries": words.Deliveries, "attempts": words.Attempts,
	} {
		if len(marks) == 0 {
			t.Errorf("%s have no words", what)
		}
		for name, mark := range marks {
			if mark.Text == "" {
				t.Errorf("%s: %s has no words", what, name)
			}
		}
	}
}

func TestPeopleHaveTheirDisplayNames(t *testing.T) {
	for by, want := range map[string]string{
		"Mara (api-key:aa3kq2vxw5ntb6ha)":              "Mara",
		"api-key:aa3kq2vxw5ntb6ha":                     "api-key:aa3kq2vxw5ntb6ha",
		"mara@acme.example":                            "mara@acme.example",
		"Mara (app claude)":                            "Mara (app claude)",
		"mara@acme.example (api-key:aa3kq2vxw5ntb6ha)": "mara@acme.example, key aa3k", // a key must not pass for a person
	} {
		if got := page.Who(by); got != want {
			t.Errorf("%q is shown as %q, want %q", by, got, want)
		}
	}
	for want, by := range map[string][]string{
		"": nil, "Mara": {"Mara (api-key:k1)"}, "Mara and Ben": {"Mara", "Ben"}, "Mara, Ben and Petra": {"Mara", "Ben", "Petra"},
	} {
		if got := page.People(by); got != want {
			t.Errorf("%q are shown as %q, want %q", by, got, want)
		}
	}
}
