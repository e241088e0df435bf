//go:build e2e

package install

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/pressroom-dev/pressroom/hack/dev/cluster"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
	"github.com/pressroom-dev/pressroom/test/project"
)

// controlPlane is a control plane with nothing in it, and the programs that speak to it.
type controlPlane struct {
	tool
	*cluster.Cluster
	// group has the processes of the control plane, or of the Pods only if it is the shared one.
	group  *process.Group
	ports  ports.Ports
	folder string
}

// startControlPlane starts a control plane for one test.
func startControlPlane(t *testing.T) *controlPlane {
	t.Helper()
	cp := start(t, t.TempDir())
	t.Cleanup(func() { stopGroup(t, cp.group) })
	cp.tool = newTool(t, cp.Kubeconfig())
	return cp
}

// shared is the control plane of the tests that install releases; nil before the first one. TestMain stops it.
var shared *controlPlane

// sharedControlPlane empties the shared control plane.
func sharedControlPlane(t *testing.T) *controlPlane {
	t.Helper()
	if shared == nil {
		shared = start(t, filepath.Join(filepath.Dir(clone), "shared"))
	}
	cp := *shared
	cp.folder = t.TempDir()
	cp.group = newGroup(t)
	t.Cleanup(func() { stopGroup(t, cp.group) })
	cp.tool = newTool(t, cp.Kubeconfig())
	cp.run(t, "sh", "-euc", removeEverything)
	return &cp
}

// removeEverything removes all releases, all kinds of CRDs with their objects, and the namespaces that are not Kubernetes' own.
const removeEverything = `
helm list --all-namespaces | tail -n +2 | while read -r name namespace rest; do helm uninstall "$name" -n "$namespace" --wait; done
kubectl delete crd --all
kubectl get namespaces -o name | grep -vE '/(default|kube-.*)$' | xargs -r kubectl delete
`

func start(t *testing.T, folder string) *controlPlane {
	t.Helper()
	cp := &controlPlane{folder: folder, group: newGroup(t)}
	var err error
	if cp.ports, err = ports.Free(t.Context()); err == nil {
		cp.Cluster, err = cluster.Start(context.WithoutCancel(t.Context()), cluster.Options{
			Root: project.Root(), Folder: folder, Ports: cp.ports, Group: cp.group, Say: func(string, ...any) {},
		})
	}
	if err == nil {
		err = cp.StartControllers()
	}
	if err != nil {
		stopGroup(t, cp.group)
		t.Fatal(err)
	}
	return cp
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
