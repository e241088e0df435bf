// These specs run the commands on a real kube-apiserver. A file is named after what its specs are about:
//
//   - generators: the generators of the documentation
//   - heap: the bound of the controller's heap
//   - heldup: a leader that is stopped
//   - informers: kinds that cannot be listed
//   - install: an installation by its manifests
//   - install_namespace: an installation in another namespace
//   - keys: the commands on API keys
//   - kubeapi: the limits of requests to kube-apiserver
//   - runmanager: how a manager starts
//   - tracing: spans of the servers
package main

import (
	"bytes"
	"context"
	"os"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/test/testenv"
)

// runAsPressroom in the environment makes of the test's binary the program itself: some specs need a process of its own.
const runAsPressroom = "PRESSROOM_TEST_RUN_AS_PRESSROOM"

func TestMain(m *testing.M) {
	if os.Getenv(runAsPressroom) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func TestCommandsOnAnAPIServer(t *testing.T) {
	RegisterFailHandler(Fail)
	// A busy machine takes its time.
	SetDefaultEventuallyTimeout(20 * time.Second)
	RunSpecs(t, "Commands")
}

var (
	controlPlane *testenv.Cluster
	api          client.Client
	kubeconfig   string
	start        = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
)

var _ = BeforeSuite(func() {
	controlPlane = testenv.Start(defaultSystemNamespace)
	api = controlPlane.Client
	kubeconfig = controlPlane.NewKubeconfig("somebody")
})

// commandResult is what a command gives.
type commandResult struct {
	out, problems string
	err           error
}

// pressroom runs a command line at the time of start.
func pressroom(args ...string) commandResult {
	source := credentialSource()
	source.Clock = clocktesting.NewFakePassiveClock(start)
	root := newRootCommandWith(source)
	var out, problems bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&problems)
	root.SetArgs(append(args, "--kubeconfig="+kubeconfig))
	err := root.ExecuteContext(context.Background())
	return commandResult{out.String(), problems.String(), err}
}
