//go:build e2e

package install

import (
	"fmt"
	"strings"
	"testing"
)

// kube-apiserver counts in metadata.generation how often a spec was written, so nothing happens between two looks that the count does not
// show. The HorizontalPodAutoscaler itself is not here: it writes the number that `kubectl scale` writes.
func TestAutoscalingNeverScalesARunningAPIDown(t *testing.T) {
	cp := sharedControlPlane(t)
	helm := func(args ...string) string {
		t.Helper()
		return cp.run(t, "helm", append(args, "-n", systemNamespace)...)
	}
	look := func() (replicas, generation int) {
		t.Helper()
		got := cp.run(t, "kubectl", "get", "deployment", "pressroom-apiserver", "-n", systemNamespace, "-o", "jsonpath={.spec.replicas} {.metadata.generation}")
		if _, err := fmt.Sscan(got, &replicas, &generation); err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		return replicas, generation
	}
	const turnedOn = "apiserver.autoscaling.enabled=true,apiserver.autoscaling.minReplicas=4"
	helm("install", release, chart, "--create-namespace", "--set", "apiserver.replicas=4")

	t.Run("turning it on writes no number", func(t *testing.T) {
		_, before := look()
		helm("upgrade", release, chart, "--reset-then-reuse-values", "--set", turnedOn)
		if replicas, generation := look(); replicas != 4 || generation != before {
			t.Errorf("there are %d replicas after %d changes, want 4 after none", replicas, generation-before)
		}
		cp.run(t, "kubectl", "get", "horizontalpodautoscaler", "pressroom-apiserver", "-n", systemNamespace)
	})

	t.Run("an upgrade keeps the number that the autoscaler has chosen", func(t *testing.T) {
		cp.run(t, "kubectl", "scale", "deployment", "pressroom-apiserver", "-n", systemNamespace, "--replicas=7")
		_, before := look()
		helm("upgrade", release, chart, "--reset-then-reuse-values", "--set", "apiserver.baseURL=https://api.example.com")
		if replicas, generation := look(); replicas != 7 || generation != before+1 {
			t.Errorf("there are %d replicas after %d changes, want 7 after that of the arguments alone", replicas, generation-before)
		}
	})

	t.Run("what renders the chart without a cluster hands the number over first", func(t *testing.T) {
		helm("uninstall", release, "--wait")
		sync := func(values string) {
			t.Helper()
			manifest := cp.run(t, "helm", "template", release, chart, "-n", systemNamespace, "--show-only", "templates/apiserver.yaml", "--set", values)
			if _, err := cp.try(t, strings.NewReader(manifest), "kubectl", "apply", "--server-side", "--field-manager=argocd-controller", "-f", "-"); err != nil {
				t.Fatal(err)
			}
		}
		sync("apiserver.replicas=4")
		_, before := look()
		cp.run(t, "sh", "-euc", commandsOf(t, "docs/how-to/install.md", "Autoscaling")[0])
		sync(turnedOn)
		if replicas, generation := look(); replicas != 4 || generation != before {
			t.Errorf("there are %d replicas after %d changes, want 4 after none", replicas, generation-before)
		}
	})
}
