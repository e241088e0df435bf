package apiserver_test

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
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

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
	ctx     = context.Background()
	cluster *testenv.Cluster
	// api is the API server, as an administrator sees it.
	api client.Client
	// shared is a replica for specs that need no replica of their own.
	shared *replica
)

var _ = BeforeSuite(func() {
	var err error
	cluster, err = testenv.Start(systemNamespace)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(cluster.Stop)
	api = cluster.Client
	grantRights()
	shared = startReplica(func(*apiserver.Options) {})
})

// grantRights installs the rights of the facade's ServiceAccount as they are shipped: replicas run with them and no more.
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

// serviceAccount is the facade's, as the API server sees it.
var serviceAccount = rest.ImpersonationConfig{
	UserName: "system:serviceaccount:" + systemNamespace + ":pressroom-apiserver",
	Groups:   []string{"system:serviceaccounts", "system:serviceaccounts:" + systemNamespace, "system:authenticated"},
}

var _ = AfterSuite(func() {
	if shared != nil {
		shared.stop()
	}
})
