package kinds

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// elsewhere is a facade in a namespace of another name, with the same role.
const elsewhere = "system:serviceaccount:newsroom:pressroom-apiserver"

// signingSecret is what the facade creates for an event subscription, with changes.
func signingSecret(change ...func(*corev1.Secret)) *corev1.Secret {
	s := &corev1.Secret{Type: corev1.SecretTypeOpaque, StringData: map[string]string{"secret": "whsec_c2VjcmV0"}}
	s.Namespace, s.GenerateName = workspace, "pressroom-signing-0198f0a1-"
	s.OwnerReferences = []metav1.OwnerReference{{APIVersion: api.GroupVersion.String(), Kind: "EventSubscription", Name: "s", UID: "u"}}
	for _, f := range change {
		f(s)
	}
	return s
}

// siteSecret makes it what the facade creates for a site.
func siteSecret(s *corev1.Secret) {
	s.GenerateName, s.Name = "", "pressroom-site-acme-0123456789"
	s.OwnerReferences = []metav1.OwnerReference{{APIVersion: api.GroupVersion.String(), Kind: "Site", Name: "acme", UID: "u"}}
	s.Annotations = map[string]string{api.AddressAnnotation: "https://blog.acme.example/hook"}
}

var _ = Describe("The REST facade's right to create and delete Secrets", Ordered, func() {
	BeforeAll(func(ctx SpecContext) {
		grant(ctx, elsewhere, "pressroom-apiserver")
		allow(ctx, siteWriter, rule("", "secrets", "create", "delete"))
		for _, user := range []string{facade, elsewhere, siteWriter} {
			own := signingSecret()
			Eventually(func(ctx context.Context) error { return as(user).Create(ctx, own) }).WithContext(ctx).Should(Succeed())
			Expect(as(user).Delete(ctx, own)).To(Succeed())
		}
	})

	DescribeTable("is not enough for",
		func(ctx SpecContext, message string, change func(*corev1.Secret)) {
			for _, user := range []string{facade, elsewhere} {
				// Kube-apiserver takes a policy up a moment after it was created.
				Eventually(func(ctx context.Context) error { return as(user).Create(ctx, signingSecret(change)) }).WithContext(ctx).
					Should(beForbidden(message), user)
			}
			others := signingSecret(change)
			Expect(as(siteWriter).Create(ctx, others)).To(Succeed(), "others are not affected")
			for _, user := range []string{facade, elsewhere} {
				Expect(as(user).Delete(ctx, others.DeepCopy())).To(beForbidden(message), user)
			}
			Expect(as(siteWriter).Delete(ctx, others)).To(Succeed())
		},
		Entry("a token that joins nodes to the cluster", "in workspaces only", func(s *corev1.Secret) {
			s.Namespace, s.GenerateName, s.Name = "kube-system", "", "bootstrap-token-abcdef"
			s.Type, s.StringData = "bootstrap.kubernetes.io/token", map[string]string{"token-id": "abcdef", "token-secret": "0123456789abcdef"}
		}),
		Entry("a Secret of the system namespace", "in workspaces only", func(s *corev1.Secret) { s.Namespace = systemNamespace }),
		Entry("a Secret of a namespace that is no workspace", "in workspaces only", func(s *corev1.Secret) { s.Namespace = "default" }),
		Entry("another type", "only Secrets of the type Opaque", func(s *corev1.Secret) {
			s.Type, s.StringData = corev1.SecretTypeBasicAuth, map[string]string{"username": "u", "password": "p"}
		}),
		Entry("a name that is not its own", "must begin with pressroom-signing-, pressroom-token- or pressroom-site-", func(s *corev1.Secret) { s.GenerateName = "webhook-" }),
		Entry("a Secret that nothing owns", "owned by that EventSubscription", func(s *corev1.Secret) { s.OwnerReferences = nil }),
		Entry("a Secret that something else owns", "owned by that EventSubscription", func(s *corev1.Secret) { s.OwnerReferences[0].Kind = "Site" }),
		Entry("the Secret of a site that nothing owns", "must be owned by that Site alone", func(s *corev1.Secret) {
			siteSecret(s)
			s.OwnerReferences = nil
		}),
		Entry("the Secret of a site that a subscription owns", "must be owned by that Site alone", func(s *corev1.Secret) {
			siteSecret(s)
			s.OwnerReferences[0].Kind = "EventSubscription"
		}),
		Entry("the Secret of another site than its owner", "must be owned by that Site alone", func(s *corev1.Secret) {
			siteSecret(s)
			s.OwnerReferences[0].Name = "acm"
		}),
		Entry("the Secret of a site with other digits", "must be owned by that Site alone", func(s *corev1.Secret) {
			siteSecret(s)
			s.Name = "pressroom-site-acme-012345678g"
		}),
	)

	It("is not enough for a Secret that holds its namespace", func(ctx SpecContext) {
		held := signingSecret(func(s *corev1.Secret) { s.Finalizers = []string{"acme.example/keep"} })
		for _, user := range []string{facade, elsewhere} {
			Expect(as(user).Create(ctx, held.DeepCopy())).To(beForbidden("may have no finalizer"), user)
		}
	})

	It("is enough for the Secret of a site that says for which address it is", func(ctx SpecContext) {
		own := signingSecret(siteSecret)
		Expect(as(facade).Create(ctx, own)).To(Succeed())
		Expect(as(facade).Delete(ctx, own)).To(Succeed())
		for _, annotations := range []map[string]string{nil, {api.AddressAnnotation: ""}, {"pressroom.dev/addresses": "https://a.example"}} {
			unbound := signingSecret(siteSecret, func(s *corev1.Secret) { s.Annotations = annotations })
			Expect(as(facade).Create(ctx, unbound)).To(beForbidden("for which address"))
		}
	})
})

