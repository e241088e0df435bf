package ledger_test

import (
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/testenv"
)

func TestChargerOnAnAPIServer(t *testing.T) {
	RegisterFailHandler(Fail)
	// A busy machine takes its time.
	SetDefaultEventuallyTimeout(20 * time.Second)
	RunSpecs(t, "Charger")
}

var (
	environment *envtest.Environment
	config      *rest.Config
	scheme      = runtime.NewScheme()
	api         client.WithWatch
)

var _ = BeforeSuite(func() {
	var err error
	environment, config, err = testenv.Start()
	Expect(err).NotTo(HaveOccurred())
	Expect(v1alpha1.AddToScheme(scheme)).To(Succeed())
	api = newClient()
})

var _ = AfterSuite(func() {
	if environment != nil {
		Expect(environment.Stop()).To(Succeed())
	}
})

// newClient returns a client with connections of its own, as another replica has them.
func newClient() client.WithWatch {
	c, err := client.NewWithWatch(rest.CopyConfig(config), client.Options{Scheme: scheme})
	Expect(err).NotTo(HaveOccurred())
	return c
}
