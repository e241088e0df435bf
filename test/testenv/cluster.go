package testenv

import (
	"context"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/pressroom-dev/pressroom/test/project"
)

// Install creates the objects of a manifest, named by its path from the project's root.
func (c *Cluster) Install(manifest string) {
	GinkgoHelper()
	Expect(createAll(c.Client, filepath.Join(project.Root(), filepath.FromSlash(manifest)))).To(Succeed())
}

// ConfigOf returns a configuration with the rights of a ServiceAccount, and no more.
func (c *Cluster) ConfigOf(namespace, serviceAccount string) *rest.Config {
	config := rest.CopyConfig(c.Config)
	config.Impersonate = rest.ImpersonationConfig{
		UserName: "system:serviceaccount:" + namespace + ":" + serviceAccount,
		Groups:   []string{"system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"},
	}
	return config
}

// NewKubeconfig returns the path of a kubeconfig of a user who is a member of system:masters.
func (c *Cluster) NewKubeconfig(name string) string {
	GinkgoHelper()
	user, err := c.AddUser(envtest.User{Name: name, Groups: []string{"system:masters"}}, nil)
	Expect(err).NotTo(HaveOccurred())
	data, err := user.KubeConfig()
	Expect(err).NotTo(HaveOccurred())
	path := filepath.Join(GinkgoT().TempDir(), "kubeconfig")
	Expect(os.WriteFile(path, data, 0o600)).To(Succeed())
	return path
}

// NewCache returns a cache that has not started, as a process has it. Its options are by kind.
func (c *Cluster) NewCache(byObject map[client.Object]cache.ByObject) cache.Cache {
	GinkgoHelper()
	made, err := cache.New(c.Config, cache.Options{Scheme: c.Client.Scheme(), ByObject: byObject})
	Expect(err).NotTo(HaveOccurred())
	return made
}

// StartCache starts a cache, which stops when the spec or the suite is over, and waits until it has seen everything.
func StartCache(c cache.Cache) {
	GinkgoHelper()
	ctx, cancel := context.WithCancel(context.Background())
	DeferCleanup(cancel)
	go func() {
		defer GinkgoRecover()
		Expect(c.Start(ctx)).To(Succeed())
	}()
	Expect(c.WaitForCacheSync(ctx)).To(BeTrue())
}
