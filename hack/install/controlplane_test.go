//go:build e2e

package install

import (
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
	group  *process.Group
	ports  ports.Ports
	folder string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	folder := t.TempDir()
	group, err := process.NewGroup()
	if err != nil {
		t.Fatal(err)
	}
	w := &world{folder: folder, group: group}
	t.Cleanup(func() {
		if err := w.group.Stop(); err != nil {
			t.Error(err)
		}
	})
	if w.ports, err = ports.Free(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Cluster, err = cluster.Start(t.Context(), cluster.Options{Root: project.Root(), Folder: folder, Ports: w.ports, Group: w.group, Say: t.Logf})
	if err == nil {
		err = w.StartControllers()
	}
	if err != nil {
		t.Fatal(err)
	}
	w.tool = newTool(t, w.Kubeconfig())
	return w
}
