package check_test

import (
	"os"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/postfile"
)

// good passes every check that has something to look at.
func good(t *testing.T) check.Input {
	t.Helper()
	in := readPost(t, "en-trail")
	in.AvoidWords = []string{"cheap", "shoes"}
	in.SiteURL, in.Site = "https://blog.example.com", &check.Site{}
	return in
}

// readPost reads a post of the corpus.
func readPost(tb testing.TB, name string) check.Input {
	tb.Helper()
	data, err := os.ReadFile("testdata/posts/" + name + ".md")
	if err != nil {
		tb.Fatal(err)
	}
	in, err := postfile.Parse(data)
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	return in
}

func find(t *testing.T, r check.Report, name string) check.Finding {
	t.Helper()
	for _, f := range r.Findings {
		if f.Check == name {
			return f
		}
	}
	t.Fatalf("there is no check %s", name)
	return check.Finding{}
}
