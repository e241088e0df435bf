package apiserver_test

import (
	"context"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/test/facadetest"
	"github.com/pressroom-dev/pressroom/test/testenv"
)

const systemNamespace = facadetest.SystemNamespace

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
	cluster = facadetest.StartCluster()
	api = cluster.Client
	shared = startForSpec(func(*apiserver.Options) {})
})
