package conditions_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
	"github.com/pressroom-dev/pressroom/internal/testkit/project"
)

func TestEveryReasonHasARow(t *testing.T) {
	reasons := reasonsOfAPI(t)
	if len(reasons) < 60 {
		t.Fatalf("%d reasons were found in api/v1alpha1: they are looked for in the wrong way", len(reasons))
	}
	for reason := range reasons {
		if _, ok := conditions.Reasons[reason]; !ok {
			t.Errorf("the reason %s has no row", reason)
		}
	}
	for reason := range conditions.Reasons {
		if !reasons[reason] {
			t.Errorf("there is a row for %s, and api/v1alpha1 has no such reason", reason)
		}
	}
}

// reasonsOfAPI are the values of the constants of api/v1alpha1 whose names begin with Reason.
func reasonsOfAPI(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(project.Root(), "api", "v1alpha1", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]bool{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || !strings.HasPrefix(spec.Names[0].Name, "Reason") || len(spec.Values) != 1 {
				return true
			}
			if value, ok := spec.Values[0].(*ast.BasicLit); ok && value.Kind == token.STRING {
				reason, err := strconv.Unquote(value.Value)
				if err != nil {
					t.Fatal(err)
				}
				reasons[reason] = true
			}
			return true
		})
	}
	return reasons
}

// A step that is blocked goes on when something happens, and somebody has to know what.
func TestWhatBlocksOrStallsWaitsForSomething(t *testing.T) {
	needs := []conditions.Need{
		"", conditions.NeedAccount, conditions.NeedSite, conditions.NeedSecret, conditions.NeedResume, conditions.NeedClock,
		conditions.NeedSlot, conditions.NeedPerson,
	}
	for reason, row := range conditions.Reasons {
		if !slices.Contains(needs, row.WaitsFor) {
			t.Errorf("%s waits for %s, which is no need", reason, row.WaitsFor)
		}
		if (row.Blocks || row.Stalls || row.NotDueYet) && row.WaitsFor == "" {
			t.Errorf("%s waits for nothing", reason)
		}
		if row.Stalls && row.WaitsFor != conditions.NeedPerson {
			t.Errorf("%s waits for %s, so it does not stall", reason, row.WaitsFor)
		}
		if row.UntilChange && !row.FromCMS {
			t.Errorf("%s is final until the connection changes, and no CMS answers it", reason)
		}
	}
}
