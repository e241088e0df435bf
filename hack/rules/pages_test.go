package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/test/docpage"
)

// No command of the documentation is forgotten: hack/docs runs a page, or says which test does.
func TestEveryPageWithCommandsIsListed(t *testing.T) {
	list, listed := read(t, "hack/docs/pages_test.go"), 0
	for _, page := range append(pagesOfDocs(t), "README.md", "CONTRIBUTING.md") {
		commands, err := docpage.Commands(page)
		if err != nil {
			t.Fatal(err)
		}
		want := min(len(commands), 1)
		if got := strings.Count(list, `"`+page+`"`); got != want {
			t.Errorf("%s has %d commands, and is listed in hack/docs/pages_test.go %d times, want %d", page, len(commands), got, want)
		}
		listed += want
	}
	const least = 20
	if listed < least {
		t.Errorf("only %d pages have commands: they are read wrongly", listed)
	}
}

// pagesOfDocs returns the paths of the pages in docs.
func pagesOfDocs(t *testing.T) []string {
	t.Helper()
	pages, err := docpage.Pages()
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// read returns the text of a file of the project.
func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
