// Package facadetest runs a facade as it is assembled, for the suites of several packages.
package facadetest

import (
	"context"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"github.com/go-logr/logr"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/test/testenv"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// SystemNamespace is where the facade runs.
const SystemNamespace = testkit.SystemNamespace

// Facade is a running facade.
type Facade struct {
	// URL is where it listens.
	URL string
	// Stop stops it, and waits until it has.
	Stop func()
}

// StartCluster starts a control plane with the roles that are shipped, for Start.
func StartCluster() *testenv.Cluster {
	GinkgoHelper()
	cluster := testenv.Start(SystemNamespace)
	cluster.Install("config/rbac/apiserver.yaml")
	return cluster
}

// NewSessionKeys makes a file of session keys, with which a facade serves the pages.
func NewSessionKeys() string {
	GinkgoHelper()
	key := testkit.SessionKey()
	file := filepath.Join(GinkgoT().TempDir(), "session-keys")
	Expect(os.WriteFile(file, []byte(key), 0o600)).To(Succeed())
	return file
}

// Start runs a facade on loopback with the rights of its ServiceAccount, until Stop is called.
func Start(cluster *testenv.Cluster, change func(*apiserver.Options)) *Facade {
	GinkgoHelper()
	o := apiserver.Options{
		Config: cluster.ConfigOf(SystemNamespace, "pressroom-apiserver"), SystemNamespace: SystemNamespace, Log: logr.Discard(),
		BindAddress: "127.0.0.1:0", MetricsBindAddress: apiserver.Off, HealthProbeBindAddress: apiserver.Off,
		// Images of tests are on this machine.
		Egress: egress.Policy{AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}},
		// No controller runs beside most tests, which call Reconcile themselves.
		Limits: operation.Limits{RevisionTimeout: time.Millisecond, ImageTimeout: time.Millisecond},
	}
	change(&o)
	server, err := apiserver.New(o)
	Expect(err).NotTo(HaveOccurred())
	running, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- server.Run(running) }()
	return &Facade{URL: server.URL(), Stop: func() {
		GinkgoHelper()
		cancel()
		Eventually(done).Should(Receive(BeNil()))
	}}
}
