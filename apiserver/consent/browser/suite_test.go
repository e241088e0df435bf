// Package browser_test looks at the pages as people do: with a real Chromium, on the facade as it is assembled, on a real API server.
package browser_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/testenv"
)

const systemNamespace = "pressroom-system"

func TestPagesInABrowser(t *testing.T) {
	RegisterFailHandler(Fail)
	// A busy machine takes its time.
	SetDefaultEventuallyTimeout(time.Minute)
	RunSpecs(t, "Pages in a browser")
}

var (
	ctx         = context.Background()
	environment *envtest.Environment
	config      *rest.Config
	// api is the API server, as an administrator sees it.
	api client.Client
)

var _ = BeforeSuite(func() {
	env, c, err := testenv.Start()
	Expect(err).NotTo(HaveOccurred())
	environment, config = env, c
	DeferCleanup(func() { Expect(environment.Stop()).To(Succeed()) })
	scheme := runtime.NewScheme()
	Expect(clientgoscheme.AddToScheme(scheme)).To(Succeed())
	Expect(v1alpha1.AddToScheme(scheme)).To(Succeed())
	api, err = client.New(config, client.Options{Scheme: scheme})
	Expect(err).NotTo(HaveOccurred())
	namespace := &corev1.Namespace{}
	namespace.Name = systemNamespace
	Expect(api.Create(ctx, namespace)).To(Succeed())
	grantRights()
	startChromium()
	byKey = startFacade()
	behindTLS, organisation = startFacadeBehindTLS()
	acme = newAccount("acme", "Acme Outdoors")
	tool = acme.register()
})

// grantRights installs the rights of the facade's ServiceAccount as they are shipped: it runs with them and no more.
func grantRights() {
	GinkgoHelper()
	data, err := os.ReadFile(filepath.Join(testenv.Root(), "config", "rbac", "apiserver.yaml"))
	Expect(err).NotTo(HaveOccurred())
	documents := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096)
	for {
		object := &unstructured.Unstructured{}
		err := documents.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			return
		}
		Expect(err).NotTo(HaveOccurred())
		Expect(api.Create(ctx, object)).To(Succeed())
	}
}
