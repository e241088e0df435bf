//go:build e2e

package install

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// flagName is a flag in the help of a program, or in the arguments of its container.
var flagName = regexp.MustCompile(`--[a-z][a-z-]*`)

// There are no nodes: no Pod runs here. What Pods would do is in TestPodsOfARelease and TestTheFrontPage.
func TestAReleaseOnAControlPlane(t *testing.T) {
	cp := sharedControlPlane(t)
	cp.run(t, "kubectl", "create", "namespace", systemNamespace)
	cp.installKindsOfOthers(t)

	t.Run("every set of values is accepted, with flags that the programs know", func(t *testing.T) {
		binary := pressroom(t)
		known := map[string]string{}
		for _, program := range []string{"controller", "apiserver"} {
			known["pressroom-"+program] = cp.run(t, binary, program, "--help")
		}
		for _, values := range valueSets(t) {
			t.Run(filepath.Base(values), func(t *testing.T) {
				// Without the Pod of `helm test`, which needs its ServiceAccount first.
				manifest := cp.run(t, "helm", "template", release, chart, "-n", systemNamespace, "--values", values, "--skip-tests")
				if _, err := cp.try(t, strings.NewReader(manifest), "kubectl", "apply", "--server-side", "--dry-run=server", "--validate=strict", "-f", "-"); err != nil {
					t.Error(err)
				}
				for _, object := range objectsOf(t, manifest) {
					if object.GetKind() == "Deployment" {
						checkFlags(t, object, known[object.GetName()])
					}
				}
			})
		}
	})

	t.Run("what is uninstalled leaves the CRDs and the articles, until it is told otherwise", func(t *testing.T) {
		helm := func(args ...string) string { return cp.run(t, "helm", append(args, "-n", systemNamespace)...) }
		before := cp.everything(t, "")
		notes := helm("install", release, chart)
		for _, want := range []string{
			"kubectl rollout status -n " + systemNamespace, "kubectl create secret generic pressroom-session-keys", "crds.keep=false",
			"Set apiserver.baseURL", "answer 503", "helm test " + release, "plain HTTP inside the cluster",
		} {
			if !strings.Contains(notes, want) {
				t.Errorf("the notes lack %q:\n%s", want, notes)
			}
		}
		installed := objectsOf(t, helm("get", "manifest", release))
		cp.awaitKinds(t)
		cp.run(t, "kubectl", "apply", "--server-side", "-k", "config/samples")

		const public = "apiserver.service.type=LoadBalancer"
		for _, tt := range []struct {
			values string
			warns  bool
		}{
			{public, true}, {public + ",apiserver.service.loadBalancerSourceRanges={192.0.2.0/24}", false}, {public + ",apiserver.tls.secretName=tls", false},
		} {
			if got := strings.Contains(helm("upgrade", release, chart, "--dry-run=server", "--set", tt.values), "WARNING: the load balancer serves plain HTTP"); got != tt.warns {
				t.Errorf("with %s, the notes warn: %t, want %t", tt.values, got, tt.warns)
			}
		}

		helm("upgrade", release, chart, "--set", "controller.replicas=2,networkPolicy.enabled=true")
		if got := cp.run(t, "kubectl", "get", "deployment", "pressroom-controller", "-n", systemNamespace, "-o", "jsonpath={.spec.replicas}"); got != "2" {
			t.Errorf("after the upgrade there are %s replicas, want 2", got)
		}
		upgraded := objectsOf(t, helm("get", "manifest", release))
		if len(upgraded) <= len(installed) {
			t.Error("the upgrade has not added the NetworkPolicies")
		}

		helm("uninstall", release, "--wait")
		left := cp.present(t, upgraded)
		if isCRD := func(name string) bool { return strings.HasPrefix(name, "customresourcedefinition.") }; len(left) == 0 ||
			len(slices.DeleteFunc(slices.Clone(left), isCRD)) > 0 {
			t.Errorf("%v are left, want the CRDs, and only them", left)
		}
		if got := cp.run(t, "kubectl", "get", "articles", "-A", "-o", "name"); !strings.Contains(got, "welcome") {
			t.Errorf("the articles are %q, want them kept", got)
		}

		helm("install", release, chart)
		helm("upgrade", release, chart, "--set", "crds.keep=false")
		helm("uninstall", release, "--wait")
		if left := cp.present(t, upgraded); len(left) > 0 {
			t.Errorf("%v are left", left)
		}
		// The workspace of the samples is theirs.
		cp.run(t, "kubectl", "delete", "namespace", "acme-blog")
		if left := without(cp.everything(t, ""), before); len(left) > 0 {
			t.Errorf("%v are left, want nothing", left)
		}
	})
}

// checkFlags refuses flags that the help of the program lacks.
func checkFlags(t *testing.T, deployment *unstructured.Unstructured, help string) {
	t.Helper()
	text, err := yaml.Marshal(deployment.Object)
	if err != nil {
		t.Fatal(err)
	}
	known := flagName.FindAllString(help, -1)
	for line := range strings.SplitSeq(string(text), "\n") {
		flag, ok := strings.CutPrefix(strings.Trim(line, ` '"`), "- --")
		if !ok {
			continue
		}
		flag, _, _ = strings.Cut("--"+flag, "=")
		if !slices.Contains(known, flag) {
			t.Errorf("%s has the flag %s, which its program does not know", deployment.GetName(), flag)
		}
	}
}

// present returns the kinds and names of those objects that are there, which are of Kubernetes' own kinds.
func (cp *controlPlane) present(t *testing.T, objects []*unstructured.Unstructured) []string {
	t.Helper()
	out, err := cp.try(t, strings.NewReader(manifestOf(t, objects)), "kubectl", "get", "--ignore-not-found", "-o", "name", "-f", "-")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(out)
}
