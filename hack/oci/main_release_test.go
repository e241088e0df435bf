package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/test/project"
)

const (
	dated    = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n- **More.** It does more.\n\n## [0.1.0] - 2026-11-01\n\nThe first version.\n"
	undated  = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - unreleased\n\n- **More.** It does more.\n"
	leftOver = "# Changelog\n\n## [Unreleased]\n\n- **Later.** It waits.\n\n## [0.2.0] - 2026-12-01\n\n- **More.** It does more.\n"
)

// What would be wrong in a release for good is found before it is made.
func TestAReleaseIsCheckedBeforeItIsMade(t *testing.T) {
	for name, tt := range map[string]struct{ changelog, required, version, want string }{
		"right":                       {dated, "v0.2.0", "v0.2.0", ""},
		"a version without v":         {dated, "v0.2.0", "0.2.0", "such as VERSION=v0.1.0"},
		"a version with two numbers":  {dated, "v0.2.0", "v0.2", "such as VERSION=v0.1.0"},
		"no section":                  {dated, "v0.3.0", "v0.3.0", "has no section ## [0.3.0]"},
		"a section without a date":    {undated, "v0.2.0", "v0.2.0", "has no date"},
		"entries that are left over":  {leftOver, "v0.2.0", "v0.2.0", "entries under Unreleased"},
		"the kinds of before":         {dated, "v0.1.0", "v0.2.0", "sh hack/release.sh raise v0.2.0"},
		"the kinds of a prerelease":   {dated, "v0.2.0-rc.1", "v0.2.0", "sh hack/release.sh raise v0.2.0"},
		"the kinds of a version like": {dated, "v0.2.01", "v0.2.0", "sh hack/release.sh raise v0.2.0"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			module := "module example.com/m\n\nrequire github.com/pressroom-dev/pressroom/api " + tt.required + "\n"
			out, err := releaseScript(t, project.Root(), []string{
				"CHANGELOG=" + writeFile(t, folder, "CHANGELOG.md", tt.changelog), "MODULES=" + writeFile(t, folder, "go.mod", module),
			}, "check", tt.version)
			if (err == nil) != (tt.want == "") || !strings.Contains(out, tt.want) {
				t.Errorf("%v: %q, want %q", err, out, tt.want)
			}
		})
	}
}

// Modules of others get the kinds in the version that they ask for: what requires them has to say the same.
func TestRaisingTheKindsIsEnoughForTheCheck(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{
		"hack/release.sh", "go.mod", "api/applyconfiguration/go.mod", "hack/clients/kinds/go.mod", "hack/clients/kinds/oldest.mod",
		"docs/how-to/use-the-kinds-from-go.md",
	} {
		text, err := os.ReadFile(filepath.Join(project.Root(), filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, folder, name, string(text))
	}
	environment := []string{"CHANGELOG=" + writeFile(t, folder, "CHANGELOG.md", dated)}
	if out, err := releaseScript(t, folder, environment, "check", "v0.2.0"); err == nil || !strings.Contains(out, "go.mod does not require") {
		t.Errorf("before, the check says %q, %v", out, err)
	}
	for _, args := range [][]string{{"raise", "v0.2.0"}, {"check", "v0.2.0"}} {
		if out, err := releaseScript(t, folder, environment, args...); err != nil {
			t.Errorf("%v: %v: %s", args, err, out)
		}
	}
	page, err := os.ReadFile(filepath.Join(folder, "docs", "how-to", "use-the-kinds-from-go.md"))
	if err != nil || strings.Contains(string(page), "/api@v0.1.0") || !strings.Contains(string(page), "go get github.com/pressroom-dev/pressroom/api@v0.2.0\n") {
		t.Errorf("the page names another version, %v", err)
	}
}

// releaseScript runs release.sh in a folder.
func releaseScript(t *testing.T, folder string, environment []string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", append([]string{"hack/release.sh"}, args...)...)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), environment...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// writeFile writes a file into a folder, and returns its path.
func writeFile(t *testing.T, folder, name, text string) string {
	t.Helper()
	file := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
