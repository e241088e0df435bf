package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/project"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// overlay is an installation in a namespace of another name, whose objects have other names too.
const overlay = `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: newsroom
namePrefix: prod-
resources: [DEFAULT]
# What kustomize does not know: docs/how-to/install.md.
patches:
- target: {kind: FlowSchema, name: pressroom}
  patch: |
    - {op: replace, path: /spec/priorityLevelConfiguration/name, value: prod-pressroom}
    - {op: replace, path: /spec/rules/0/subjects/0/serviceAccount, value: {name: prod-pressroom-controller, namespace: newsroom}}
    - {op: replace, path: /spec/rules/0/subjects/1/serviceAccount, value: {name: prod-pressroom-apiserver, namespace: newsroom}}
- target: {kind: FlowSchema, name: pressroom-leader-election}
  patch: |
    - {op: replace, path: /spec/rules/0/subjects/0/serviceAccount, value: {name: prod-pressroom-controller, namespace: newsroom}}
    - {op: replace, path: /spec/rules/0/resourceRules/0/namespaces/0, value: newsroom}
`

var _ = Describe("An installation in another namespace", func() {
	It("has the rights and the limits of the facade there, and keeps its objects there", func(ctx SpecContext) {
		folder, err := filepath.EvalSymlinks(GinkgoT().TempDir())
		Expect(err).NotTo(HaveOccurred())
		base, err := filepath.Rel(folder, filepath.Join(project.Root(), "config", "default"))
		Expect(err).NotTo(HaveOccurred())
		file := filepath.Join(folder, "kustomization.yaml")
		Expect(os.WriteFile(file, []byte(strings.ReplaceAll(overlay, "DEFAULT", base)), 0o600)).To(Succeed())
		text, err := exec.CommandContext(ctx, kubectl(), "kustomize", folder).Output()
		Expect(err).NotTo(HaveOccurred())
		Expect(string(text)).NotTo(ContainSubstring(defaultSystemNamespace), "nothing is left in the default namespace")
		Expect(strings.Count(string(text), "--system-namespace=$(POD_NAMESPACE)")).To(Equal(2))

		for _, object := range objectsOf(text) {
			// CRDs and workspaces are the same for every installation.
			if object.GetKind() == "CustomResourceDefinition" {
				continue
			}
			Expect(api.Apply(ctx, client.ApplyConfigurationFromUnstructured(object), client.FieldOwner("test"), client.ForceOwnership)).
				To(Succeed(), object.GetKind()+" "+object.GetName())
		}

		config := rest.CopyConfig(controlPlane.Config)
		config.Impersonate = rest.ImpersonationConfig{UserName: "system:serviceaccount:newsroom:prod-pressroom-apiserver"}
		facade, err := client.New(config, client.Options{Scheme: api.Scheme()})
		Expect(err).NotTo(HaveOccurred())
		Expect(api.Create(ctx, testkit.NewWorkspace("newsroom-blog", "acme"))).To(Succeed())
		site := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{Domain: "blog.example.com", CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSNone}}}
		site.Namespace, site.Name = "newsroom-blog", "acme"
		Expect(api.Create(ctx, site)).To(Succeed())

		// A dry run changes nothing before the policies are in force.
		patch := func(body string) error {
			return facade.Patch(ctx, site.DeepCopy(), client.RawPatch(types.MergePatchType, []byte(body)), client.DryRunAll)
		}
		Eventually(func() error { return patch(`{"metadata":{"annotations":{"pressroom.dev/test-connection":"1"}}}`) }).Should(Succeed())
		Eventually(func() error { return patch(`{"spec":{"limits":{"articlesPerDay":1}}}`) }).
			Should(MatchError(ContainSubstring("the REST facade may not set spec.limits")))

		secret := func(namespace string) error {
			return facade.Create(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, GenerateName: "pressroom-signing-"}})
		}
		Eventually(func() error { return secret("kube-system") }).Should(MatchError(ContainSubstring("in workspaces only")))
		Expect(secret("newsroom-blog")).To(MatchError(ContainSubstring("must be owned by that EventSubscription")))
	})
})
