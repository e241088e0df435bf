//go:build e2e

package browser_test

import (
	"context"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/test/browsertest"
	"github.com/pressroom-dev/pressroom/test/facadetest"
	"github.com/pressroom-dev/pressroom/test/testenv"
)

func TestPagesInABrowser(t *testing.T) {
	RegisterFailHandler(Fail)
	// A busy machine takes its time.
	SetDefaultEventuallyTimeout(2 * time.Minute)
	RunSpecs(t, "Pages in a browser")
}

var (
	ctx     = context.Background()
	cluster *testenv.Cluster
	// api is a client of kube-apiserver with the rights of an administrator.
	api client.Client
)

// window is a window of the browser, on the pages of consent.
type window struct{ *browsertest.Window }

func open() *window { return &window{browsertest.Open()} }

var _ = BeforeSuite(func() {
	cluster = facadetest.StartCluster()
	api = cluster.Client
	browsertest.Start()
	byKey = startFacade()
	behindTLS, organisation = startFacadeBehindTLS()
	acme = newAccount("acme", "Acme Outdoors")
	tool = acme.register()
})
