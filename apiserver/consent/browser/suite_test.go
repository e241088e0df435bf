// Package browser_test looks at the pages as people do: with a real Chromium, on the facade as it is assembled, on a real API server.
package browser_test

import (
	"context"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/internal/testenv"
)

const systemNamespace = "pressroom-system"

func TestPagesInABrowser(t *testing.T) {
	RegisterFailHandler(Fail)
	// A busy machine takes its time.
	SetDefaultEventuallyTimeout(2 * time.Minute)
	RunSpecs(t, "Pages in a browser")
}

var (
	ctx     = context.Background()
	cluster *testenv.Cluster
	// api is the API server, as an administrator sees it.
	api client.Client
)

var _ = BeforeSuite(func() {
	var err error
	cluster, err = testenv.Start(systemNamespace)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(cluster.Stop)
	api = cluster.Client
	// The facade runs with the rights that are shipped, and no more.
	Expect(cluster.Install("config/rbac/apiserver.yaml")).To(Succeed())
	startChromium()
	byKey = startFacade()
	behindTLS, organisation = startFacadeBehindTLS()
	acme = newAccount("acme", "Acme Outdoors")
	tool = acme.register()
})
