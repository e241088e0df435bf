package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/test/project"
)

func TestAReleaseNeedsAVersionAndASectionOfTheChangelog(t *testing.T) {
	for version, want := range map[string]string{
		"0.1.0": "such as VERSION=v0.1.0", "v0.1": "such as VERSION=v0.1.0", "v99.0.0": "has no section ## [99.0.0]", "v0.1.0": "",
	} {
		cmd := exec.CommandContext(t.Context(), "sh", filepath.Join("hack", "release.sh"), "check", version)
		cmd.Dir = project.Root()
		out, err := cmd.CombinedOutput()
		if (err == nil) != (want == "") || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v: %q, want %q", version, err, out, want)
		}
	}
}
