package rules

import (
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// packagesOfE2E and, in calls of os/exec, programsOfE2E that need more than Go, make, git, a shell, and the binaries of the control
// plane. Tests that use them have the build tag e2e.
var (
	packagesOfE2E = []string{"test/browsertest", "test/program", "hack/dev/system", "hack/dev/wordpress"}
	programsOfE2E = []string{"go", "helm", "npm", "npx", "node", "php", "python3", "buildah", "chromium", "jq", "curl"}
)

// Without the tag, `go test ./...` is what a developer runs many times a day, on any machine.
func TestWhatNeedsMoreThanGoHasTheTagE2E(t *testing.T) {
	tagged := 0
	eachTest(t, func(name string, file *ast.File) {
		if hasTagE2E(file) {
			tagged++
			return
		}
		for _, needed := range needsE2E(file) {
			t.Errorf("%s uses %s: it needs //go:build e2e", name, needed)
		}
	})
	const least = 60
	if tagged < least {
		t.Errorf("only %d files have the tag: they are read wrongly", tagged)
	}
}

// A file with the tag that no target names is a test that nobody runs.
func TestMakeRunsEveryPackageWithTheTagE2E(t *testing.T) {
	makefile := read(t, "Makefile")
	var patterns []string
	for line := range strings.Lines(makefile) {
		if strings.HasPrefix(line, "E2E :=") || strings.Contains(line, "$(E2E_TEST)") {
			patterns = append(patterns, pattern.FindAllString(line, -1)...)
		}
	}
	eachTest(t, func(name string, file *ast.File) {
		folder := path.Dir(name)
		if hasTagE2E(file) && !slices.ContainsFunc(patterns, func(p string) bool { return matches(p, folder) }) {
			t.Errorf("%s has the tag e2e, and no target of the Makefile tests %s with it", name, folder)
		}
	})
}

// pattern is that of packages, as in `go test`.
var pattern = regexp.MustCompile(`\./[\w./-]+`)

// matches reports whether a folder is that of a pattern, or below it if the pattern ends with "...".
func matches(pattern, folder string) bool {
	pattern = strings.TrimPrefix(pattern, "./")
	if above, ok := strings.CutSuffix(pattern, "/..."); ok {
		return folder == above || strings.HasPrefix(folder, above+"/")
	}
	return folder == pattern
}

func hasTagE2E(file *ast.File) bool {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if group.Pos() > file.Package || !constraint.IsGoBuild(c.Text) {
				continue
			}
			if x, err := constraint.Parse(c.Text); err == nil && !x.Eval(func(tag string) bool { return tag != "e2e" }) {
				return true
			}
		}
	}
	return false
}

// needsE2E returns the packages of packagesOfE2E that a file imports, and the programs of programsOfE2E that it runs.
func needsE2E(file *ast.File) (needed []string) {
	for _, i := range file.Imports {
		imported, _ := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), "github.com/pressroom-dev/pressroom/")
		if slices.Contains(packagesOfE2E, imported) {
			needed = append(needed, imported)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !slices.Contains([]string{"Command", "CommandContext", "LookPath"}, called(call)) {
			return true
		}
		for _, arg := range call.Args {
			if literal, ok := arg.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				if program, err := strconv.Unquote(literal.Value); err == nil && slices.Contains(programsOfE2E, program) {
					needed = append(needed, program)
				}
				break
			}
		}
		return true
	})
	return needed
}

func TestNeedsE2ESeesWhatIsNeeded(t *testing.T) {
	tests := []struct {
		name, code string
		want       int
	}{
		{"an import", `import "github.com/pressroom-dev/pressroom/test/browsertest"`, 1},
		{"another import", `import "github.com/pressroom-dev/pressroom/internal/content"`, 0},
		{"helm", `var c = exec.CommandContext(ctx, "helm", "lint")`, 1},
		{"a build", `var c = exec.Command("go", "build")`, 1},
		{"a look at whether it is there", `var c, err = exec.LookPath("node")`, 1},
		{"git", `var c = exec.Command("git", "go")`, 0},
		{"a binary of the control plane", `var c = exec.Command(binaries.Kubectl, "kustomize")`, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file, err := parser.ParseFile(token.NewFileSet(), "x_test.go", "package x\n\n"+tt.code, 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := needsE2E(file); len(got) != tt.want {
				t.Errorf("needs %v, want %d", got, tt.want)
			}
		})
	}
}

// eachTest parses the project's test files, which are named by their path from its root. The modules in hack have targets of their own.
func eachTest(t *testing.T, do func(name string, file *ast.File)) {
	t.Helper()
	isTest := func(name string) bool { return strings.HasSuffix(name, "_test.go") }
	walk(t, []string{"bin", ".pressroom", ".git", "hack/tools", "hack/promcheck", "hack/argocd", "hack/flux", "hack/controlplane"}, isTest,
		func(files *token.FileSet, file *ast.File) {
			name, err := filepath.Rel(root, files.Position(file.Package).Filename)
			if err != nil {
				t.Fatal(err)
			}
			do(filepath.ToSlash(name), file)
		})
}
