package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// ofProduct are the folders with the packages of the product and of its tools. What tests share is in test, and has no tests.
var ofProduct = []string{"api", "apiserver", "cmd", "controllers", "hack", "internal"}

func TestEveryPackageHasTests(t *testing.T) {
	for _, folder := range foldersOf(t, os.DirFS(root)) {
		if folder.untested() {
			t.Errorf("%s has no tests: those that other packages have of it belong there", folder.path)
		}
	}
}

func TestEveryTestFileNamesWhatItTests(t *testing.T) {
	named := 0
	for _, folder := range foldersOf(t, os.DirFS(root)) {
		named += len(folder.tests)
		for _, file := range folder.unnamed() {
			t.Errorf("%s/%s is named neither after a file of the package, as in X_test.go or X_ASPECT_test.go for X.go, nor after the package, nor"+
				" after an item of the list in the comment of suite_test.go", folder.path, file)
		}
	}
	const least = 300
	if named < least {
		t.Errorf("looked at %d test files only: the project is elsewhere", named)
	}
}

// folder is one with Go files.
type folder struct {
	path string
	// sources are the files that are no tests, and tests those with tests, without their endings.
	sources, tests []string
	// tested says that there are tests, also those that need more than Go.
	tested bool
	// features are the items in the comments of test files.
	features []string
}

// foldersOf returns the folders of the product with Go files, in the order of their paths.
func foldersOf(t *testing.T, tree fs.FS) (all []*folder) {
	t.Helper()
	byPath := map[string]*folder{}
	for _, top := range ofProduct {
		err := fs.WalkDir(tree, top, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil && path == top:
				return fs.SkipDir
			case err != nil:
				return err
			case entry.IsDir() && (entry.Name() == "testdata" || path != top && isModule(tree, path)):
				return fs.SkipDir
			case entry.IsDir() || !strings.HasSuffix(path, ".go"):
				return nil
			}
			in, name := filepath.ToSlash(filepath.Dir(path)), strings.TrimSuffix(entry.Name(), ".go")
			if byPath[in] == nil {
				byPath[in] = &folder{path: in}
				all = append(all, byPath[in])
			}
			return byPath[in].add(tree, path, name)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// isModule reports whether a folder is a module of its own. Below a folder of the product it has what is generated, or a program of others.
func isModule(tree fs.FS, path string) bool {
	_, err := fs.Stat(tree, path+"/go.mod")
	return err == nil
}

var (
	// item is one of the list in the comment of a package of tests.
	item = regexp.MustCompile(`(?m)^\s*- (\w+): \S`)
	// generated names files that a tool has written.
	generated = regexp.MustCompile(`^zz_`)
)

func (f *folder) add(tree fs.FS, path, name string) error {
	stem, isTest := strings.CutSuffix(name, "_test")
	if !isTest {
		// A file with the comment of a package of tests alone is no source.
		if name != "doc" && !generated.MatchString(name) {
			f.sources = append(f.sources, name)
		}
		return nil
	}
	text, err := fs.ReadFile(tree, path)
	if err != nil {
		return err
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, found := range item.FindAllStringSubmatch(parsed.Doc.Text(), -1) {
		f.features = append(f.features, found[1])
	}
	if !testsSomething(parsed) {
		return nil
	}
	f.tested = true
	// Tests that need more than Go are of the whole, and named after what people do.
	if !strings.HasPrefix(string(text), "//go:build e2e\n") {
		f.tests = append(f.tests, stem)
	}
	return nil
}

// testsSomething reports whether a file has tests, benchmarks, fuzz tests, examples or specs of its own.
func testsSomething(file *ast.File) bool {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			for _, kind := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
				if d.Recv == nil && strings.HasPrefix(d.Name.Name, kind) {
					return true
				}
			}
		case *ast.GenDecl:
			found := false
			ast.Inspect(d, func(n ast.Node) bool {
				name, ok := n.(*ast.Ident)
				found = found || ok && (name.Name == "Describe" || name.Name == "DescribeTable")
				return !found
			})
			if found {
				return true
			}
		}
	}
	return false
}

