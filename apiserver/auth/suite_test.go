package auth_test

import (
	"context"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/internal/testenv"
)

const systemNamespace = "pressroom-system"

func TestAuthOnAnAPIServer(t *testing.T) {
	RegisterFailHandler(Fail)
	// A busy machine takes its time.
	SetDefaultEventuallyTimeout(20 * time.Second)
	RunSpecs(t, "Auth")
}

var (
	environment *envtest.Environment
	api         client.WithWatch
	informers   cache.Cache
	stop        context.CancelFunc
)

var _ = BeforeSuite(func() {
	env, config, err := testenv.Start()
	Expect(err).NotTo(HaveOccurred())
	environment = env
	scheme := runtime.NewScheme()
	Expect(clientgoscheme.AddToScheme(scheme)).To(Succeed())
	Expect(v1alpha1.AddToScheme(scheme)).To(Succeed())
	api, err = client.NewWithWatch(config, client.Options{Scheme: scheme})
	Expect(err).NotTo(HaveOccurred())
	for _, name := range []string{systemNamespace, "elsewhere"} {
		namespace := &corev1.Namespace{}
		namespace.Name = name
		Expect(api.Create(context.Background(), namespace)).To(Succeed())
	}
	informers, err = cache.New(config, cache.Options{Scheme: scheme, ByObject: auth.CacheByObject(systemNamespace)})
	Expect(err).NotTo(HaveOccurred())
	startInformers()
})

func startInformers() {
	ctx, cancel := context.WithCancel(context.Background())
	stop = cancel
	go func() {
		defer GinkgoRecover()
		Expect(informers.Start(ctx)).To(Succeed())
	}()
	Expect(informers.WaitForCacheSync(ctx)).To(BeTrue())
}

var _ = AfterSuite(func() {
	if stop != nil {
		stop()
	}
	if environment != nil {
		Expect(environment.Stop()).To(Succeed())
	}
})
