package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

// An error that wraps what IgnoreNotFound returns is an error even if nothing has failed.
func TestNoErrorWrapsWhatMayBeNil(t *testing.T) {
	eachFile(t, []string{"bin", ".pressroom", ".git"}, func(files *token.FileSet, file *ast.File) {
		for _, at := range wrapsNil(file) {
			t.Errorf("%s wraps the result of IgnoreNotFound, which may be nil", files.Position(at))
		}
	})
}

// wrapsNil returns where a file has a call of fmt.Errorf with a call of IgnoreNotFound.
func wrapsNil(file *ast.File) []token.Pos {
	var at []token.Pos
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && called(call) == "Errorf" {
			if slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return called(arg) == "IgnoreNotFound" }) {
				at = append(at, call.Pos())
			}
		}
		return true
	})
	return at
}

// called returns the name of the function of another package that an expression calls, or "".
func called(e ast.Expr) string {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return ""
	}
	if f, ok := call.Fun.(*ast.SelectorExpr); ok {
		return f.Sel.Name
	}
	return ""
}

func TestWrapsNilSeesACall(t *testing.T) {
	const code = "package x\n\nvar err = fmt.Errorf(\"reading: %w\", client.IgnoreNotFound(f()))\n"
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", code, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(wrapsNil(file)) != 1 {
		t.Error("it is not seen")
	}
}
