package kinds

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

type (
	crd    = apiextensionsv1.CustomResourceDefinition
	schema = apiextensionsv1.JSONSchemaProps
)

// generatedCRDs reads config/crd/bases.
func generatedCRDs() ([]crd, error) {
	files, err := filepath.Glob(folder("config", "crd", "bases", "*.yaml"))
	if err != nil {
		return nil, err
	}
	crds := make([]crd, len(files))
	for i, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if err := yaml.UnmarshalStrict(data, &crds[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return crds, nil
}

// root returns the schema of a CRD's only version.
func root(c crd) *schema { return c.Spec.Versions[0].Schema.OpenAPIV3Schema }

// node is one node of the schema of a kind.
type node struct {
	*schema

	// path from the root, such as spec.cms.headless.url or spec.faq[].question; empty at the root.
	path string
	// name of the property; empty at the root and for the items of a list.
	name string
	// parent holds the property; nil at the root.
	parent *node
	// foreign nodes are inside metav1.Condition, whose words and bounds are Kubernetes'.
	foreign bool
}

// walk visits every node of a kind's schema but the apiVersion, kind and metadata that every kind has, parents first.
func walk(c crd, visit func(node)) { walkFrom(node{schema: root(c)}, visit) }

func walkFrom(n node, visit func(node)) {
	visit(n)
	for _, name := range slices.Sorted(maps.Keys(n.Properties)) {
		if n.path == "" && slices.Contains([]string{"apiVersion", "kind", "metadata"}, name) {
			continue
		}
		property := n.Properties[name]
		walkFrom(node{
			schema: &property, path: strings.TrimPrefix(n.path+"."+name, "."), name: name, parent: &n, foreign: n.foreign,
		}, visit)
	}
	if n.Items != nil && n.Items.Schema != nil {
		walkFrom(node{schema: n.Items.Schema, path: n.path + "[]", parent: &n, foreign: n.foreign || n.name == "conditions"}, visit)
	}
	if n.AdditionalProperties != nil && n.AdditionalProperties.Schema != nil {
		walkFrom(node{schema: n.AdditionalProperties.Schema, path: n.path + "{}", parent: &n, foreign: n.foreign}, visit)
	}
}
