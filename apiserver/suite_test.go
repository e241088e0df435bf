package apiserver_test

import (
	"context"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/internal/testenv"
)

const systemNamespace = "pressroom-system"

func TestFacadeOnAnAPIServer(t *testing.T) {
	RegisterFailHandler(Fail)
	// A busy machine takes its time.
	SetDefaultEventuallyTimeout(30 * time.Second)
	RunSpecs(t, "Facade")
}

var (
	ctx     = context.Background()
	cluster *testenv.Cluster
	// api is a client of kube-apiserver with the rights of an administrator.
	api client.Client
	// shared is a replica for specs that need no replica of their own.
	shared *replica
)

var _ = BeforeSuite(func() {
	var err error
	cluster, err = testenv.Start(systemNamespace)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(cluster.Stop)
	api = cluster.Client
	// Replicas run with the rights that are shipped, and no more.
	Expect(cluster.Install("config/rbac/apiserver.yaml")).To(Succeed())
	shared = startReplica(func(*apiserver.Options) {})
})

// serviceAccount is that of the facade.
var serviceAccount = rest.ImpersonationConfig{
	UserName: "system:serviceaccount:" + systemNamespace + ":pressroom-apiserver",
	Groups:   []string{"system:serviceaccounts", "system:serviceaccounts:" + systemNamespace, "system:authenticated"},
}

var _ = AfterSuite(func() {
	if shared != nil {
		shared.stop()
	}
})
