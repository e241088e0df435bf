package kinds

import (
	"go/ast"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// neverTaken are the words of its type that a field does not take.
var neverTaken = map[string][]string{"ArticleTransition.Type": {"Test", "SiteFailing"}}

// words returns the constants of each string type of the API, and what each constant says of itself.
func words(t *testing.T) map[string]map[string]string {
	t.Helper()
	types := map[string]map[string]string{}
	for _, file := range sourceFiles(t) {
		for _, decl := range file.Decls {
			consts, ok := decl.(*ast.GenDecl)
			if !ok || consts.Tok != token.CONST {
				continue
			}
			for _, spec := range consts.Specs {
				value := spec.(*ast.ValueSpec)
				typ, ok := value.Type.(*ast.Ident)
				if !ok {
					continue
				}
				if types[typ.Name] == nil {
					types[typ.Name] = map[string]string{}
				}
				types[typ.Name][strings.Trim(value.Values[0].(*ast.BasicLit).Value, `"`)] = value.Doc.Text()
			}
		}
	}
	return types
}

// The reference and the Go documentation show what the constants say.
func TestEveryWordSaysWhatItMeans(t *testing.T) {
	for name, constants := range words(t) {
		for word, doc := range constants {
			if doc == "" {
				t.Errorf("%s: %q has no comment", name, word)
			}
		}
	}
}

func TestTheReferenceHasNoEmptyCell(t *testing.T) {
	data, err := os.ReadFile(folder("docs", "reference", "api-reference.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.SplitSeq(string(data), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || !strings.HasPrefix(line, "| `") {
			continue
		}
		rows++
		if strings.TrimSpace(cells[2]) == "" {
			t.Errorf("%s has no description", cells[1])
		}
	}
	if rows < 300 {
		t.Errorf("only %d rows were found", rows)
	}
}

// kubectl explain shows what the fields say, and nothing of the constants.
func TestEveryFieldExplainsTheWordsThatItTakes(t *testing.T) {
	types, seen := words(t), 0
	eachStruct(t, func(name string, fields []*ast.Field) {
		for _, field := range fields {
			f, ok := readField(t, name, field)
			typ := field.Type
			if list, isList := typ.(*ast.ArrayType); isList {
				typ = list.Elt
			}
			ident, isNamed := typ.(*ast.Ident)
			if !ok || !isNamed || types[ident.Name] == nil {
				continue
			}
			seen++
			for word := range types[ident.Name] {
				if !regexp.MustCompile(`\b`+word+`\b`).MatchString(f.doc) && !slices.Contains(neverTaken[f.name], word) {
					t.Errorf("%s does not say what %s means", f.name, word)
				}
			}
		}
	})
	if seen < 20 {
		t.Errorf("only %d fields with words were found", seen)
	}
}
