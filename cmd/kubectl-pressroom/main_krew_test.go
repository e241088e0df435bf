package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/test/project"
)

// krewPlugin has the fields that krew requires of a manifest.
type krewPlugin struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		Version          string         `json:"version"`
		Homepage         string         `json:"homepage"`
		ShortDescription string         `json:"shortDescription"`
		Description      string         `json:"description"`
		Caveats          string         `json:"caveats"`
		Platforms        []krewPlatform `json:"platforms"`
	} `json:"spec"`
}

type krewPlatform struct {
	Selector struct {
		MatchLabels map[string]string `json:"matchLabels"`
	} `json:"selector"`
	URI    string `json:"uri"`
	SHA256 string `json:"sha256"`
	Bin    string `json:"bin"`
}

func TestTheManifestForKrewNamesTheArchives(t *testing.T) {
	folder := t.TempDir()
	sums := map[string]string{}
	for _, name := range []string{"kubectl-pressroom_linux_amd64.tar.gz", "kubectl-pressroom_windows_amd64.tar.gz"} {
		sum := sha256.Sum256([]byte(name))
		sums["https://example.com/v1.2.0/"+name] = hex.EncodeToString(sum[:])
		if err := os.WriteFile(filepath.Join(folder, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.CommandContext(t.Context(), "sh", filepath.Join(project.Root(), "hack", "krew.sh"), "manifest", folder, "v1.2.0")
	command.Env = append(os.Environ(), "URL=https://example.com/v1.2.0")
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	var p krewPlugin
	if err := yaml.UnmarshalStrict(out, &p); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if p.APIVersion != "krew.googlecontainertools.github.com/v1alpha2" || p.Kind != "Plugin" || p.Metadata.Name != "pressroom" ||
		p.Spec.Version != "v1.2.0" || p.Spec.Homepage == "" || p.Spec.ShortDescription == "" || len(p.Spec.ShortDescription) > 50 {
		t.Errorf("krew would refuse\n%s", out)
	}
	wantBin := map[string]string{"linux": "kubectl-pressroom", "windows": "kubectl-pressroom.exe"}
	for _, platform := range p.Spec.Platforms {
		if os := platform.Selector.MatchLabels["os"]; platform.Bin != wantBin[os] || platform.Selector.MatchLabels["arch"] != "amd64" {
			t.Errorf("platform %+v", platform)
		}
		if platform.SHA256 == "" || platform.SHA256 != sums[platform.URI] {
			t.Errorf("%s has the sum %s, want %s", platform.URI, platform.SHA256, sums[platform.URI])
		}
		delete(sums, platform.URI)
	}
	if len(sums) > 0 {
		t.Errorf("archives without a platform: %v", sums)
	}
}
