//go:build e2e

package install

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/pressroom-dev/pressroom/test/program"
	"github.com/pressroom-dev/pressroom/test/project"
)

// clone is a folder with links to what is in the project, for all tests. Programs run in it, and what they make does not change the
// project.
var clone string

func TestMain(m *testing.M) {
	parent, err := os.MkdirTemp("", "pressroom-install-")
	if err == nil {
		// kustomize reads links in a path as what they are links to.
		parent, err = filepath.EvalSymlinks(parent)
	}
	clone = filepath.Join(parent, "pressroom")
	if err == nil {
		err = project.Clone(clone)
	}
	if err == nil {
		err = os.Symlink(filepath.Join(project.Root(), ".git"), filepath.Join(clone, ".git"))
	}
	code := 1
	if err == nil {
		code = m.Run()
		if shared != nil {
			err = shared.group.Stop()
		}
		err = errors.Join(err, os.RemoveAll(parent))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// pressroom returns the path of the program.
func pressroom(t *testing.T) string {
	t.Helper()
	path, err := program.Path()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
