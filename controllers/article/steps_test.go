package article

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/controllers/post"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/test/project"
)

// The steps that lifecycle.Next can return are the constants of next.go.
func TestEachStepOfAnArticleHasOneHandler(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(project.Root(), "internal", "lifecycle", "next.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := map[lifecycle.Step]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if kind, ok := spec.Type.(*ast.Ident); ok && kind.Name == "Step" {
			value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			want[lifecycle.Step(value)] = true
		}
		return true
	})
	got := NewReconciler(base.Base{}, &Content{}, &Generation{}, &Publication{}, &post.Store{}).steps
	if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); diff != "" {
		t.Errorf("steps with a handler (-want +got):\n%s", diff)
	}
}
