//go:build e2e

package install

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/pressroom-dev/pressroom/hack/dev/cluster"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
	"github.com/pressroom-dev/pressroom/internal/testkit/project"
)

// world is a control plane with nothing in it, and the programs that speak to it.
type world struct {
	tool
	*cluster.Cluster
	// group has the processes of the control plane, or of the Pods only if it is the shared one.
	group  *process.Group
	ports  ports.Ports
	folder string
}

// newWorld starts a control plane for one test.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := start(t, t.TempDir())
	t.Cleanup(func() { stopGroup(t, w.group) })
	w.tool = newTool(t, w.Kubeconfig())
	return w
}

// shared is the control plane of the tests that install releases; nil before the first one. TestMain stops it.
var shared *world

// sharedWorld empties the shared control plane.
func sharedWorld(t *testing.T) *world {
	t.Helper()
	if shared == nil {
		shared = start(t, filepath.Join(filepath.Dir(clone), "shared"))
	}
	w := *shared
	w.folder = t.TempDir()
	w.group = newGroup(t)
	t.Cleanup(func() { stopGroup(t, w.group) })
	w.tool = newTool(t, w.Kubeconfig())
	w.run(t, "sh", "-euc", removeEverything)
	return &w
}

// removeEverything removes all releases, all kinds of CRDs with their objects, and the namespaces that are not Kubernetes' own.
const removeEverything = `
helm list --all-namespaces | tail -n +2 | while read -r name namespace rest; do helm uninstall "$name" -n "$namespace" --wait; done
kubectl delete crd --all
kubectl get namespaces -o name | grep -vE '/(default|kube-.*)$' | xargs -r kubectl delete
`

func start(t *testing.T, folder string) *world {
	t.Helper()
	w := &world{folder: folder, group: newGroup(t)}
	var err error
	if w.ports, err = ports.Free(t.Context()); err == nil {
		w.Cluster, err = cluster.Start(context.WithoutCancel(t.Context()), cluster.Options{
			Root: project.Root(), Folder: folder, Ports: w.ports, Group: w.group, Say: func(string, ...any) {},
		})
	}
	if err == nil {
		err = w.StartControllers()
	}
	if err != nil {
		stopGroup(t, w.group)
		t.Fatal(err)
	}
	return w
}

func newGroup(t *testing.T) *process.Group {
	t.Helper()
	group, err := process.NewGroup()
	if err != nil {
		t.Fatal(err)
	}
	return group
}

func stopGroup(t *testing.T, group *process.Group) {
	t.Helper()
	if err := group.Stop(); err != nil {
		t.Error(err)
	}
}
