package auth_test

import (
	"context"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/internal/testenv"
)

const systemNamespace = "pressroom-system"

func TestAuthOnAnAPIServer(t *testing.T) {
	RegisterFailHandler(Fail)
	// A busy machine takes its time.
	SetDefaultEventuallyTimeout(20 * time.Second)
	RunSpecs(t, "Auth")
}

var (
	cluster   *testenv.Cluster
	api       client.WithWatch
	informers cache.Cache
	stop      context.CancelFunc
)

var _ = BeforeSuite(func() {
	var err error
	cluster, err = testenv.Start(systemNamespace, "elsewhere")
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(cluster.Stop)
	api = cluster.Client
	informers, err = cache.New(cluster.Config, cache.Options{Scheme: api.Scheme(), ByObject: auth.CacheByObject(systemNamespace)})
	Expect(err).NotTo(HaveOccurred())
	startInformers()
})

func startInformers() {
	ctx, cancel := context.WithCancel(context.Background())
	stop = cancel
	go func() {
		defer GinkgoRecover()
		Expect(informers.Start(ctx)).To(Succeed())
	}()
	Expect(informers.WaitForCacheSync(ctx)).To(BeTrue())
}

var _ = AfterSuite(func() {
	if stop != nil {
		stop()
	}
})
