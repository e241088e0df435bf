package rules

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
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

// Anyone who imports the kinds has the modules that these require, in these versions or newer ones.
func TestTheModuleOfTheKindsRequiresApimachineryAlone(t *testing.T) {
	direct := regexp.MustCompile(`(?m)^(?:require |\t)(\S+) v\S+$`)
	found := direct.FindAllStringSubmatch(read(t, "api/go.mod"), -1)
	if len(found) != 1 || found[0][1] != "k8s.io/apimachinery" {
		t.Errorf("api/go.mod requires %v, want k8s.io/apimachinery alone", found)
	}
	graph := map[string]bool{}
	for line := range strings.Lines(read(t, "api/go.sum")) {
		module, _, _ := strings.Cut(line, " ")
		graph[module] = true
	}
	const most = 60
	if !graph["k8s.io/apimachinery"] || len(graph) > most {
		t.Errorf("the graph of the module has %d modules, want apimachinery among at most %d", len(graph), most)
	}
	for _, heavy := range []string{"github.com/pressroom-dev/pressroom", "k8s.io/client-go", "k8s.io/api", "sigs.k8s.io/controller-runtime", "github.com/gin-gonic/gin"} {
		if graph[heavy] {
			t.Errorf("the graph of the module has %s", heavy)
		}
	}
}

// Go finds a module in a folder by a tag that begins with the path of the folder.
func TestAReleaseTagsEveryModuleForOthers(t *testing.T) {
	workflow, modules := read(t, ".github/workflows/release.yml"), 0
	err := fs.WalkDir(os.DirFS(root), "api", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "go.mod" {
			return err
		}
		modules++
		if tag := "refs/tags/" + path.Dir(name) + "/$VERSION"; !strings.Contains(workflow, tag) {
			t.Errorf("the workflow that releases does not create %s", tag)
		}
		return nil
	})
	if err != nil || modules == 0 {
		t.Errorf("%d modules were found: %v", modules, err)
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
