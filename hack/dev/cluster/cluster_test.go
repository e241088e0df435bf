//go:build e2e

package cluster_test

import (
	"cmp"
	"context"
	"errors"
	"net/http"
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

const root = "../../.."

// running is a control plane on free ports in a folder.
type running struct {
	*cluster.Cluster
	ports ports.Ports
	group *process.Group
}

func start(t *testing.T, folder string) *running {
	t.Helper()
	options := newOptions(t, folder)
	r := &running{group: options.Group, ports: options.Ports}
	var err error
	if r.Cluster, err = cluster.Start(t.Context(), options); err == nil {
		err = r.StartControllers()
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func newOptions(t *testing.T, folder string) cluster.Options {
	t.Helper()
	free, err := ports.Free(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	group, err := process.NewGroup()
	if err != nil {
		t.Fatal(err)
	}
	return cluster.Options{Root: root, Folder: folder, Ports: free, Group: group, Say: t.Logf}
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

	t.Run("lets only the owner of its folder into etcd", func(t *testing.T) {
		if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("the folder is %v, %v; want it for its owner alone", info.Mode(), err)
		}
		response, err := http.Post(ports.URL(c.ports.EtcdHealth)+"/v3/kv/range", "application/json", strings.NewReader(`{"key": "AA==", "range_end": "AA=="}`))
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusNotFound {
			t.Errorf("etcd answers %s on the port of its health, want 404", response.Status)
		}
	})

	t.Run("starts a kube-apiserver that was killed again, for the clients that it had", func(t *testing.T) {
		if err := c.APIServer.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := c.StartAPIServer(t.Context()); err != nil {
			t.Fatal(err)
		}
		eventually(t, func(ctx context.Context) bool {
			_, err := namespaces.Get(ctx, "yesterday", metav1.GetOptions{})
			return err == nil
		})
	})

	t.Run("finds yesterday's objects after a restart", func(t *testing.T) {
		stop(t, c.group)
		again := start(t, folder)
		defer stop(t, again.group)
		if _, err := admin(t, again).CoreV1().Namespaces().Get(t.Context(), "yesterday", metav1.GetOptions{}); err != nil {
			t.Errorf("reading an object of the start before: %v", err)
		}
	})
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
	options := newOptions(t, folder)
	defer stop(t, options.Group)
	_, err := cluster.Start(t.Context(), options)
	if err == nil {
		t.Fatal("damaged data is accepted")
	}
	for _, want := range []string{"etcd has stopped by itself", "etcd.log"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("message %q lacks %q", err, want)
		}
	}
}

func TestAStartCanBeInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	interrupted := errors.New("interrupted")
	options := newOptions(t, t.TempDir())
	// The start is interrupted as soon as it has a process.
	go func() {
		err := wait.PollUntilContextCancel(ctx, 10*time.Millisecond, true, func(context.Context) (bool, error) {
			_, err := os.Stat(filepath.Join(options.Folder, "logs", "etcd.log"))
			return err == nil, nil
		})
		cancel(cmp.Or(err, interrupted))
	}()
	if _, err := cluster.Start(ctx, options); !errors.Is(err, interrupted) {
		t.Errorf("err = %v, want the cause of the interruption", err)
	}
	stop(t, options.Group)
}

func TestAMissingBinaryIsNamedWithTheWayToGetIt(t *testing.T) {
	t.Setenv("KUBEBUILDER_ASSETS", t.TempDir())
	_, err := cluster.Binary(t.TempDir(), "kube-controllers")
	if err == nil || !strings.Contains(err.Error(), "kube-controllers") || !strings.Contains(err.Error(), "make control-plane") {
		t.Errorf("err = %v, want one that names kube-controllers and make control-plane", err)
	}
}

func TestAssetsComeFirstAndWhatTheyLackIsTakenFromBin(t *testing.T) {
	assets, project := t.TempDir(), t.TempDir()
	built := filepath.Join(project, "bin", "k8s")
	t.Setenv("KUBEBUILDER_ASSETS", assets)
	if err := os.MkdirAll(built, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{filepath.Join(assets, "etcd"), filepath.Join(built, "etcd"), filepath.Join(built, "kube-controllers")} {
		if err := os.WriteFile(file, nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"etcd": assets, "kube-controllers": built} {
		if path, err := cluster.Binary(project, name); err != nil || filepath.Dir(path) != want {
			t.Errorf("%s is %s, %v, want it in %s", name, path, err, want)
		}
	}
}
