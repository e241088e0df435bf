package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/pressroom-dev/pressroom/test/testenv"
)

// runAsPlugin in the environment makes of the test's binary the plugin itself, which kubectl can run.
const runAsPlugin = "PRESSROOM_TEST_RUN_AS_PLUGIN"

func TestMain(m *testing.M) {
	if os.Getenv(runAsPlugin) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func TestThePluginOnAnAPIServer(t *testing.T) {
	RegisterFailHandler(Fail)
	// A busy machine takes its time.
	SetDefaultEventuallyTimeout(20 * time.Second)
	RunSpecs(t, "kubectl pressroom")
}

var (
	cluster    *testenv.Cluster
	api        client.Client
	kubeconfig string
	// started is the time of the plugin and of the controllers.
	started = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
)

var _ = BeforeSuite(func() {
	log.SetLogger(logr.Discard())
	cluster = testenv.Start(defaultSystemNamespace)
	api = cluster.Client
	cluster.Install("config/rbac/workspace-roles.yaml")
	cluster.Install("config/rbac/installation-roles.yaml")
	kubeconfig = cluster.NewKubeconfig("mara@acme.example")
})

// result is what a command gives.
type result struct {
	Out, Problems string
	Code          int
}

var nonces atomic.Int64

// run runs a command line at the time of started.
func run(args ...string) result { return runAt(started, args...) }

func runAt(now time.Time, args ...string) result {
	var out, problems bytes.Buffer
	e := newEnvironment()
	e.IOStreams = genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &problems}
	e.clock = clocktesting.NewFakePassiveClock(now)
	e.nonce = func() string { return fmt.Sprintf("nonce-%d", nonces.Add(1)) }
	code := exitCode(execute(e, args), &problems)
	return result{out.String(), problems.String(), code}
}

func execute(e *environment, args []string) error {
	root := newRootCommand(e)
	root.SetArgs(append(args, "--kubeconfig="+kubeconfig))
	return root.ExecuteContext(context.Background())
}

// complete returns what a shell would offer after a command line of which the last word has been begun.
func completions(args ...string) []string {
	var out bytes.Buffer
	e := newEnvironment()
	e.IOStreams = genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: io.Discard}
	*e.flags.KubeConfig = kubeconfig
	root := newRootCommand(e)
	root.SetArgs(append([]string{"__complete", "--kubeconfig=" + kubeconfig}, args...))
	Expect(root.ExecuteContext(context.Background())).To(Succeed())
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var offered []string
	for _, line := range lines[:len(lines)-1] {
		if line != "" && !strings.HasPrefix(line, ":") {
			offered = append(offered, line)
		}
	}
	return offered
}
