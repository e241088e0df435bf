package rest_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// The router refuses an operation that is registered twice.
func TestEveryOperationIsRegistered(t *testing.T) {
	text, err := rest.Operations()
	if err != nil {
		t.Fatal(err)
	}
	var registered described
	if err := json.Unmarshal(text, &registered); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, methods := range registered.Paths {
		for _, op := range methods {
			got = append(got, op.OperationID)
		}
	}
	files, err := filepath.Glob("*/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	var want []string
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			want = append(want, idsOf(t, file)...)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the REST API has the operations\n%v, want those that are defined:\n%v", got, want)
	}
}

// idsOf returns the ids of the operations that a file defines, but for the unlisted ones.
func idsOf(t *testing.T, file string) (ids []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok || !isOperation(literal.Type) || isUnlisted(literal) {
			return true
		}
		for _, field := range literal.Elts {
			pair, ok := field.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			if name, ok := pair.Key.(*ast.Ident); !ok || name.Name != "ID" {
				continue
			}
			text, ok := pair.Value.(*ast.BasicLit)
			if !ok {
				t.Fatalf("%s: the ID of an operation is no string", file)
			}
			id, err := strconv.Unquote(text.Value)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
		return true
	})
	return ids
}

// isUnlisted reports whether the document does not have an operation: no other field has this name.
func isUnlisted(literal *ast.CompositeLit) bool {
	return slices.ContainsFunc(literal.Elts, func(field ast.Expr) bool {
		pair, ok := field.(*ast.KeyValueExpr)
		if !ok {
			return false
		}
		name, ok := pair.Key.(*ast.Ident)
		return ok && name.Name == "Unlisted"
	})
}

// isOperation reports whether a type is an instance of operation.Operation.
func isOperation(t ast.Expr) bool {
	generic, ok := t.(*ast.IndexListExpr)
	if !ok {
		return false
	}
	name, ok := generic.X.(*ast.SelectorExpr)
	return ok && name.Sel.Name == "Operation"
}
