package problem_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// A code that is missing in Codes would be missing in the OpenAPI document.
func TestCodesListsEveryCode(t *testing.T) {
	names, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range names {
		if !strings.HasSuffix(name.Name(), ".go") || strings.HasSuffix(name.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			kind, isNamed := spec.Type.(*ast.Ident)
			value, isText := spec.Values[0].(*ast.BasicLit)
			if !isNamed || !isText || kind.Name != "Code" {
				return true
			}
			found++
			code, err := strconv.Unquote(value.Value)
			if err != nil || !slices.Contains(problem.Codes, problem.Code(code)) {
				t.Errorf("%s is not in Codes", value.Value)
			}
			return true
		})
	}
	if found == 0 || found != len(problem.Codes) {
		t.Errorf("%d codes in the source, %d in Codes", found, len(problem.Codes))
	}
}
