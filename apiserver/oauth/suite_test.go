package oauth_test

import (
	"context"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/test/testenv"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

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

// newAccount returns an account that the person is a member of.
func newAccount(name string) *v1alpha1.Account {
	account := &v1alpha1.Account{}
	account.Name = name
	account.Spec.Members = []v1alpha1.AccountMember{{Kind: v1alpha1.MemberUser, Name: person, Scopes: auth.Scopes()}}
	return account
}

var _ = BeforeSuite(func() {
	Expect(testkit.TrustTLSServers(GinkgoT().TempDir())).To(Succeed())
	cluster = testenv.Start()
	api = cluster.Client
	Expect(api.Create(context.Background(), newAccount("acme"))).To(Succeed())
	for range 3 {
		replicas = append(replicas, newReplica(startCache()))
	}
})
