package oauth_test

import (
	"context"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/testenv"
)

const systemNamespace = "pressroom-system"

func TestOAuthOnAnAPIServer(t *testing.T) {
	RegisterFailHandler(Fail)
	// A busy machine takes its time.
	SetDefaultEventuallyTimeout(20 * time.Second)
	RunSpecs(t, "OAuth")
}

var (
	cluster *testenv.Cluster
	api     client.Client
	// replicas are three facades, each with a cache of its own.
	replicas []*replica
)

var _ = BeforeSuite(func() {
	cluster = testenv.Start(systemNamespace)
	api = cluster.Client
	account := &v1alpha1.Account{}
	account.Name = "acme"
	Expect(api.Create(context.Background(), account)).To(Succeed())
	for range 3 {
		replicas = append(replicas, newReplica(startCache()))
	}
})
