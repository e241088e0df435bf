package access_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

var _ = Describe("What was made with an API key", func() {
	by := func(key *v1alpha1.APIKey) *v1alpha1.CreatorReference {
		return &v1alpha1.CreatorReference{Kind: v1alpha1.CreatorAPIKey, Name: key.Name}
	}
	exists := func(t *tenant, o client.Object) bool {
		GinkgoHelper()
		err := api.Get(t.Ctx, client.ObjectKeyFromObject(o), o)
		Expect(client.IgnoreNotFound(err)).To(Succeed())
		return !apierrors.IsNotFound(err)
	}

	It("is deleted with it: keys, OAuth clients and event subscriptions, and what those keys made", func() {
		t := newTenant()
		leaked := t.NewAPIKey()
		made := func(maker *v1alpha1.APIKey) *v1alpha1.APIKey {
			key, _ := testkit.NewAPIKey(t.Account, v1alpha1.ScopeRead)
			key.Spec.CreatedByRef = by(maker)
			Expect(api.Create(t.Ctx, key)).To(Succeed())
			return key
		}
		second := made(leaked)
		third := made(second)
		app := t.NewOAuthClient("by-kubectl").DeepCopy()
		app.Name, app.ResourceVersion, app.Spec.CreatedByRef = t.Namespace+"-by-key", "", by(leaked)
		Expect(api.Create(t.Ctx, app)).To(Succeed())
		t.Subscribe("theirs", func(s *v1alpha1.EventSubscription) { s.Spec.CreatedByRef = by(leaked) })
		t.Subscribe("a-members", func(s *v1alpha1.EventSubscription) {
			s.Spec.CreatedByRef = &v1alpha1.CreatorReference{Kind: v1alpha1.CreatorUser, Name: "gone@acme.example"}
		})
		reconcile := func() {
			for _, key := range []*v1alpha1.APIKey{second, third} {
				_, err := t.APIKeys.Reconcile(t.Ctx, Request(client.ObjectKeyFromObject(key)))
				Expect(err).NotTo(HaveOccurred())
			}
			_, err := t.OAuthClients.Reconcile(t.Ctx, Request(client.ObjectKeyFromObject(app)))
			Expect(err).NotTo(HaveOccurred())
			for _, name := range []string{"theirs", "a-members"} {
				_, err := t.SubscriptionAccess.Reconcile(t.Ctx, Request(client.ObjectKey{Namespace: t.Namespace, Name: name}))
				Expect(err).NotTo(HaveOccurred())
			}
		}
		reconcile()
		Expect(exists(t, second)).To(BeTrue())
		Expect(api.Delete(t.Ctx, leaked)).To(Succeed())
		reconcile()
		for _, gone := range []client.Object{second, third, app} {
			Expect(exists(t, gone)).To(BeFalse(), "%T %s", gone, gone.GetName())
		}
		var left v1alpha1.EventSubscriptionList
		Expect(api.List(t.Ctx, &left, client.InNamespace(t.Namespace))).To(Succeed())
		Expect(left.Items).To(HaveExactElements(HaveField("Name", "a-members")), "what a member made goes on")
	})
})
