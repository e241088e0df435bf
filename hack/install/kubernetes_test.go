//go:build e2e

package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// versions are those of Kubernetes that Pressroom is for. kube-apiserver 1.37 itself is asked in TestAReleaseOnAControlPlane.
var versions = []string{"1.32", "1.33", "1.34", "1.35", "1.36", "1.37"}

// The client library of each version of Kubernetes has the schemas of its kinds: their fields, and the types of these. Required fields
// and formats are in none. Kinds of CRDs are those of others.
func TestAllSetsOfValuesFitEachVersionOfKubernetes(t *testing.T) {
	o := newTool(t, "")
	rendered := map[string][]*unstructured.Unstructured{}
	for _, values := range valueSets(t) {
		rendered[filepath.Base(values)] = o.render(t, systemNamespace, "--values", values)
	}
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			// It refuses a version that the chart is not for.
			o.render(t, systemNamespace, "--kube-version", version+".0")
			schemas, checked := schemasOf(t, version), 0
			for values, objects := range rendered {
				for _, object := range objects {
					kind := typeOf(object)
					if !schemas.Type(kind).IsValid() {
						if !slices.Contains(kindsOfOthers, object.GetKind()) {
							t.Errorf("%s: Kubernetes %s has no %s", values, version, kind)
						}
						continue
					}
					checked++
					if _, err := schemas.Type(kind).FromUnstructured(object.Object); err != nil {
						t.Errorf("%s: %s in Kubernetes %s: %v", values, nameOf(object), version, err)
					}
				}
			}
			if least := 20 * len(rendered); checked < least {
				t.Errorf("only %d objects were compared", checked)
			}
			checkThatSchemasRefuse(t, schemas)
		})
	}
}

// kindsOfOthers have their schemas in CRDs, or are CRDs.
var kindsOfOthers = []string{"CustomResourceDefinition", "PodMonitor", "PrometheusRule", "HTTPRoute", "BackendTLSPolicy", "Certificate"}

// schemasOf reads the schemas that the client library of a version applies objects with.
func schemasOf(t *testing.T, version string) *typed.Parser {
	t.Helper()
	module := "k8s.io/client-go@v0." + strings.TrimPrefix(version, "1.") + ".0"
	text, err := os.ReadFile(filepath.Join(folderOf(t, module), "applyconfigurations", "internal", "internal.go"))
	if err != nil {
		t.Fatal(err)
	}
	_, schemas, found := strings.Cut(string(text), "typed.YAMLObject(`")
	schemas, _, closed := strings.Cut(schemas, "`)")
	if !found || !closed {
		t.Fatalf("%s has its schemas elsewhere", module)
	}
	parser, err := typed.NewParser(typed.YAMLObject(schemas))
	if err != nil {
		t.Fatal(err)
	}
	return parser
}

// typeOf is the name of a kind in the schemas, such as io.k8s.api.apps.v1.Deployment.
func typeOf(object *unstructured.Unstructured) string {
	kind := object.GroupVersionKind()
	group, _, _ := strings.Cut(kind.Group, ".")
	if group == "" {
		group = "core"
	}
	return "io.k8s.api." + group + "." + kind.Version + "." + kind.Kind
}

func checkThatSchemasRefuse(t *testing.T, schemas *typed.Parser) {
	t.Helper()
	deployment := schemas.Type("io.k8s.api.apps.v1.Deployment")
	for _, spec := range []map[string]any{{"replica": int64(1)}, {"template": "none"}} {
		object := map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "spec": spec}
		if _, err := deployment.FromUnstructured(object); err == nil {
			t.Errorf("the schema accepts %v", spec)
		}
	}
}
