//go:build e2e

package install

import (
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const (
	operatorFolder = "config/samples/team/operator"
	teamFolder     = "config/samples/team/team"
	// teamTool applies the folder of the team, with the rights that the folder of the operator gives it, and no others.
	teamTool = "system:serviceaccount:acme-team:gitops"
)

// The sample repository, as GitOps tools apply it: that of the operator everything in one folder, and that of the team everything in the
// other one, in any order, once.
func TestARepositoryOfATeam(t *testing.T) {
	cp, binary := sharedControlPlane(t), pressroom(t)
	cp.run(t, "helm", "install", release, chart, "-n", systemNamespace, "--create-namespace")
	running := cp.runPods(t, binary, systemNamespace)
	operator := objectsOf(t, cp.run(t, "kubectl", "kustomize", operatorFolder))
	team := objectsOf(t, cp.run(t, "kubectl", "kustomize", teamFolder))
	account := ours(operator)
	rights := slices.DeleteFunc(slices.Clone(operator), func(o *unstructured.Unstructured) bool { return slices.Contains(account, o) })
	all := slices.Concat(rights, account, team)

	t.Run("every binding is needed", func(t *testing.T) {
		cp.each(t, rights, "apply", "--server-side")
		cp.awaitRights(t, team)
		for _, object := range rights {
			if strings.HasSuffix(object.GetKind(), "Binding") {
				cp.each(t, []*unstructured.Unstructured{object}, "delete")
				NewWithT(t).Eventually(func() error { return cp.rehearse(t, team) }).WithTimeout(time.Minute).WithPolling(100*time.Millisecond).
					Should(MatchError(SatisfyAny(ContainSubstring("forbidden"), ContainSubstring("Forbidden"))), "without %s", nameOf(object))
				cp.each(t, []*unstructured.Unstructured{object}, "apply", "--server-side")
				cp.awaitRights(t, team)
			}
		}
		cp.each(t, rights, "delete", "--ignore-not-found", "--timeout=5m")
	})

	apply := func(t *testing.T, args ...string) {
		t.Helper()
		cp.each(t, rights, args...)
		cp.awaitRights(t, team)
		cp.each(t, team, append(args, "--as="+teamTool)...)
		cp.each(t, account, args...)
	}
	// The account comes after what names it, and the second time everything of the team does, too.
	for _, order := range []string{"as kustomize writes it", "backwards"} {
		t.Run(order, func(t *testing.T) {
			apply(t, "apply", "--server-side")
			cp.each(t, ours(all), "wait", "--for=condition=Ready", "--timeout=5m")
			phases := cp.run(t, "kubectl", "get", "articles", "-n", "acme-team", "-o", "jsonpath={range .items[*]}{.metadata.name}={.status.phase} {end}")
			if want := "huts=Published trail-shoes=Review "; phases != want {
				t.Errorf("the articles are %q, want %q", phases, want)
			}
			// It fails if applying would change something.
			cp.run(t, "kubectl", "diff", "--server-side", "-k", operatorFolder)
			cp.run(t, "kubectl", "diff", "--server-side", "--as="+teamTool, "-k", teamFolder)
			cp.checkInSync(t, all)
			cp.checkHealthy(t, all)
			cp.prune(t, operator, team)
		})
		slices.Reverse(team)
	}

	t.Run("is in sync for Argo CD without server-side apply too, which then compares three ways", func(t *testing.T) {
		apply(t, "apply")
		cp.each(t, ours(all), "wait", "--for=condition=Ready", "--timeout=5m")
		apply(t, "apply")
		if out := cp.outOfSync(t, all, false); out != "" {
			t.Errorf("out of sync:\n%s", out)
		}
		cp.run(t, "kubectl", "patch", "account", "acme-team", "--type=merge", "-p", `{"spec": {"credits": 7}}`)
		if out := cp.outOfSync(t, all, false); !strings.HasPrefix(out, "Account ") || strings.Count(out, "predicted") != 1 {
			t.Errorf("out of sync is %q, want the Account that somebody has changed", out)
		}
		cp.prune(t, operator, team)
	})

	t.Run("is pruned without its Secret, and without a controller", func(t *testing.T) {
		apply(t, "apply", "--server-side")
		cp.run(t, "kubectl", "wait", "--for=condition=Ready", "--timeout=5m", "-n", "acme-team", "articles", "--all")
		cp.run(t, "kubectl", "delete", "secret", "newsroom-events", "-n", "acme-team")
		cp.stop(t, running)
		cp.prune(t, operator, team)
	})
}

// rehearse has kube-apiserver say whether the tool may apply the folder of the team, as a check before a merge does.
func (cp *controlPlane) rehearse(t *testing.T, team []*unstructured.Unstructured) error {
	t.Helper()
	_, err := cp.try(t, strings.NewReader(manifestOf(t, team)), "kubectl", "apply", "--server-side", "--dry-run=server", "--as="+teamTool, "-f", "-")
	return err
}

// awaitRights waits until kube-apiserver has taken the bindings up.
func (cp *controlPlane) awaitRights(t *testing.T, team []*unstructured.Unstructured) {
	t.Helper()
	NewWithT(t).Eventually(func() error { return cp.rehearse(t, team) }).WithTimeout(time.Minute).WithPolling(100 * time.Millisecond).Should(Succeed())
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

// prune deletes what GitOps tools have applied, that of the team with its rights and then the operator's. It waits until all is gone, and
// looks for what is left of it.
func (cp *controlPlane) prune(t *testing.T, operator, team []*unstructured.Unstructured) {
	t.Helper()
	cp.each(t, team, "delete", "--ignore-not-found", "--timeout=5m", "--as="+teamTool)
	cp.each(t, operator, "delete", "--ignore-not-found", "--timeout=5m")
	kinds := "accounts,apikeys,sites,briefs,articles,articlerevisions,posts,eventsubscriptions,eventdeliveries"
	if left := cp.run(t, "kubectl", "get", kinds, "-A", "-o", "name"); left != "" {
		t.Errorf("%s is left", left)
	}
}
