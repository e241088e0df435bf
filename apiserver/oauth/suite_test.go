package oauth_test

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
	"github.com/pressroom-dev/pressroom/internal/testenv"
)

const systemNamespace = "pressroom-system"

func TestOAuthOnAnAPIServer(t *testing.T) {
	RegisterFailHandler(Fail)
	// A busy machine takes its time.
	SetDefaultEventuallyTimeout(20 * time.Second)
	RunSpecs(t, "OAuth")
}

var (
	environment *envtest.Environment
	config      *rest.Config
	scheme      *runtime.Scheme
	api         client.Client
	// replicas are three facades, each with a cache of its own.
	replicas []*replica
)

var _ = BeforeSuite(func() {
	env, cfg, err := testenv.Start()
	Expect(err).NotTo(HaveOccurred())
	environment, config = env, cfg
	DeferCleanup(env.Stop)
	scheme = runtime.NewScheme()
	Expect(clientgoscheme.AddToScheme(scheme)).To(Succeed())
	Expect(v1alpha1.AddToScheme(scheme)).To(Succeed())
	api, err = client.New(config, client.Options{Scheme: scheme})
	Expect(err).NotTo(HaveOccurred())
	namespace := &corev1.Namespace{}
	namespace.Name = systemNamespace
	Expect(api.Create(context.Background(), namespace)).To(Succeed())
	account := &v1alpha1.Account{}
	account.Name = "acme"
	Expect(api.Create(context.Background(), account)).To(Succeed())
	for range 3 {
		replicas = append(replicas, newReplica(startCache()))
	}
})
