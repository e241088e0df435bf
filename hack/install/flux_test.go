//go:build e2e

package install

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// kustomization is what is looked at of Flux's object.
type kustomization struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Namespace string `json:"namespace"`
	} `json:"metadata"`
	Spec struct {
		Path               string `json:"path"`
		ServiceAccountName string `json:"serviceAccountName"`
		HealthChecks       []struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
			Name       string `json:"name"`
			Namespace  string `json:"namespace"`
		} `json:"healthChecks"`
	} `json:"spec"`
}

// checkHealthy holds that Flux finds healthy what docs/how-to/gitops.md has it check, and with `wait: true` everything.
func (cp *controlPlane) checkHealthy(t *testing.T, objects []*unstructured.Unstructured) {
	t.Helper()
	var flux kustomization
	if err := yaml.Unmarshal([]byte(blocksOf(t, "docs/how-to/gitops.md", "yaml")[0]), &flux); err != nil || len(flux.Spec.HealthChecks) == 0 {
		t.Fatalf("docs/how-to/gitops.md begins with a %s with %d health checks, %v", flux.Kind, len(flux.Spec.HealthChecks), err)
	}
	if tool := "system:serviceaccount:" + flux.Metadata.Namespace + ":" + flux.Spec.ServiceAccountName; tool != teamTool {
		t.Errorf("docs/how-to/gitops.md has Flux apply %s as %s, and %s has the rights", flux.Spec.Path, tool, teamTool)
	}
	for _, check := range flux.Spec.HealthChecks {
		object := &unstructured.Unstructured{}
		object.SetAPIVersion(check.APIVersion)
		object.SetKind(check.Kind)
		object.SetName(check.Name)
		object.SetNamespace(check.Namespace)
		objects = append(objects, object)
	}
	var live unstructured.UnstructuredList
	out, err := cp.try(t, strings.NewReader(manifestOf(t, objects)), "kubectl", "get", "-f", "-", "-o", "json")
	if err == nil {
		err = json.Unmarshal([]byte(out), &live)
	}
	if err != nil || len(live.Items) != len(objects) {
		t.Fatalf("%d of %d objects are there, %v", len(live.Items), len(objects), err)
	}
	for i := range live.Items {
		result, err := status.Compute(&live.Items[i])
		if err != nil || result.Status != status.CurrentStatus {
			t.Errorf("for Flux, %s is %s: %s, %v", nameOf(&live.Items[i]), result.Status, result.Message, err)
		}
	}
}
