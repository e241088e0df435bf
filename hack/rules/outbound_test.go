// Package rules holds rules about the project's own source that the linters cannot say.
package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

const root = "../.."

// The one maker of outbound clients, what tests use, and the tools outside the product. The library that sends
// spans makes one more, in internal/tracing alone: .golangci.yml lets nobody else import it.
var free = []string{"internal/egress", "test", "hack", "bin", ".pressroom", ".git"}

func TestOutboundClientsAreMadeByInternalEgressAlone(t *testing.T) {
	eachFile(t, free, func(files *token.FileSet, file *ast.File) {
		for _, at := range clientsMade(file) {
			t.Errorf("%s makes an HTTP client: internal/egress alone does", files.Position(at))
		}
	})
}

// clientsMade returns where a file makes a client or transport: by a literal, by new, or by a variable or field of the type itself.
// Naming a pointer to one is fine.
func clientsMade(file *ast.File) []token.Pos {
	var at []token.Pos
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			at = append(at, clientType(n.Type)...)
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "new" && len(n.Args) == 1 {
				at = append(at, clientType(n.Args[0])...)
			}
		case *ast.ValueSpec:
			at = append(at, clientType(n.Type)...)
		case *ast.Field:
			at = append(at, clientType(n.Type)...)
		}
		return true
	})
	return at
}

// clientType returns the position of a type that is http.Client or http.Transport.
func clientType(e ast.Expr) []token.Pos {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	p, ok := s.X.(*ast.Ident)
	if ok && p.Name == "http" && (s.Sel.Name == "Client" || s.Sel.Name == "Transport") {
		return []token.Pos{s.Pos()}
	}
	return nil
}

func TestClientsMadeSeesEveryWay(t *testing.T) {
	tests := []struct {
		name, code string
		want       int
	}{
		{"literal", `var c = &http.Client{}`, 1},
		{"transport", `var c = &http.Client{Transport: &http.Transport{}}`, 2},
		{"new", `var c = new(http.Client)`, 1},
		{"variable", `var c http.Client`, 1},
		{"field", `type x struct { c http.Client }`, 1},
		{"a pointer that comes from elsewhere", `func f(c *http.Client) *http.Client { return c }`, 0},
		{"a server", `var s = &http.Server{}`, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\n\nimport \"net/http\"\n\n"+tt.code, 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(clientsMade(file)); got != tt.want {
				t.Errorf("found %d clients in %q, want %d", got, tt.code, tt.want)
			}
		})
	}
}
