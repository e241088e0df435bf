//go:build e2e

package install

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/pressroom-dev/pressroom/test/project"
)

// Each way of setting something is there twice, as values and as an overlay, and means the same.
func TestTheChartAndKustomizeInstallTheSameObjects(t *testing.T) {
	const images = "images: [{name: pressroom, newName: registry.example.com/pressroom, newTag: v1}]\n"
	for _, tt := range []struct {
		name, namespace, values, overlay string
	}{
		{name: "as they are"},
		{
			name: "in another namespace", namespace: "newsroom",
			overlay: "namespace: newsroom\n" + flowControlPatch("newsroom"),
		},
		{
			name:    "with everything that is not part of config/default",
			values:  "networkPolicy: {enabled: true}\npodMonitor: {enabled: true}\nprometheusRule: {enabled: true}\ngrafanaDashboard: {enabled: true}\n",
			overlay: "resources: [CONFIG/default, CONFIG/network-policy, CONFIG/prometheus, CONFIG/grafana]\n",
		},
		{
			name: "with a model",
			values: `controller:
  generator: {type: OpenAI, model: MODEL, apiKeySecret: {name: pressroom-generator}, prices: {input: "0.15", output: "0.60"}}
`,
			// As docs/how-to/connect-a-model.md says in words.
			overlay: `patches:
- target: {kind: Deployment, name: pressroom-controller}
  patch: |
    - {op: add, path: /spec/template/spec/containers/0/args/-, value: --generator-type=OpenAI}
    - {op: add, path: /spec/template/spec/containers/0/args/-, value: --generator-model=MODEL}
    - {op: add, path: /spec/template/spec/containers/0/args/-, value: --generator-api-key-file=/var/run/secrets/pressroom/generator/apiKey}
    - {op: add, path: /spec/template/spec/containers/0/args/-, value: --generator-price-input=0.15}
    - {op: add, path: /spec/template/spec/containers/0/args/-, value: --generator-price-cached=}
    - {op: add, path: /spec/template/spec/containers/0/args/-, value: --generator-price-output=0.60}
    - {op: add, path: /spec/template/spec/containers/0/args/-, value: --generator-currency=USD}
    - op: add
      path: /spec/template/spec/volumes
      value: [{name: generator, secret: {secretName: pressroom-generator}}]
    - op: add
      path: /spec/template/spec/containers/0/volumeMounts
      value: [{name: generator, mountPath: /var/run/secrets/pressroom/generator, readOnly: true}]
`,
		},
		{
			name: "with other sizes and addresses",
			values: `controller:
  denyCIDRs: [203.0.113.0/24]
  resources: {requests: {cpu: "1", memory: 1Gi}, limits: {memory: 4Gi}}
apiserver:
  replicas: 5
  baseURL: https://api.example.com
  appURL: https://app.example.com
`,
			overlay: `replicas: [{name: pressroom-apiserver, count: 5}]
patches:
- target: {kind: Deployment, name: pressroom-controller}
  patch: |
    - {op: add, path: /spec/template/spec/containers/0/args/-, value: --deny-cidr=203.0.113.0/24}
    - {op: add, path: /spec/template/spec/containers/0/args/-, value: "--app-url=https://app.example.com"}
    - {op: replace, path: /spec/template/spec/containers/0/resources, value: {requests: {cpu: "1", memory: 1Gi}, limits: {memory: 4Gi}}}
    - {op: replace, path: /spec/template/spec/containers/0/env/0/value, value: 3686MiB}
- target: {kind: Deployment, name: pressroom-apiserver}
  patch: |
    - {op: add, path: /spec/template/spec/containers/0/args/-, value: "--base-url=https://api.example.com"}
    - {op: add, path: /spec/template/spec/containers/0/args/-, value: "--app-url=https://app.example.com"}
    - {op: add, path: /spec/template/spec/containers/0/args/-, value: --deny-cidr=203.0.113.0/24}
`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o, folder := newTool(t, ""), realTempDir(t)
			if tt.namespace == "" {
				tt.namespace = systemNamespace
			}
			values := write(t, folder, "values.yaml", tt.values+"image: {repository: registry.example.com/pressroom, tag: v1}\n")
			got := byName(t, o.render(t, tt.namespace, "--values", values, "--skip-tests"))

			if !strings.Contains(tt.overlay, "resources:") {
				tt.overlay = "resources: [CONFIG/default]\n" + tt.overlay
			}
			write(t, folder, "kustomization.yaml", relative(t, folder, images+tt.overlay))
			want := byName(t, objectsOf(t, o.run(t, "kubectl", "kustomize", folder)))

			// helm creates the namespace itself, and the chart keeps the CRDs.
			delete(want, "Namespace "+tt.namespace)
			for _, object := range got {
				removeWhatOnlyTheChartHas(object)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("kustomize installs -, and the chart +:\n%s", diff)
			}
		})
	}
}

// removeWhatOnlyTheChartHas removes from an object of the chart the labels of the chart, and what keeps CRDs.
func removeWhatOnlyTheChartHas(object map[string]any) {
	for _, label := range chartLabels {
		unstructured.RemoveNestedField(object, "metadata", "labels", label)
	}
	if labels, _, _ := unstructured.NestedMap(object, "metadata", "labels"); len(labels) == 0 {
		unstructured.RemoveNestedField(object, "metadata", "labels")
	}
	if object["kind"] == "CustomResourceDefinition" {
		unstructured.RemoveNestedField(object, "metadata", "annotations", "helm.sh/resource-policy")
	}
}

// flowControlPatch is what docs/how-to/install.md says of an overlay in another namespace.
func flowControlPatch(namespace string) string {
	return strings.ReplaceAll(`patches:
- target: {kind: FlowSchema, name: pressroom}
  patch: |
    - {op: replace, path: /spec/rules/0/subjects/0/serviceAccount/namespace, value: NAMESPACE}
    - {op: replace, path: /spec/rules/0/subjects/1/serviceAccount/namespace, value: NAMESPACE}
- target: {kind: FlowSchema, name: pressroom-leader-election}
  patch: |
    - {op: replace, path: /spec/rules/0/subjects/0/serviceAccount/namespace, value: NAMESPACE}
    - {op: replace, path: /spec/rules/0/resourceRules/0/namespaces/0, value: NAMESPACE}
`, "NAMESPACE", namespace)
}

// relative replaces CONFIG by the path of config from a folder: kustomize takes no absolute path.
func relative(t *testing.T, folder, text string) string {
	t.Helper()
	path, err := filepath.Rel(folder, filepath.Join(project.Root(), "config"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(text, "CONFIG", path)
}

// realTempDir returns a folder by a path without links.
func realTempDir(t *testing.T) string {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

func byName(t *testing.T, objects []*unstructured.Unstructured) map[string]map[string]any {
	t.Helper()
	all := map[string]map[string]any{}
	for _, object := range objects {
		// kustomize does not know that these have no namespace; kube-apiserver does.
		if slices.Contains([]string{"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "PriorityLevelConfiguration", "FlowSchema"}, object.GetKind()) {
			object.SetNamespace("")
		}
		if _, twice := all[nameOf(object)]; twice {
			t.Errorf("%s is there twice", nameOf(object))
		}
		all[nameOf(object)] = object.Object
	}
	if len(all) < 20 {
		t.Errorf("there are only %d objects", len(all))
	}
	return all
}
