package install

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestDistHandsOutTheSameInBothForms(t *testing.T) {
	o, dist := newTool(t, ""), t.TempDir()
	o.env = append(o.env, "IMG=registry.example.com:5000/team/pressroom:v1.2.3", "VERSION=v1.2.3", "DIST="+dist)
	o.run(t, "sh", "hack/dist.sh")
	want := byName(t, objectsOf(t, o.run(t, "cat", filepath.Join(dist, "install.yaml"))))
	got := byName(t, objectsOf(t, o.run(t, "helm", "template", release, filepath.Join(dist, "pressroom-1.2.3.tgz"), "-n", systemNamespace)))
	delete(want, "Namespace "+systemNamespace)
	for name, object := range got {
		if strings.HasPrefix(name, "CustomResourceDefinition ") {
			unstructured.RemoveNestedField(object, "metadata", "annotations", "helm.sh/resource-policy")
		}
		if strings.HasPrefix(name, "Deployment ") && !strings.Contains(strings.Join(containerImages(object), " "), "registry.example.com:5000/team/pressroom:v1.2.3") {
			t.Errorf("%s runs %v", name, containerImages(object))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("install.yaml has -, and the chart +:\n%s", diff)
	}
}

func containerImages(object map[string]any) (images []string) {
	containers, _, _ := unstructured.NestedSlice(object, "spec", "template", "spec", "containers")
	for _, container := range containers {
		image, _, _ := unstructured.NestedString(container.(map[string]any), "image")
		images = append(images, image)
	}
	return images
}
