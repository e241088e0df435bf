package controllers_test

import (
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/controllers"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testenv"
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
	// requests are those that a manager of this tenant makes.
	requests requests
	// reconcileTimeout of that manager.
	reconcileTimeout time.Duration
}

func newTenant() *tenant {
	return &tenant{Tenant: NewTenant(api), reconcileTimeout: controllers.ReconcileTimeout}
}

// neighbor is another account in the same process.
func (t *tenant) neighbor() *tenant { return &tenant{Tenant: t.Neighbor()} }
