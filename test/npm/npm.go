// Package npm fetches packages of the npm registry for tests that compare Pressroom with the official client or schema of a CMS.
// Nothing of them is committed, so these tests have the build tag e2e, and fail without npm or without the registry.
package npm

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/test/project"
)

// fetchTime is how long npm may take, to fail before the test binary's own deadline does.
const fetchTime = 5 * time.Minute

// Install installs a package and what it depends on, and returns the folder that node finds it from. No script of a package runs.
func Install(t *testing.T, name, version string) string {
	t.Helper()
	return fetch(t, name, version, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save")
}

// Unpack returns the folder with the files of a package alone, without what it depends on.
func Unpack(t *testing.T, name, version string) string {
	t.Helper()
	folder := fetch(t, name, version, "pack")
	archives, err := filepath.Glob(filepath.Join(folder, "*.tgz"))
	if err != nil || len(archives) != 1 {
		t.Fatalf("npm pack left %v in %s, %v, want one archive", archives, folder, err)
	}
	files := t.TempDir()
	if output, err := exec.CommandContext(t.Context(), "tar", "-xzf", archives[0], "-C", files).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return filepath.Join(files, "package")
}

// fetch runs npm with a package in a folder of bin/npm of the repository, once.
func fetch(t *testing.T, name, version, command string, flags ...string) string {
	t.Helper()
	folder := filepath.Join(project.Root(), "bin", "npm", command+"-"+filepath.Base(name)+"-"+version)
	done := filepath.Join(folder, "fetched")
	if _, err := os.Stat(done); err == nil {
		return folder
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), fetchTime)
	defer cancel()
	// The folder is npm's project, or npm looks for one above it.
	arguments := slices.Concat([]string{command, "--prefix", folder, "--loglevel=error"}, flags, []string{name + "@" + version})
	npm := exec.CommandContext(ctx, "npm", arguments...)
	npm.Dir = folder
	if output, err := npm.CombinedOutput(); err != nil {
		t.Fatalf("%s@%s cannot be fetched: %v\n%s", name, version, err, output)
	}
	if err := os.WriteFile(done, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return folder
}
