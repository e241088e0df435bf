//go:build e2e

package install

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const team = "config/samples/team"

// The sample repository, as a GitOps tool applies it: Namespaces first, and everything else in any order, once.
func TestARepositoryOfATeam(t *testing.T) {
	cp, binary := sharedControlPlane(t), pressroom(t)
	cp.run(t, "helm", "install", release, chart, "-n", systemNamespace, "--create-namespace")
	running := cp.runPods(t, binary, systemNamespace)
	objects := objectsOf(t, cp.run(t, "kubectl", "kustomize", team))
	// Backwards, everything comes before what it names.
	for _, order := range []string{"as kustomize writes it", "backwards"} {
		t.Run(order, func(t *testing.T) {
			cp.each(t, objects, "apply", "--server-side")
			cp.each(t, ours(objects), "wait", "--for=condition=Ready", "--timeout=5m")
			phases := cp.run(t, "kubectl", "get", "articles", "-n", "acme-team", "-o", "jsonpath={range .items[*]}{.metadata.name}={.status.phase} {end}")
			if want := "huts=Published trail-shoes=Review "; phases != want {
				t.Errorf("the articles are %q, want %q", phases, want)
			}
			// It fails if applying would change something.
			cp.run(t, "kubectl", "diff", "--server-side", "-k", team)
			cp.checkInSync(t, objects)
			cp.checkHealthy(t, objects)
			cp.prune(t, objects)
		})
		slices.Reverse(objects)
	}

	t.Run("is in sync for Argo CD without server-side apply too, which then compares three ways", func(t *testing.T) {
		cp.each(t, objects, "apply")
		cp.each(t, ours(objects), "wait", "--for=condition=Ready", "--timeout=5m")
		cp.each(t, objects, "apply")
		if out := cp.outOfSync(t, objects, false); out != "" {
			t.Errorf("out of sync:\n%s", out)
		}
		cp.run(t, "kubectl", "patch", "account", "acme-team", "--type=merge", "-p", `{"spec": {"credits": 7}}`)
		if out := cp.outOfSync(t, objects, false); !strings.HasPrefix(out, "Account ") || strings.Count(out, "predicted") != 1 {
			t.Errorf("out of sync is %q, want the Account that somebody has changed", out)
		}
		cp.prune(t, objects)
	})

	t.Run("is pruned without its Secret, and without a controller", func(t *testing.T) {
		cp.each(t, objects, "apply", "--server-side")
		cp.run(t, "kubectl", "wait", "--for=condition=Ready", "--timeout=5m", "-n", "acme-team", "articles", "--all")
		cp.run(t, "kubectl", "delete", "secret", "newsroom-events", "-n", "acme-team")
		cp.stop(t, running)
		cp.prune(t, objects)
	})
}

// each runs a command of kubectl on objects, Namespaces first, and the others in their order.
func (cp *controlPlane) each(t *testing.T, objects []*unstructured.Unstructured, args ...string) {
	t.Helper()
	sorted := slices.Clone(objects)
	slices.SortStableFunc(sorted, func(a, b *unstructured.Unstructured) int { return rank(a) - rank(b) })
	if _, err := cp.try(t, strings.NewReader(manifestOf(t, sorted)), "kubectl", append(args, "-f", "-")...); err != nil {
		t.Fatal(err)
	}
}

func rank(object *unstructured.Unstructured) int {
	if object.GetKind() == "Namespace" {
		return 0
	}
	return 1
}

// ours are the objects of Pressroom's kinds, which have conditions.
func ours(objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	return slices.DeleteFunc(slices.Clone(objects), func(object *unstructured.Unstructured) bool {
		return object.GroupVersionKind().Group != "pressroom.dev"
	})
}

// prune deletes what a GitOps tool has applied, waits until it is gone, and looks for what is left of it.
func (cp *controlPlane) prune(t *testing.T, objects []*unstructured.Unstructured) {
	t.Helper()
	cp.each(t, objects, "delete", "--ignore-not-found", "--timeout=5m")
	kinds := "accounts,apikeys,sites,briefs,articles,articlerevisions,posts,eventsubscriptions,eventdeliveries"
	if left := cp.run(t, "kubectl", "get", kinds, "-A", "-o", "name"); left != "" {
		t.Errorf("%s is left", left)
	}
}