// untested reports whether a package has code, and no tests.
func (f *folder) untested() bool { return len(f.sources) > 0 && !f.tested }

// unnamed returns the test files whose names do not say what they test. A package of tests alone names them as it likes.
func (f *folder) unnamed() (files []string) {
	if len(f.sources) == 0 {
		return nil
	}
	subjects := slices.Concat(f.sources, f.features, []string{filepath.Base(f.path), "suite"})
	for _, test := range f.tests {
		if !slices.ContainsFunc(subjects, func(s string) bool { return test == s || strings.HasPrefix(test, s+"_") }) {
			files = append(files, test+"_test.go")
		}
	}
	return files
}

func TestRulesAboutTestFilesFindWhatTheyAreFor(t *testing.T) {
	const source, test = "package a\n", "package a\n\nfunc TestIt(t *testing.T) {}\n"
	for name, tt := range map[string]struct {
		files        map[string]string
		wantUntested bool
		wantUnnamed  []string
	}{
		"a test of a file":         {map[string]string{"create.go": source, "create_test.go": test}, false, nil},
		"an aspect of a file":      {map[string]string{"create.go": source, "create_once_test.go": test}, false, nil},
		"a test of the package":    {map[string]string{"create.go": source, "a_test.go": test, "a_hostile_test.go": test}, false, nil},
		"no test":                  {map[string]string{"create.go": source}, true, nil},
		"a test of nothing":        {map[string]string{"create.go": source, "making_test.go": test}, false, []string{"making_test.go"}},
		"the beginning of a name":  {map[string]string{"create.go": source, "creates_test.go": test}, false, []string{"creates_test.go"}},
		"a helper":                 {map[string]string{"create.go": source, "create_test.go": test, "fixtures_test.go": source}, false, nil},
		"a helper alone":           {map[string]string{"create.go": source, "fixtures_test.go": source}, true, nil},
		"a generated file":         {map[string]string{"zz_a.go": source}, false, nil},
		"a test of generated code": {map[string]string{"a.go": source, "zz_b.go": source, "zz_b_test.go": test}, false, []string{"zz_b_test.go"}},
		"tests alone":              {map[string]string{"doc.go": source, "making_test.go": test}, false, nil},
		"a benchmark":              {map[string]string{"create.go": source, "speed_test.go": "package a\n\nfunc BenchmarkIt(b *testing.B) {}\n"}, false, []string{"speed_test.go"}},
		"specs":                    {map[string]string{"create.go": source, "making_test.go": "package a\n\nvar _ = Describe(\"making\", func() {})\n"}, false, []string{"making_test.go"}},
		"specs of a list": {map[string]string{
			"create.go": source, "making_test.go": test, "making_more_test.go": test, "other_test.go": test,
			"suite_test.go": "// These are about:\n//\n//   - making: what is made\n//   - others:\npackage a\n\nfunc TestAll(t *testing.T) {}\n",
		}, false, []string{"other_test.go"}},
		"a test of the whole": {map[string]string{"create.go": source, "people_test.go": "//go:build e2e\n\n" + test}, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			tree := fstest.MapFS{}
			for file, text := range tt.files {
				tree["internal/a/"+file] = &fstest.MapFile{Data: []byte(text)}
			}
			tree["hack/module/go.mod"], tree["hack/module/main.go"] = &fstest.MapFile{}, &fstest.MapFile{Data: []byte(source)}
			tree["test/kit/kit.go"] = &fstest.MapFile{Data: []byte(source)}
			found := foldersOf(t, tree)
			if len(found) != 1 {
				t.Fatalf("found %d folders, want the one of the product", len(found))
			}
			if got := found[0].untested(); got != tt.wantUntested {
				t.Errorf("it has no tests: %t, want %t", got, tt.wantUntested)
			}
			if got := found[0].unnamed(); !slices.Equal(got, tt.wantUnnamed) {
				t.Errorf("its files %v name nothing, want %v", got, tt.wantUnnamed)
			}
		})
	}
}
