//go:build e2e

package clients

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/test/docpage"
	"github.com/pressroom-dev/pressroom/test/project"
)

const kindsPage = "docs/how-to/use-the-kinds-from-go.md"

// Anyone who uses the kinds from Go copies the program of the page, as it stands, into a module of their own.
func TestAProgramWithTheKindsPublishesAnArticle(t *testing.T) {
	s := start(t)
	commands, err := docpage.Commands(kindsPage)
	must(t, err)
	command := commands[len(commands)-1].Text
	for name, versions := range map[string]string{"trail-shoes": "go", "road-shoes": "oldest"} {
		t.Run(versions+".mod", func(t *testing.T) {
			folder := newsroom(t, versions)
			output := shell(t, folder, append(os.Environ(), "KUBECONFIG="+s.Cluster.Kubeconfig()), strings.Replace(command, "trail-shoes", name, 1))
			if !strings.HasPrefix(output, "published ") {
				t.Errorf("the program prints %q", output)
			}
		})
	}
}

// newsroom returns a folder outside of the tree with the program and a go.mod. No version of the module of the kinds is published, so it is
// that of the tree.
func newsroom(t *testing.T, versions string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	copyFile(t, filepath.Join(ours, "kinds", "main.go"), folder)
	module := read(t, filepath.Join(ours, "kinds", versions+".mod"))
	module = strings.Replace(module, "=> ../../../api", "=> "+filepath.Join(project.Root(), "api"), 1)
	must(t, os.WriteFile(filepath.Join(folder, "go.mod"), []byte(module), 0o600))
	must(t, os.WriteFile(filepath.Join(folder, "go.sum"), []byte(read(t, filepath.Join(ours, "kinds", versions+".sum"))), 0o600))
	return folder
}
