//go:build e2e

package addcms

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/test/project"
)

// A CMS is its API type, a package and a line. testdata has one that is nowhere else: new files, and changes of two files.
func TestACMSIsItsTypeAPackageAndALine(t *testing.T) {
	added, err := filepath.Glob("testdata/new/internal/publish/*")
	if err != nil || len(added) != 1 {
		t.Fatalf("%v, %v", added, err)
	}
	name := filepath.Base(added[0])
	folder := copyProject(t, name)
	addFiles(t, folder)
	patch, err := filepath.Abs("testdata/changes.patch")
	if err != nil {
		t.Fatal(err)
	}
	checkPatch(t, patch)
	run(t, folder, "git", "apply", patch)
	// The tools are those of the project, and no older than their module.
	run(t, folder, "make", "-o", "bin/controller-gen", "-o", "bin/crd-ref-docs", "generate", "manifests", "openapi")

	test := []string{"go", "test", "-count=1"}
	run(t, folder, append(test, "./internal/connectors", "./internal/publish/"+name, "./internal/kinds", "./hack/openapi", "./hack/rules",
		"./controllers/site", "./apiserver/rest", "./apiserver/problem")...)
	run(t, folder, append(test, "./apiserver", "-ginkgo.focus", "Sites over REST")...)
	run(t, folder, append(test, "./apiserver/dashboard/browser", "-ginkgo.focus", "pages that connect sites")...)
}

// copyProject copies the project without the files of testdata, and proves that it does not have the name.
func copyProject(t *testing.T, name string) (folder string) {
	t.Helper()
	folder, root := t.TempDir(), project.Root()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		relative, _ := filepath.Rel(root, path)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{".git", ".pressroom", "bin"}, relative):
			return filepath.SkipDir
		case relative == "hack/addcms/testdata": // empty: a page links to the folder
			if err := os.Mkdir(filepath.Join(folder, relative), 0o750); err != nil {
				return err
			}
			return filepath.SkipDir
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(folder, relative), 0o750)
		case entry.Type()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(to, filepath.Join(folder, relative))
		case !entry.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if bytes.Contains(bytes.ToLower([]byte(relative)), []byte(name)) || bytes.Contains(bytes.ToLower(text), []byte(name)) {
			t.Errorf("%s knows the CMS that tests alone have", relative)
		}
		return os.WriteFile(filepath.Join(folder, relative), text, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(folder, "bin"), 0o750); err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"k8s", "controller-gen", "crd-ref-docs"} {
		if err := os.Symlink(filepath.Join(root, "bin", tool), filepath.Join(folder, "bin", tool)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// addFiles adds the new files. Those of Go end with .txt, because they are no part of this module.
func addFiles(t *testing.T, folder string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS("testdata/new"), ".", func(name string, entry fs.DirEntry, err error) error {
		to := filepath.Join(folder, strings.TrimSuffix(name, ".txt"))
		if err != nil || entry.IsDir() {
			return errors.Join(err, os.MkdirAll(to, 0o750))
		}
		text, err := os.ReadFile(filepath.Join("testdata", "new", name))
		if err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checkPatch proves that what exists changes in two files: that of the API type, and the registry, which gets a line and its import.
func checkPatch(t *testing.T, patch string) {
	t.Helper()
	text, err := os.ReadFile(patch)
	if err != nil {
		t.Fatal(err)
	}
	lines, file := map[string]int{}, ""
	for line := range strings.Lines(string(text)) {
		if to, ok := strings.CutPrefix(line, "+++ b/"); ok {
			file = strings.TrimSpace(to)
			lines[file] = 0
		} else if strings.HasPrefix(line, "+") {
			lines[file]++
		}
	}
	if lines["internal/connectors/connectors.go"] != 2 || lines["api/v1alpha1/sitecms_types.go"] == 0 || len(lines) != 2 {
		t.Errorf("the lines of files that exist are %v", lines)
	}
}

func run(t *testing.T, folder string, command ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(folder))
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, output)
	}
}
