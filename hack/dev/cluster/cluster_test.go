package cluster_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/pressroom-dev/pressroom/hack/dev/cluster"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
)

func binaries(t *testing.T) cluster.Binaries {
	t.Helper()
	b, err := cluster.FindBinaries(os.Getenv("KUBEBUILDER_ASSETS"), filepath.Join("..", "..", "..", "bin", "k8s"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// start starts a control plane on free ports in a folder, and returns how to stop it.
func start(t *testing.T, folder string) (running *cluster.Cluster, stop func()) {
	t.Helper()
	var p ports.Ports
	if err := p.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	group := process.NewGroup(filepath.Join(folder, "run"))
	stop = func() {
		if err := group.Stop(); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(stop)
	c, err := cluster.Start(t.Context(), cluster.Options{Binaries: binaries(t), Folder: folder, Ports: p, Group: group, Say: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	return c, stop
}

func admin(t *testing.T, c *cluster.Cluster) *kubernetes.Clientset {
	t.Helper()
	client, err := kubernetes.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestACluster(t *testing.T) {
	folder := t.TempDir()
	c, stop := start(t, folder)
	client := admin(t, c)
	namespaces := client.CoreV1().Namespaces()
	if _, err := namespaces.Create(t.Context(), namespace("yesterday"), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}

	t.Run("gives a ServiceAccount its own rights and no more", func(t *testing.T) {
		account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "modest"}}
		if _, err := client.CoreV1().ServiceAccounts("yesterday").Create(t.Context(), account, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		kubeconfig, err := c.ServiceAccountKubeconfig(t.Context(), "yesterday", "modest")
		if err != nil {
			t.Fatal(err)
		}
		config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
		if err != nil {
			t.Fatal(err)
		}
		modest, err := kubernetes.NewForConfig(config)
		if err != nil {
			t.Fatal(err)
		}
		_, err = modest.CoreV1().Secrets("yesterday").List(t.Context(), metav1.ListOptions{})
		if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "system:serviceaccount:yesterday:modest") {
			t.Errorf("listing Secrets: %v, want it forbidden to the ServiceAccount", err)
		}
	})

	t.Run("collects what a deleted owner leaves", func(t *testing.T) {
		collected(t, client)
	})

	t.Run("finds yesterday's objects after a restart, with yesterday's kubeconfig authority", func(t *testing.T) {
		stop()
		again, _ := start(t, folder)
		if _, err := admin(t, again).CoreV1().Namespaces().Get(t.Context(), "yesterday", metav1.GetOptions{}); err != nil {
			t.Errorf("reading an object of the start before: %v", err)
		}
	})
}

func namespace(name string) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

// collected proves that garbage collection, which is kube-controller-manager's, is at work.
func collected(t *testing.T, client *kubernetes.Clientset) {
	t.Helper()
	maps := client.CoreV1().ConfigMaps("yesterday")
	owner, err := maps.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "owner"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	owned := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Name:            "owned",
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID}},
	}}
	if _, err := maps.Create(t.Context(), owned, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := maps.Delete(t.Context(), "owner", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	err = wait.PollUntilContextTimeout(t.Context(), 100*time.Millisecond, 5*time.Minute, true, func(ctx context.Context) (bool, error) {
		_, err := maps.Get(ctx, "owned", metav1.GetOptions{})
		return apierrors.IsNotFound(err), nil
	})
	if err != nil {
		t.Errorf("the owned object is still there: %v", err)
	}
}

func TestDamagedDataIsAMessageAndNoHang(t *testing.T) {
	folder := t.TempDir()
	snapshots := filepath.Join(folder, "etcd", "member", "snap")
	if err := os.MkdirAll(snapshots, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(snapshots, "db"), []byte(strings.Repeat("not a database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	var p ports.Ports
	if err := p.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	group := process.NewGroup(filepath.Join(folder, "run"))
	defer func() {
		if err := group.Stop(); err != nil {
			t.Error(err)
		}
	}()
	_, err := cluster.Start(t.Context(), cluster.Options{Binaries: binaries(t), Folder: folder, Ports: p, Group: group, Say: t.Logf})
	if err == nil {
		t.Fatal("damaged data is accepted")
	}
	for _, want := range []string{"etcd has stopped by itself", "etcd.log"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("message %q lacks %q", err, want)
		}
	}
}
