package kinds

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sigs.k8s.io/yaml"
)

// A manifest that no kustomization names is never installed.
func TestKustomizationsNameEveryManifestBesideThem(t *testing.T) {
	for _, dir := range []string{"crd", "policy", "rbac", "samples"} {
		root := folder("config", dir)
		data, err := os.ReadFile(filepath.Join(root, "kustomization.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		var kustomization struct {
			Resources []string `json:"resources"`
		}
		if err := yaml.Unmarshal(data, &kustomization); err != nil {
			t.Fatal(err)
		}
		for _, file := range manifestsOf(t, root, dir) {
			if !slices.Contains(kustomization.Resources, file) {
				t.Errorf("config/%s/kustomization.yaml must name %s", dir, file)
			}
		}
	}
}

// manifestsOf returns the manifests that a kustomization must name: those beside it, for CRDs those in bases.
func manifestsOf(t *testing.T, root, dir string) []string {
	t.Helper()
	pattern := "*.yaml"
	if dir == "crd" {
		pattern = "bases/*.yaml"
	}
	paths, err := filepath.Glob(filepath.Join(root, pattern))
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, path := range paths {
		file, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		if file != "kustomization.yaml" {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		t.Errorf("there are no manifests in config/%s", dir)
	}
	return files
}
