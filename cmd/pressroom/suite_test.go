package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/pressroom-dev/pressroom/internal/testenv"
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
	api        client.Client
	kubeconfig string
	start      = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
)

var _ = BeforeSuite(func() {
	cluster := testenv.Start(defaultSystemNamespace)
	api = cluster.Client
	user, err := cluster.AddUser(envtest.User{Name: "somebody", Groups: []string{"system:masters"}}, nil)
	Expect(err).NotTo(HaveOccurred())
	data, err := user.KubeConfig()
	Expect(err).NotTo(HaveOccurred())
	kubeconfig = filepath.Join(GinkgoT().TempDir(), "kubeconfig")
	Expect(os.WriteFile(kubeconfig, data, 0o600)).To(Succeed())
})

// answer is what a command gives.
type answer struct {
	out, problems string
	err           error
}

// pressroom runs a command line at the time of start.
func pressroom(args ...string) answer {
	root := newRootCommand()
	for _, c := range root.Commands() {
		if c.Name() == "keys" {
			root.RemoveCommand(c)
		}
	}
	root.AddCommand(newKeysCommandWith(keySource{clock: clocktesting.NewFakePassiveClock(start), random: rand.Reader}))
	var out, problems bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&problems)
	root.SetArgs(append(args, "--kubeconfig="+kubeconfig))
	err := root.ExecuteContext(context.Background())
	return answer{out.String(), problems.String(), err}
}
