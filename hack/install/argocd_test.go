//go:build e2e

package install

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// outOfSync returns the objects that Argo CD would show as out of sync, by its own library. With serverSide, kube-apiserver is asked what
// applying them again would change.
func (cp *controlPlane) outOfSync(t *testing.T, objects []*unstructured.Unstructured, serverSide bool) string {
	t.Helper()
	folder, manifest := t.TempDir(), manifestOf(t, objects)
	kubectl := func(args ...string) string {
		t.Helper()
		out, err := cp.try(t, strings.NewReader(manifest), "kubectl", append(args, "-f", "-", "-o", "json")...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	list := unstructured.UnstructuredList{Object: map[string]any{"apiVersion": "v1", "kind": "List"}}
	for _, object := range objects {
		list.Items = append(list.Items, *object)
	}
	wanted, err := json.Marshal(&list)
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"-wanted", write(t, folder, "wanted.json", string(wanted)), "-live", write(t, folder, "live.json", kubectl("get"))}
	if serverSide {
		args = append(args, "-predicted", write(t, folder, "predicted.json", kubectl("apply", "--server-side", "--dry-run=server")))
	}
	out, err := cp.try(t, nil, filepath.Join("bin", "argodiff"), args...)
	if err != nil && out == "" {
		t.Fatal(err)
	}
	return out
}

// checkInSync holds that Argo CD has nothing to change, by each of its ways to compare.
func (cp *controlPlane) checkInSync(t *testing.T, objects []*unstructured.Unstructured) {
	t.Helper()
	for _, serverSide := range []bool{false, true} {
		if out := cp.outOfSync(t, objects, serverSide); out != "" {
			t.Errorf("out of sync for Argo CD (server-side diff: %v):\n%s", serverSide, out)
		}
	}
}

// manifestOf writes objects as a manifest.
func manifestOf(t *testing.T, objects []*unstructured.Unstructured) string {
	t.Helper()
	var manifest strings.Builder
	for _, object := range objects {
		text, err := yaml.Marshal(object.Object)
		if err != nil {
			t.Fatal(err)
		}
		manifest.WriteString("---\n" + string(text))
	}
	return manifest.String()
}
