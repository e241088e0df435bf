package rules

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

var (
	// required is a line of a require block: a module and its version.
	required = regexp.MustCompile(`(?m)^\t(\S+) (v\S+)(?: // indirect)?$`)
	// replaced is a line of a replace block. Only the staging modules of Kubernetes are in it.
	replaced = regexp.MustCompile(`(?m)^\t(\S+) => \S+ (v\S+)$`)
	language = regexp.MustCompile(`(?m)^go (\S+)$`)
)

// The modules that the control plane is built from and those of Pressroom have most of their packages in common. With the same
// versions each package is compiled once, which saves minutes of a first build.
func TestTheControlPlaneSharesTheVersionsOfItsModules(t *testing.T) {
	project, controlPlane := modules(t, "go.mod"), modules(t, filepath.Join("hack", "controlplane", "go.mod"))
	shared := 0
	for module, version := range controlPlane {
		want, ok := project[module]
		if !ok {
			continue
		}
		shared++
		if version != want {
			t.Errorf("hack/controlplane has %s %s, the project %s: `go get` the newer version in the other module", module, version, want)
		}
	}
	const least = 20
	if shared < least {
		t.Errorf("only %d modules are shared: the files are read wrongly", shared)
	}
}

// modules returns the versions of a go.mod, with that of the language, which chooses the compiler.
func modules(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	versions := map[string]string{}
	for _, lines := range []*regexp.Regexp{required, replaced} {
		for _, found := range lines.FindAllSubmatch(text, -1) {
			versions[string(found[1])] = string(found[2])
		}
	}
	if found := language.FindSubmatch(text); found != nil {
		versions["go"] = string(found[1])
	}
	return versions
}
