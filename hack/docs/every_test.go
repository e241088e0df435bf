//go:build e2e

package docs

import (
	"path/filepath"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/testkit/project"
)

// No command is forgotten: a new page is run, or says which test runs it.
func TestEveryPageWithCommandsIsListed(t *testing.T) {
	listed := map[string]bool{}
	for _, p := range pages() {
		if listed[p.file] {
			t.Errorf("%s is listed twice", p.file)
		}
		listed[p.file] = true
		if len(commandsOf(t, p.file)) == 0 {
			t.Errorf("%s is listed, and has no commands", p.file)
		}
	}
	files, err := filepath.Glob(filepath.Join(project.Root(), "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, filepath.Join(project.Root(), "README.md"), filepath.Join(project.Root(), "CONTRIBUTING.md")) {
		page, err := filepath.Rel(project.Root(), file)
		if err != nil {
			t.Fatal(err)
		}
		if page = filepath.ToSlash(page); !listed[page] && len(commandsOf(t, page)) > 0 {
			t.Errorf("%s has commands: list it in pages_test.go", page)
		}
	}
}