var _ = Describe("A facade in a namespace of another name", func() {
	It("may change no more of a site than in its own", func(ctx SpecContext) {
		grant(ctx, elsewhere, "pressroom-apiserver")
		site := newSite(workspace)
		Expect(admin.Create(ctx, site)).To(Succeed())
		Eventually(func(ctx context.Context) error {
			return as(elsewhere).Patch(ctx, site.DeepCopy(), client.RawPatch(types.MergePatchType, []byte(`{"spec":{"limits":{"articlesPerDay":1}}}`)))
		}).WithContext(ctx).Should(beForbidden("the REST facade may not set spec.limits"))
	})
})

var _ = Describe("A name in the form of a UUIDv5", func() {
	const derived = "bdfe3802-f056-50c6-bc0e-5a72430d2e89"

	It("is not for authors, because it can be the uid of another object", func(ctx SpecContext) {
		taken := newArticle(workspace)
		taken.GenerateName, taken.Name = "", derived
		Eventually(func(ctx context.Context) error { return as(author).Create(ctx, taken.DeepCopy()) }).WithContext(ctx).
			Should(beForbidden("are reserved"))
		site := newSite(workspace)
		site.GenerateName, site.Name = "", derived
		Expect(as(manager).Create(ctx, site)).To(beForbidden("are reserved"))
	})

	It("is for the facade and for anyone who restores what it has created", func(ctx SpecContext) {
		for _, user := range []string{facade, gitops} {
			a := newArticle(workspace)
			a.GenerateName, a.Name = "", derived
			Expect(as(user).Create(ctx, a)).To(Succeed())
			Expect(admin.Delete(ctx, a)).To(Succeed())
		}
	})

	It("is no name in the form of another UUID", func(ctx SpecContext) {
		for _, name := range []string{"0198f0a1-b2c3-7d4e-95f6-a7b8c9d0e1f2", "a3bb189e-8bf9-4888-9912-ace4e6543002"} {
			a := newArticle(workspace)
			a.GenerateName, a.Name = "", name
			Expect(as(author).Create(ctx, a)).To(Succeed())
			Expect(admin.Delete(ctx, a)).To(Succeed())
		}
	})
})

// githubURL is where dispatches of a repository are sent.
const githubURL = "https://api.github.com/repos/acme/blog-content/dispatches"

