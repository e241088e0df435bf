//go:build e2e

package gitops

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/project"
	"github.com/pressroom-dev/pressroom/test/testenv"
)

// The users of these specs, each with roles of the project's own.
const (
	// author is a tool that may write articles and approve none.
	author = "system:serviceaccount:flux-system:author"
	// attester is a tool that may also approve, and name the person who did.
	attester = "system:serviceaccount:flux-system:attester"
	// viewer may read articles and their texts, and no Secrets.
	viewer = "system:serviceaccount:flux-system:viewer"
	// mara writes and reviews.
	mara = "mara@acme.example"
	// facade has the rights that the REST API and the dashboard have on articles.
	facade = "system:serviceaccount:pressroom-system:pressroom-apiserver"
)

var (
	env        *testenv.Cluster
	api        client.WithWatch
	kubeconfig string
)

func TestGitOps(t *testing.T) {
	RegisterFailHandler(Fail)
	SetDefaultEventuallyTimeout(time.Minute)
	RunSpecs(t, "Flux and Argo CD")
}

var _ = BeforeSuite(func(ctx SpecContext) {
	env = testenv.Start()
	api = env.Client
	kubeconfig = env.NewKubeconfig("admin")
	env.Install("config/rbac/workspace-roles.yaml")
	Expect(api.Create(ctx, &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{Name: "config-maps"},
		Rules:      []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"*"}}},
	})).To(Succeed())
	for user, roles := range map[string][]string{
		author: {"pressroom-author", "config-maps"}, attester: {"pressroom-attester", "config-maps"},
		viewer: {"pressroom-viewer"}, mara: {"pressroom-author", "pressroom-reviewer"}, facade: {"pressroom-attester"},
	} {
		for _, role := range roles {
			Expect(api.Create(ctx, &rbacv1.ClusterRoleBinding{
				ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"},
				RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
				Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: user}},
			})).To(Succeed())
		}
	}
	// kube-apiserver takes policies and roles up a moment after they are created.
	Eventually(func() error {
		return as(author).Create(ctx, &v1alpha1.Article{
			ObjectMeta: metav1.ObjectMeta{Namespace: corev1.NamespaceDefault, Name: "probe"},
			Spec: v1alpha1.ArticleSpec{
				SiteRef: v1alpha1.LocalReference{Name: "acme"}, Generate: &v1alpha1.GenerateRequest{Keyword: "huts"},
				Review: &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionRejected, By: author},
			},
		}, client.DryRunAll)
	}).Should(And(Satisfy(apierrors.IsForbidden), MatchError(ContainSubstring("verb approve"))))
	Eventually(func() error {
		return as(viewer).List(ctx, &v1alpha1.ArticleRevisionList{}, client.InNamespace(corev1.NamespaceDefault))
	}).Should(Succeed())
	Eventually(func() error {
		return as(attester).List(ctx, &v1alpha1.ArticleList{}, client.InNamespace(corev1.NamespaceDefault))
	}).Should(Succeed())
})

// as returns a client that kube-apiserver takes for a user.
func as(user string) client.Client {
	GinkgoHelper()
	config := rest.CopyConfig(env.Config)
	config.Impersonate = rest.ImpersonationConfig{UserName: user}
	c, err := client.New(config, client.Options{Scheme: api.Scheme()})
	Expect(err).NotTo(HaveOccurred())
	return c
}

// run runs a program of bin or of the control plane, and returns what it printed.
func run(input, program string, args ...string) (string, error) {
	command := exec.CommandContext(context.Background(), program, args...)
	command.Stdin = strings.NewReader(input)
	out, err := command.CombinedOutput()
	return string(out), err
}

// kubectl runs kubectl as a user.
func kubectl(user, input string, args ...string) (string, error) {
	return run(input, filepath.Join(env.BinaryAssetsDirectory, "kubectl"), append([]string{"--kubeconfig", kubeconfig, "--as", user}, args...)...)
}

// built is a program that make builds.
func built(name string) string { return filepath.Join(project.Root(), "bin", name) }

// written is a file with a text.
func written(text string) string {
	GinkgoHelper()
	file, err := os.CreateTemp(GinkgoT().TempDir(), "*.yaml")
	Expect(err).NotTo(HaveOccurred())
	defer file.Close()
	_, err = file.WriteString(text)
	Expect(err).NotTo(HaveOccurred())
	return file.Name()
}
