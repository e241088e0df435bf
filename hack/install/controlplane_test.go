//go:build e2e

package install

import (
	"path/filepath"
	"testing"

	"github.com/pressroom-dev/pressroom/hack/dev/cluster"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
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
	w := &world{folder: folder, group: process.NewGroup(filepath.Join(folder, "run"))}
	t.Cleanup(func() {
		if err := w.group.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := w.ports.Allocate(t.Context()); err != nil {
		t.Fatal(err)
	}
	var err error
	w.Cluster, err = cluster.Start(t.Context(), cluster.Options{Binaries: binaries(t), Folder: folder, Ports: w.ports, Group: w.group, Say: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	w.tool = newTool(t, w.Kubeconfig())
	return w
}
