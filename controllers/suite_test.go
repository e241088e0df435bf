package controllers_test

import (
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	. "github.com/pressroom-dev/pressroom/controllers/controllertest"
	"github.com/pressroom-dev/pressroom/internal/testenv"
)

func TestControllers(t *testing.T) {
	RegisterFailHandler(Fail)
	SetDefaultEventuallyTimeout(20 * time.Second)
	RunSpecs(t, "Controllers")
}

var (
	cluster *testenv.Cluster
	// api is a client of kube-apiserver with the rights of an administrator.
	api client.WithWatch
)

var _ = BeforeSuite(func() {
	cluster = testenv.Start()
	api = cluster.Client
})

// tenant has what these specs alone do with a Tenant.
type tenant struct {
	*Tenant
	// watched are the kinds that a manager of this tenant watches.
	watched watches
}

func newTenant() *tenant { return &tenant{Tenant: NewTenant(api)} }

// neighbor is another account in the same process.
func (t *tenant) neighbor() *tenant { return &tenant{Tenant: t.Neighbor()} }
