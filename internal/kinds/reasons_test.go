package kinds

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/test/docpage"
	"github.com/pressroom-dev/pressroom/test/project"
)

// Anyone who reads a reason in status looks for it in the documentation, letter by letter.
func TestTheReasonsInTheDocumentationAreThoseOfTheCode(t *testing.T) {
	known, found := reasonsOfCode(t), 0
	pages, err := docpage.Pages()
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(project.Root(), page))
		if err != nil {
			t.Fatal(err)
		}
		for _, reason := range reasonsOfTables(string(text)) {
			found++
			if !known[reason] {
				t.Errorf("%s has a reason %s in a table, and no constant has it", filepath.Base(page), reason)
			}
		}
	}
	if found < 60 {
		t.Errorf("%d reasons were found in tables: they are looked for in the wrong tables", found)
	}
}

// Anyone who reads a reason in status and does not know it looks it up on one page.
func TestEveryReasonIsOnThePageAboutTroubleshooting(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(project.Root(), "docs", "reference", "reasons.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{}
	for _, reason := range reasonsOfTables(string(page)) {
		rows[reason]++
	}
	for reason := range reasonsOfCode(t) {
		if rows[reason] != 1 {
			t.Errorf("docs/reference/reasons.md has %d rows for the reason %s, and must have one", rows[reason], reason)
		}
	}
}

// reasonsOfCode are the values of the constants that are named so: the reasons of conditions, and those that only Kubernetes Events have.
func reasonsOfCode(t *testing.T) map[string]bool {
	t.Helper()
	reasons := map[string]bool{}
	for _, path := range []string{folder("api", "v1alpha1", "conditions.go"), folder("controllers", "base", "eventreasons.go")} {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || !strings.HasPrefix(spec.Names[0].Name, "Reason") {
				return true
			}
			if value, ok := spec.Values[0].(*ast.BasicLit); ok {
				if reason, err := strconv.Unquote(value.Value); err == nil {
					reasons[reason] = true
				}
			}
			return true
		})
	}
	return reasons
}

var quoted = regexp.MustCompile("`([A-Z]\\w+)`")

// reasonsOfTables returns the cells of a page's tables in the columns that are headed by "reason".
func reasonsOfTables(page string) []string {
	var reasons []string
	column := 0
	for line := range strings.SplitSeq(page, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 3 {
			column = 0
			continue
		}
		if column == 0 {
			column = headedByReason(cells)
			continue
		}
		// A reason of `Generated` stands for them all.
		if cell := cells[column]; !strings.Contains(cell, " of ") {
			for _, match := range quoted.FindAllStringSubmatch(cell, -1) {
				reasons = append(reasons, match[1])
			}
		}
	}
	return reasons
}

// headedByReason returns the index of the column, or 0: the text before a table's first bar is no cell.
func headedByReason(header []string) int {
	for i, cell := range header {
		if strings.HasPrefix(strings.TrimSpace(cell), "reason") {
			return i
		}
	}
	return 0
}
