package controllertest

import (
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/test/testenv"
)

// RunSuite runs the specs of a package on a kube-apiserver of their own. It sets api to a client of that with the rights of an
// administrator.
func RunSuite(t *testing.T, name string, api *client.WithWatch) {
	t.Helper()
	RegisterFailHandler(Fail)
	// A busy machine takes its time.
	SetDefaultEventuallyTimeout(20 * time.Second)
	BeforeSuite(func() { *api = testenv.Start().Client })
	RunSpecs(t, name)
}
