// These specs have the CRDs, the policies and the roles on a real kube-apiserver. A file is named after what its specs are about:
//
//   - approvalspolicy: the admission policy of the approvals of several reviewers
//   - columns: what kubectl shows
//   - coverage: that each CEL rule has refused something
//   - crdrules: what the schemas of all kinds have in common
//   - credentialpolicy: the admission policy of keys and clients
//   - deletionpolicy: that of owners and finalizers
//   - docs: the examples of the documentation
//   - examples: the samples, and the invalid examples
//   - goingback: an older CRD
//   - kstatus: how tools read the status
//   - kustomizations: that each manifest is named
//   - limits: the largest objects
//   - markers: the markers and comments of fields
//   - oauthclientfacade: the admission policy of clients of the facade without an account
//   - onefield: which manager writes which field
//   - publishedarticle: changes of a published article
//   - reasons: the reasons in the documentation
//   - reviewpolicy: the admission policy of approval
//   - roles: what the roles allow
//   - schemarulesfind: that the rules of schemas find what they are for
//   - secretfacade: the admission policy of Secrets of the facade
//   - sitefacade: that of sites of the facade
//   - sitepolicy: that of a site's review policy
//   - updates: what may never change
//   - words: the reference documentation
//   - workspacepolicy: the admission policy of a workspace's account
package kinds

import (
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/test/project"
	"github.com/pressroom-dev/pressroom/test/testenv"
)

const (
	// workspace is the namespace of the samples and of the invalid examples.
	workspace = "acme-blog"
	// systemNamespace is where Pressroom is installed.
	systemNamespace = "pressroom-system"
)

var (
	cluster *testenv.Cluster
	// admin is a member of system:masters. It demands that every field is known.
	admin client.Client
)

func TestAPI(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "API and policies")
}

var _ = BeforeSuite(func(ctx SpecContext) {
	SetDefaultEventuallyTimeout(time.Minute)
	// Without this, what polls with a context has no timeout.
	EnforceDefaultTimeoutsWhenUsingContexts()
	cluster = testenv.Start()
	admin = newClient(cluster.Config)
	for _, obj := range manifests("config", "samples", "workspace.yaml") {
		Expect(apply(ctx, admin, obj)).To(Succeed())
	}
	createNamespace(ctx, systemNamespace)
	installRoles(ctx)
	addUsers(ctx)
	awaitPolicies(ctx)
})

// newClient returns a client that has unknown fields refused, as kubectl does.
func newClient(cfg *rest.Config) client.Client {
	GinkgoHelper()
	c, err := client.New(cfg, client.Options{Scheme: cluster.Client.Scheme()})
	Expect(err).NotTo(HaveOccurred())
	return client.WithFieldValidation(c, "Strict")
}

// folder returns a path below the project's root.
func folder(parts ...string) string {
	return filepath.Join(append([]string{project.Root()}, parts...)...)
}
