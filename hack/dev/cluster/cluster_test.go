//go:build e2e

package cluster_test

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
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

// running is a control plane on free ports in a folder.
type running struct {
	*cluster.Cluster
	ports ports.Ports
	group *process.Group
}

func start(t *testing.T, folder string) *running {
	t.Helper()
	r := &running{group: newGroup(t, folder)}
	if err := r.ports.Allocate(t.Context()); err != nil {
		t.Fatal(err)
	}
	var err error
	r.Cluster, err = cluster.Start(t.Context(), cluster.Options{
		Binaries: binaries(t), Folder: folder, Ports: r.ports, Group: r.group, Say: t.Logf,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func newGroup(t *testing.T, folder string) *process.Group {
	t.Helper()
	group := process.NewGroup(filepath.Join(folder, "run"))
	t.Cleanup(func() { stop(t, group) })
	return group
}

func stop(t *testing.T, group *process.Group) {
	t.Helper()
	if err := group.Stop(); err != nil {
		t.Error(err)
	}
}

func admin(t *testing.T, c *running) *kubernetes.Clientset {
	t.Helper()
	client, err := kubernetes.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestACluster(t *testing.T) {
	folder := t.TempDir()
	c := start(t, folder)
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

	t.Run("deletes a namespace with what is in it", func(t *testing.T) {
		if _, err := namespaces.Create(t.Context(), namespace("gone"), metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := namespaces.Delete(t.Context(), "gone", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		eventually(t, func(ctx context.Context) bool {
			_, err := namespaces.Get(ctx, "gone", metav1.GetOptions{})
			return apierrors.IsNotFound(err)
		})
	})

	t.Run("adds the rules of a labelled ClusterRole to the one that aggregates it", func(t *testing.T) {
		role := &rbacv1.ClusterRole{
			ObjectMeta: metav1.ObjectMeta{Name: "part", Labels: map[string]string{"rbac.authorization.k8s.io/aggregate-to-view": "true"}},
			Rules:      []rbacv1.PolicyRule{{APIGroups: []string{"test.example"}, Resources: []string{"things"}, Verbs: []string{"get"}}},
		}
		if _, err := client.RbacV1().ClusterRoles().Create(t.Context(), role, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		eventually(t, func(ctx context.Context) bool {
			view, err := client.RbacV1().ClusterRoles().Get(ctx, "view", metav1.GetOptions{})
			return err == nil && slices.ContainsFunc(view.Rules, func(r rbacv1.PolicyRule) bool { return slices.Contains(r.APIGroups, "test.example") })
		})
	})

	t.Run("makes the default ServiceAccount", func(t *testing.T) {
		eventually(t, func(ctx context.Context) bool {
			_, err := client.CoreV1().ServiceAccounts("yesterday").Get(ctx, "default", metav1.GetOptions{})
			return err == nil
		})
	})

	t.Run("lets nobody into etcd who has no certificate", func(t *testing.T) {
		config := &tls.Config{InsecureSkipVerify: true}
		conn, err := tls.Dial("tcp", ports.Address(c.ports.Etcd), config)
		if err == nil {
			// In TLS 1.3 the client learns only by reading that the server wants a certificate.
			_, err = conn.Read(make([]byte, 1))
			conn.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "certificate required") {
			t.Errorf("etcd answers %v, want that a certificate is required", err)
		}
	})

	t.Run("finds yesterday's objects after a restart", func(t *testing.T) {
		stop(t, c.group)
		again := start(t, folder)
		if _, err := admin(t, again).CoreV1().Namespaces().Get(t.Context(), "yesterday", metav1.GetOptions{}); err != nil {
			t.Errorf("reading an object of the start before: %v", err)
		}
		t.Run("and ends at once when its group is killed", func(t *testing.T) {
			if err := again.group.KillAll(); err != nil {
				t.Fatal(err)
			}
			eventually(t, func(context.Context) bool { return !listens(again.ports.Etcd) && !listens(again.ports.KubeAPIServer) })
		})
	})
}

func listens(port int) bool {
	conn, err := net.Dial("tcp", ports.Address(port))
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// eventually waits until done reports true.
func eventually(t *testing.T, done func(context.Context) bool) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), 100*time.Millisecond, 5*time.Minute, true,
		func(ctx context.Context) (bool, error) { return done(ctx), nil })
	if err != nil {
		t.Error(err)
	}
}

func namespace(name string) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

// collected proves that the garbage collector is at work.
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
	eventually(t, func(ctx context.Context) bool {
		_, err := maps.Get(ctx, "owned", metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
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
	if err := p.Allocate(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err := cluster.Start(t.Context(), cluster.Options{
		Binaries: binaries(t), Folder: folder, Ports: p, Group: newGroup(t, folder), Say: t.Logf,
	})
	if err == nil {
		t.Fatal("damaged data is accepted")
	}
	for _, want := range []string{"etcd has stopped by itself", "etcd.log"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("message %q lacks %q", err, want)
		}
	}
}

func TestAnInterruptedStartLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	var p ports.Ports
	if err := p.Allocate(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	interrupted := errors.New("interrupted")
	options := cluster.Options{Binaries: binaries(t), Folder: folder, Ports: p, Group: newGroup(t, folder), Say: t.Logf}
	// The start is interrupted as soon as it has a process.
	go func() {
		err := wait.PollUntilContextCancel(ctx, 10*time.Millisecond, true, func(context.Context) (bool, error) {
			_, err := os.Stat(filepath.Join(folder, "run", "etcd.pid"))
			return err == nil, nil
		})
		cancel(cmp.Or(err, interrupted))
	}()
	_, err := cluster.Start(ctx, options)
	if !errors.Is(err, interrupted) {
		t.Errorf("err = %v, want the cause of the interruption", err)
	}
	if listens(p.Etcd) || listens(p.KubeAPIServer) {
		t.Error("a part of the control plane is left")
	}
}
