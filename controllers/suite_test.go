// These specs have all controllers together on a real kube-apiserver. A file is named after what its specs are about:
//
//   - addresses: addresses that are not public
//   - backup: the commands of the page about backups
//   - blocked: steps that are blocked
//   - cache: what the cache holds
//   - crash: a process that ends in the middle
//   - deadline: the time that a delivery may take
//   - fairness: that no account holds up another one
//   - isolation: a receiver that never answers
//   - manager: how the process starts and ends
//   - memory: results of attempts that wait
//   - metrics: the metric of late attempts
//   - poll: Secrets that appear later
//   - refused: writes that kube-apiserver refuses
//   - requests: how many requests an approved text takes
//   - restore: a restored workspace
//   - retryafter: Retry-After
//   - snippets: what a receiver answers
//   - stalled: a watch that stalls
//   - suspend: suspensions
//   - trace: traces
//   - waiting: attempts that wait for a slot
//   - walk: the walk-through of the page about events
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
