//go:build e2e

package install

import (
	"path/filepath"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation"
)

// chartLabels are on every object of the chart, and on none of config.
var chartLabels = []string{"app.kubernetes.io/instance", "app.kubernetes.io/part-of", "app.kubernetes.io/version", "helm.sh/chart"}

// Clusters that require an owner's label of every object could not have the chart otherwise.
func TestEveryObjectOfTheChartHasItsLabels(t *testing.T) {
	o := newTool(t, "")
	for _, values := range valueSets(t) {
		t.Run(filepath.Base(values), func(t *testing.T) {
			for _, object := range o.render(t, systemNamespace, "--values", values) {
				for _, label := range chartLabels {
					value := object.GetLabels()[label]
					if problems := validation.IsValidLabelValue(value); value == "" || len(problems) > 0 {
						t.Errorf("%s has the label %s: %q %v", nameOf(object), label, value, problems)
					}
				}
				checkSelectors(t, nameOf(object), object.Object, chartLabels)
			}
		})
	}
}

func TestCommonLabelsAreOnEveryObjectAndPodAndOnNoSelector(t *testing.T) {
	common := map[string]string{"team": "content", "example.com/cost-center": "4711"}
	kinds := map[string]bool{}
	for _, object := range newTool(t, "").render(t, systemNamespace, "--values", valuesNamed(t, "labels")) {
		kinds[object.GetKind()] = true
		pod, _, err := unstructured.NestedStringMap(object.Object, "spec", "template", "metadata", "labels")
		if err != nil {
			t.Fatal(err)
		}
		for label, want := range common {
			if got := object.GetLabels()[label]; got != want {
				t.Errorf("%s has the label %s: %q", nameOf(object), label, got)
			}
			if object.GetKind() == "Deployment" && pod[label] != want {
				t.Errorf("the Pods of %s have the labels %v", nameOf(object), pod)
			}
			checkSelectors(t, nameOf(object), object.Object, []string{label})
		}
	}
	for _, want := range []string{
		"Certificate", "ClusterRole", "ConfigMap", "CustomResourceDefinition", "Deployment", "FlowSchema", "HTTPRoute", "HorizontalPodAutoscaler", "Ingress",
		"NetworkPolicy", "Pod", "PodDisruptionBudget", "PodMonitor", "PrometheusRule", "Role", "Service", "ServiceAccount", "ValidatingAdmissionPolicy",
	} {
		if !kinds[want] {
			t.Errorf("there is no %s to look at", want)
		}
	}
}

// checkSelectors refuses labels in what selects Pods: it may not change with a version or an owner.
func checkSelectors(t *testing.T, name string, value any, labels []string) {
	t.Helper()
	switch value := value.(type) {
	case []any:
		for _, one := range value {
			checkSelectors(t, name, one, labels)
		}
	case map[string]any:
		for field, one := range value {
			checkSelectors(t, name, one, labels)
			selected, isMap := one.(map[string]any)
			if !isMap || field != "matchLabels" && field != "selector" {
				continue
			}
			for label := range selected {
				if slices.Contains(labels, label) {
					t.Errorf("%s selects by %s", name, label)
				}
			}
		}
	}
}
