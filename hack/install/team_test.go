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
	w, binary := sharedWorld(t), pressroom(t)
	w.run(t, "helm", "install", release, chart, "-n", systemNamespace, "--create-namespace")
	running := w.runPods(t, binary, systemNamespace)
	objects := objectsOf(t, w.run(t, "kubectl", "kustomize", team))
	// Backwards, everything comes before what it names.
	for _, order := range []string{"as kustomize writes it", "backwards"} {
		t.Run(order, func(t *testing.T) {
			w.each(t, objects, "apply", "--server-side")
			w.each(t, ours(objects), "wait", "--for=condition=Ready", "--timeout=5m")
			phases := w.run(t, "kubectl", "get", "articles", "-n", "acme-team", "-o", "jsonpath={range .items[*]}{.metadata.name}={.status.phase} {end}")
			if want := "huts=Published trail-shoes=Review "; phases != want {
				t.Errorf("the articles are %q, want %q", phases, want)
			}
			// It fails if applying would change something.
			w.run(t, "kubectl", "diff", "--server-side", "-k", team)
			w.checkInSync(t, objects)
			w.checkHealthy(t, objects)
			w.prune(t, objects)
		})
		slices.Reverse(objects)
	}

	t.Run("is in sync for Argo CD without server-side apply too, which then compares three ways", func(t *testing.T) {
		w.each(t, objects, "apply")
		w.each(t, ours(objects), "wait", "--for=condition=Ready", "--timeout=5m")
		w.each(t, objects, "apply")
		if out := w.outOfSync(t, objects, false); out != "" {
			t.Errorf("out of sync:\n%s", out)
		}
		w.run(t, "kubectl", "patch", "account", "acme-team", "--type=merge", "-p", `{"spec": {"credits": 7}}`)
		if out := w.outOfSync(t, objects, false); !strings.HasPrefix(out, "Account ") || strings.Count(out, "predicted") != 1 {
			t.Errorf("out of sync is %q, want the Account that somebody has changed", out)
		}
		w.prune(t, objects)
	})

	t.Run("is pruned without its Secret, and without a controller", func(t *testing.T) {
		w.each(t, objects, "apply", "--server-side")
		w.run(t, "kubectl", "wait", "--for=condition=Ready", "--timeout=5m", "-n", "acme-team", "articles", "--all")
		w.run(t, "kubectl", "delete", "secret", "newsroom-events", "-n", "acme-team")
		w.stop(t, running)
		w.prune(t, objects)
	})
}

// each runs a command of kubectl on objects, Namespaces first, and the others in their order.
func (w *world) each(t *testing.T, objects []*unstructured.Unstructured, args ...string) {
	t.Helper()
	sorted := slices.Clone(objects)
	slices.SortStableFunc(sorted, func(a, b *unstructured.Unstructured) int { return rank(a) - rank(b) })
	if _, err := w.try(t, strings.NewReader(manifestOf(t, sorted)), "kubectl", append(args, "-f", "-")...); err != nil {
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
func (w *world) prune(t *testing.T, objects []*unstructured.Unstructured) {
	t.Helper()
	w.each(t, objects, "delete", "--ignore-not-found", "--timeout=5m")
	kinds := "accounts,apikeys,sites,articles,articlerevisions,posts,eventsubscriptions,eventdeliveries"
	if left := w.run(t, "kubectl", "get", kinds, "-A", "-o", "name"); left != "" {
		t.Errorf("%s is left", left)
	}
}
