package apiserver_test

import (
	"context"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/internal/testenv"
)

const systemNamespace = "pressroom-system"

func TestFacadeOnAnAPIServer(t *testing.T) {
	RegisterFailHandler(Fail)
	// A busy machine takes its time.
	SetDefaultEventuallyTimeout(30 * time.Second)
	RunSpecs(t, "Facade")
}

var (
	ctx         = context.Background()
	environment *envtest.Environment
	config      *rest.Config
	scheme      *runtime.Scheme
	// api is the API server, as an administrator sees it.
	api client.Client
	// shared is a replica for specs that need no replica of their own.
	shared *replica
)

var _ = BeforeSuite(func() {
	env, c, err := testenv.Start()
	Expect(err).NotTo(HaveOccurred())
	environment, config = env, c
	scheme = runtime.NewScheme()
	Expect(clientgoscheme.AddToScheme(scheme)).To(Succeed())
	Expect(v1alpha1.AddToScheme(scheme)).To(Succeed())
	api, err = client.New(config, client.Options{Scheme: scheme})
	Expect(err).NotTo(HaveOccurred())
	namespace := &corev1.Namespace{}
	namespace.Name = systemNamespace
	Expect(api.Create(ctx, namespace)).To(Succeed())
	shared = startReplica(func(*apiserver.Options) {})
})

var _ = AfterSuite(func() {
	if shared != nil {
		shared.stop()
	}
	if environment != nil {
		Expect(environment.Stop()).To(Succeed())
	}
})
