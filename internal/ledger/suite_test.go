package ledger_test

import (
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/test/testenv"
)

func TestChargerOnAnAPIServer(t *testing.T) {
	RegisterFailHandler(Fail)
	// A busy machine takes its time.
	SetDefaultEventuallyTimeout(20 * time.Second)
	RunSpecs(t, "Charger")
}

var (
	cluster *testenv.Cluster
	api     client.WithWatch
)

var _ = BeforeSuite(func() {
	cluster = testenv.Start()
	api = newClient()
})

// newClient returns a client with connections of its own, as another replica has them.
func newClient() client.WithWatch {
	c, err := client.NewWithWatch(rest.CopyConfig(cluster.Config), client.Options{Scheme: cluster.Client.Scheme()})
	Expect(err).NotTo(HaveOccurred())
	return c
}
