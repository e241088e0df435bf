//go:build e2e

package install

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestDistHandsOutTheSameInBothForms(t *testing.T) {
	const image = "registry.example.com:5000/team/pressroom:v1.2.3"
	o, dist := newTool(t, ""), filepath.Join(clone, "bin", "dist")
	o.run(t, "make", "dist", "IMG="+image, "VERSION=v1.2.3")
	t.Run("with the SBOM of the program", func(t *testing.T) { checkSBOM(t, dist, "v1.2.3") })
	t.Run("with the provenance of all files", func(t *testing.T) {
		o.checkProvenance(t, dist, map[string]string{"IMG": image, "VERSION": "v1.2.3"})
	})
	if about := o.run(t, "helm", "show", "chart", filepath.Join(dist, "pressroom-1.2.3.tgz")); !strings.Contains(about, "image: "+image+"\n") ||
		!strings.Contains(about, "appVersion: v1.2.3\n") {
		t.Errorf("the chart says of itself\n%s", about)
	}
	want := byName(t, objectsOf(t, o.run(t, "cat", filepath.Join(dist, "install.yaml"))))
	got := byName(t, objectsOf(t, o.run(t, "helm", "template", release, filepath.Join(dist, "pressroom-1.2.3.tgz"), "-n", systemNamespace, "--skip-tests")))
	delete(want, "Namespace "+systemNamespace)
	for name, object := range got {
		removeWhatOnlyTheChartHas(object)
		if strings.HasPrefix(name, "Deployment ") && !strings.Contains(strings.Join(containerImages(object), " "), image) {
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