// tokenSecret makes it the token of a subscription.
func tokenSecret(s *corev1.Secret) {
	s.GenerateName, s.StringData = "pressroom-token-0198f0a1-", map[string]string{"token": "ghp_0123"}
	s.Annotations = map[string]string{api.AddressAnnotation: githubURL}
}

var _ = Describe("The REST facade's right to write event subscriptions", func() {
	// toGitHub is a subscription with a token, with changes.
	toGitHub := func(name, token string) *api.EventSubscription {
		s := &api.EventSubscription{Spec: api.EventSubscriptionSpec{
			URL: githubURL, Events: []api.EventSelector{api.SelectAll}, Format: api.FormatGitHub,
			SigningSecretRef: api.SecretKeyReference{Name: "pressroom-signing-x", Key: "secret"},
			TokenSecretRef:   &api.SecretKeyReference{Name: token, Key: "token"},
		}}
		s.Namespace, s.Name = workspace, name
		return s
	}

	// patched has the facade change a subscription.
	patched := func(ctx context.Context, s *api.EventSubscription, change func(*api.EventSubscription)) error {
		old := s.DeepCopy()
		change(s)
		return as(facade).Patch(ctx, s, client.MergeFrom(old))
	}

	BeforeEach(func(ctx SpecContext) {
		grant(ctx, elsewhere, "pressroom-apiserver")
		for _, user := range []string{facade, elsewhere} {
			Eventually(func(ctx context.Context) error {
				return as(user).Create(ctx, toGitHub("denied", "the-secret-of-a-site"), client.DryRunAll)
			}).WithContext(ctx).Should(beForbidden("whose name begins with pressroom-token-"), user)
		}
	})

	It("is enough to name a token that it has made", func(ctx SpecContext) {
		s := toGitHub("made", "pressroom-token-made-0123456789")
		Expect(as(facade).Create(ctx, s)).To(Succeed())
		Expect(patched(ctx, s, func(s *api.EventSubscription) {
			s.Spec.TokenSecretRef.Name = "pressroom-token-made-9876543210"
			s.Spec.URL = "https://api.github.com/repos/acme/other/dispatches"
		})).To(Succeed())
		Expect(patched(ctx, s, func(s *api.EventSubscription) { s.Spec.Format, s.Spec.TokenSecretRef = "", nil })).To(Succeed())
	})

	It("is not enough to name the Secret of somebody else, or to have it sent elsewhere", func(ctx SpecContext) {
		s := toGitHub("manifest", "acme-github")
		Expect(admin.Create(ctx, s)).To(Succeed())
		Expect(patched(ctx, s, func(s *api.EventSubscription) { s.Spec.Suspend = true })).To(Succeed(), "the token and the URL are as they were")
		for name, change := range map[string]func(*api.EventSubscription){
			"another URL":    func(s *api.EventSubscription) { s.Spec.URL = "https://evil.example/repos/a/b/dispatches" },
			"another key":    func(s *api.EventSubscription) { s.Spec.TokenSecretRef.Key = "password" },
			"another Secret": func(s *api.EventSubscription) { s.Spec.TokenSecretRef.Name = "acme-webhook" },
		} {
			Expect(patched(ctx, s.DeepCopy(), change)).To(beForbidden("whose name begins with pressroom-token-"), name)
			changed := s.DeepCopy()
			change(changed)
			Expect(admin.Update(ctx, changed, client.DryRunAll)).To(Succeed(), "others are not affected")
		}
	})

	It("is enough for the Secret of a token that says for which address it is", func(ctx SpecContext) {
		own := signingSecret(tokenSecret)
		Expect(as(facade).Create(ctx, own)).To(Succeed())
		Expect(as(facade).Delete(ctx, own)).To(Succeed())
		for message, change := range map[string]func(*corev1.Secret){
			"for which address":               func(s *corev1.Secret) { s.Annotations = nil },
			"owned by that EventSubscription": func(s *corev1.Secret) { s.OwnerReferences[0].Kind = "Site" },
		} {
			Expect(as(facade).Create(ctx, signingSecret(tokenSecret, change))).To(beForbidden(message))
		}
	})
})
