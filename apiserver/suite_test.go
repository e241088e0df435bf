// These specs have a facade as it is assembled, on a real kube-apiserver. A file is named after what its specs are about:
//
//   - address: the issuer of tokens on a machine that serves itself
//   - briefs: briefs over REST
//   - bulk: one operation on many articles
//   - clientdocuments: apps that nobody has registered
//   - clients: what programs that publish need
//   - commandkeys: commands with an Idempotency-Key
//   - connection: the test of a site's connection
//   - contract: the way from a keyword to a published article
//   - drafts: articles that are not submitted
//   - editorial: writing, reviewing and publishing
//   - etcd: that no secret is stored in the clear
//   - forms: that no form has a field twice
//   - grants: the access that people give to apps
//   - health: how a replica starts, answers and ends
//   - image: a featured image that cannot be fetched
//   - keys: API keys
//   - managing: sites and their secrets
//   - oauthclient: apps of an account
//   - once: operations that show a secret, with an Idempotency-Key
//   - outage: what a replica does without kube-apiserver
//   - ownership: fields that a manifest keeps
//   - paths: paths that are not in their normal form
//   - precondition: If-Match and digests
//   - records: what sites have accepted
//   - replicas: limits over several replicas
//   - signing: the signing secrets of a subscription
//   - sitesettings: the settings of a site
//   - subscriptions: event subscriptions and their deliveries
//   - tls: certificates that change
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
	"github.com/pressroom-dev/pressroom/test/testkit"
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
	Expect(testkit.TrustTLSServers(GinkgoT().TempDir())).To(Succeed())
	cluster = facadetest.StartCluster()
	api = cluster.Client
	shared = startForSpec(func(*apiserver.Options) {})
})
