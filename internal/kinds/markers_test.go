package kinds

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// sourceFiles parses the Go files of the kinds, without tests and without generated ones.
func sourceFiles(t *testing.T) []*ast.File {
	t.Helper()
	paths, err := filepath.Glob(folder("api", "v1alpha1", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") || strings.HasPrefix(filepath.Base(path), "zz_generated") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// eachStruct visits the struct types of the API, without the lists of kinds.
func eachStruct(t *testing.T, visit func(name string, fields []*ast.Field)) {
	t.Helper()
	for _, file := range sourceFiles(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok && !strings.HasSuffix(spec.Name.Name, "List") {
				visit(spec.Name.Name, s.Fields.List)
			}
			return false
		})
	}
}

// apiField is a field of an API type as its source shows it.
type apiField struct {
	name, json string
	// omits and omitsZero report whether the field is left out of the JSON if it is empty, and if it is the zero of its type.
	omits, omitsZero bool
	markers          []string
	doc              string
}

// readField returns a field with its tag and its markers; false if it is inline, or never in the JSON.
func readField(t *testing.T, owner string, field *ast.Field) (apiField, bool) {
	t.Helper()
	if field.Tag == nil {
		t.Errorf("%s has a field without a json tag", owner)
		return apiField{}, false
	}
	tag := strings.Split(reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("json"), ",")
	if slices.Contains(tag, "inline") || tag[0] == "-" {
		return apiField{}, false
	}
	f := apiField{
		json: tag[0], omits: slices.Contains(tag, "omitempty"), omitsZero: slices.Contains(tag, "omitzero"),
		doc: field.Doc.Text(),
	}
	if len(field.Names) > 0 {
		f.name = owner + "." + field.Names[0].Name
	} else {
		f.name = owner + "." + f.json
	}
	if field.Doc != nil {
		for _, line := range field.Doc.List {
			if marker, ok := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(line.Text, "//")), "+"); ok {
				f.markers = append(f.markers, marker)
			}
		}
	}
	return f, true
}

// zeroIsAValue are required numbers that may be 0.
var zeroIsAValue = []string{"Scores.SEOScore", "CurrentRevision.SEOScore", "SiteUsage.Count", "AccountBudgetUsage.UsedPercent"}

func TestEveryFieldIsMarkedRequiredOrOptional(t *testing.T) {
	seen := 0
	structs := map[string]bool{}
	eachStruct(t, func(name string, _ []*ast.Field) { structs[name] = true })
	eachStruct(t, func(name string, fields []*ast.Field) {
		for _, field := range fields {
			f, ok := readField(t, name, field)
			if !ok {
				continue
			}
			seen++
			required, optional := slices.Contains(f.markers, "required"), slices.Contains(f.markers, "optional")
			if required == optional {
				t.Errorf("%s must be marked +required or +optional, and not both", f.name)
			}
			if !f.omits && !slices.Contains(zeroIsAValue, f.name) {
				t.Errorf("%s: what is not set must be left out of the JSON, so that a client can apply other fields alone", f.name)
			}
			if typ, ok := field.Type.(*ast.Ident); ok && structs[typ.Name] && !f.omitsZero {
				t.Errorf("%s: omitempty leaves no structure out; omitzero does", f.name)
			}
		}
	})
	if seen < 100 {
		t.Errorf("only %d fields were found", seen)
	}
}

func TestEveryFieldsCommentBeginsWithItsJSONName(t *testing.T) {
	eachStruct(t, func(name string, fields []*ast.Field) {
		for _, field := range fields {
			f, ok := readField(t, name, field)
			if !ok || f.json == "metadata" {
				continue
			}
			if !strings.HasPrefix(f.doc, f.json+" ") && !strings.HasPrefix(f.doc, f.json+":") {
				t.Errorf("%s: the comment must begin with %q, not %q", f.name, f.json, f.doc)
			}
		}
	})
}

func TestConditionsAreFirstInEveryStatus(t *testing.T) {
	statuses := 0
	eachStruct(t, func(name string, fields []*ast.Field) {
		if !strings.HasSuffix(name, "Status") {
			return
		}
		statuses++
		if first, ok := fields[0].Type.(*ast.Ident); !ok || first.Name != "Observed" {
			t.Errorf("%s must begin with Observed", name)
		}
	})
	if statuses < 4 {
		t.Errorf("only %d statuses were found", statuses)
	}
}

func TestEveryConditionAndReasonIsExplained(t *testing.T) {
	values := map[string]string{}
	for _, file := range sourceFiles(t) {
		for _, decl := range file.Decls {
			consts, ok := decl.(*ast.GenDecl)
			if !ok || consts.Tok != token.CONST {
				continue
			}
			for _, spec := range consts.Specs {
				checkConst(t, spec, values)
			}
		}
	}
	if len(values) < 40 {
		t.Errorf("only %d conditions and reasons were found", len(values))
	}
}

func checkConst(t *testing.T, spec ast.Spec, values map[string]string) {
	t.Helper()
	value, ok := spec.(*ast.ValueSpec)
	if !ok {
		return
	}
	name := value.Names[0].Name
	if !strings.HasPrefix(name, "Condition") && !strings.HasPrefix(name, "Reason") {
		return
	}
	literal, ok := value.Values[0].(*ast.BasicLit)
	if !ok || !pascalCase.MatchString(literal.Value) {
		t.Errorf("%s must be a PascalCase string", name)
		return
	}
	if !strings.HasPrefix(value.Doc.Text(), name+" ") {
		t.Errorf("%s must have a comment that begins with its name", name)
	}
	kind := name[:len("Reason")]
	if other, taken := values[kind+literal.Value]; taken {
		t.Errorf("%s and %s are the same", name, other)
	}
	values[kind+literal.Value] = name
}
