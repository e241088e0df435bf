package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// eachFile parses the project's files that are no tests, but those below some folders.
func eachFile(t *testing.T, but []string, do func(*token.FileSet, *ast.File)) {
	t.Helper()
	walk(t, but, func(name string) bool { return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") }, do)
}

// walk parses the project's files with certain names, with their comments, but those below some folders.
func walk(t *testing.T, but []string, wanted func(name string) bool, do func(*token.FileSet, *ast.File)) {
	t.Helper()
	looked := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if slices.Contains(but, filepath.ToSlash(name)) {
				return filepath.SkipDir
			}
			return nil
		}
		if !wanted(name) {
			return nil
		}
		looked++
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		do(files, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	const least = 20
	if looked < least {
		t.Errorf("looked at %d files only: the project is elsewhere", looked)
	}
}
