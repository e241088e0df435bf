//go:build e2e

package install

import (
	"slices"
	"strings"
	"testing"
)

// everything returns the kinds and names of all objects that kube-apiserver lists, in a namespace or with "" in all. Events end by
// themselves.
func (cp *controlPlane) everything(t *testing.T, namespace string) []string {
	t.Helper()
	where := "--namespace=" + namespace
	args := []string{"api-resources", "--verbs=list", "--output=name"}
	if namespace == "" {
		where = "--all-namespaces"
	} else {
		args = append(args, "--namespaced=true")
	}
	kinds := slices.DeleteFunc(strings.Fields(cp.run(t, "kubectl", args...)), func(kind string) bool { return strings.HasPrefix(kind, "events") })
	objects := strings.Fields(cp.run(t, "kubectl", "get", strings.Join(kinds, ","), where, "--output=name"))
	slices.Sort(objects)
	return slices.Compact(objects)
}

// without returns what is in a list and not in another.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(one string) bool { return slices.Contains(other, one) })
}
