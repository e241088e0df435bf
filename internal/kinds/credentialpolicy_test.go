package kinds

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
)

func newAPIKeyOf(account string) *api.APIKey {
	k := newAPIKey()
	k.Spec.AccountRef.Name = account
	return k
}

var _ = Describe("The credential of an account", func() {
	const (
		needUse    = "must hold the verb use on accounts.pressroom.dev other, and " + clerk + " does not"
		needUseAll = "must hold the verb use on all accounts.pressroom.dev, and " + clerk + " does not"
	)
	kinds := map[string]func(account string) client.Object{
		"API key":      func(account string) client.Object { return newAPIKeyOf(account) },
		"OAuth client": func(account string) client.Object { return newOAuthClientOf(account) },
	}
	label := func(o client.Object) client.Object {
		o.SetLabels(map[string]string{"team": "letters"})
		return o
	}
	for kind, of := range kinds {
		It("is made, changed and deleted by who may use the account: "+kind, func(ctx SpecContext) {
			for _, user := range []string{clerk, keeper} {
				o := of("acme")
				Expect(as(user).Create(ctx, o)).To(Succeed())
				Expect(as(user).Update(ctx, label(o))).To(Succeed())
				Expect(as(user).Delete(ctx, o)).To(Succeed())
			}
		})

		It("is neither made, changed nor deleted by who may use another account: "+kind, func(ctx SpecContext) {
			o := of("other")
			Expect(as(clerk).Create(ctx, o)).To(beForbidden(needUse))
			Expect(as(keeper).Create(ctx, o)).To(Succeed())
			Expect(as(clerk).Update(ctx, label(o))).To(beForbidden(needUse))
			Expect(as(clerk).Delete(ctx, o)).To(beForbidden(needUse))
			Expect(as(keeper).Delete(ctx, o)).To(Succeed())
		})
	}

	It("stays if many are deleted at once by who may not use its account", func(ctx SpecContext) {
		k := newAPIKeyOf("other")
		Expect(admin.Create(ctx, k)).To(Succeed())
		Expect(as(clerk).DeleteAllOf(ctx, &api.APIKey{})).To(beForbidden("must hold the verb use"))
		Expect(admin.Get(ctx, client.ObjectKeyFromObject(k), k)).To(Succeed())
	})

	It("may ask all accounts if it is a client without one, which takes the verb on all", func(ctx SpecContext) {
		c := newOAuthClient()
		Expect(as(clerk).Create(ctx, c)).To(beForbidden(needUseAll))
		Expect(as(keeper).Create(ctx, c)).To(Succeed())
		Expect(as(clerk).Update(ctx, label(c))).To(beForbidden(needUseAll))
		Expect(as(clerk).Delete(ctx, c)).To(beForbidden(needUseAll))
	})

	It("has no name of a client of a metadata document, if it is one of an account", func(ctx SpecContext) {
		c := newOAuthClientOf("acme")
		c.Name = documentClientName('a')
		Expect(as(clerk).Create(ctx, c)).To(beForbidden("reserved for OAuth clients without an account"))
		Expect(as(keeper).Create(ctx, c)).To(beForbidden("reserved for OAuth clients without an account"))
		c.Spec.AccountRef = nil
		Expect(as(keeper).Create(ctx, c)).To(Succeed())
	})

	It("is made by the facade for all accounts, and has its status from the controller", func(ctx SpecContext) {
		controller := "system:serviceaccount:pressroom-system:pressroom-controller"
		k, c := newAPIKeyOf("other"), newOAuthClientOf("other")
		for _, o := range []client.Object{k, c} {
			Expect(as(facade).Create(ctx, o)).To(Succeed())
		}
		k.Status.AccountUID, c.Status.AccountUID = "uid", "uid"
		for _, o := range []client.Object{k, c} {
			Expect(as(controller).Status().Update(ctx, o)).To(Succeed())
			Expect(as(facade).Delete(ctx, o)).To(Succeed())
		}
	})

	It("ends where it is deleted in the foreground, and is changed by nobody meanwhile", func(ctx SpecContext) {
		collector := "system:serviceaccount:kube-system:generic-garbage-collector"
		allow(ctx, collector, rule("pressroom.dev", "oauthclients", "get", "update"))
		Eventually(may).WithContext(ctx).WithArguments(collector, "update", "oauthclients", "").Should(BeTrue())
		c := newOAuthClientOf("other")
		Expect(as(keeper).Create(ctx, c)).To(Succeed())
		Expect(as(keeper).Delete(ctx, c, client.PropagationPolicy(metav1.DeletePropagationForeground))).To(Succeed())
		Expect(admin.Get(ctx, client.ObjectKeyFromObject(c), c)).To(Succeed())
		changed := c.DeepCopy()
		changed.Spec.Suspend = true
		Expect(as(collector).Update(ctx, changed)).To(beForbidden("must hold the verb use"))
		for _, change := range []func(*api.OAuthClient){
			func(c *api.OAuthClient) { c.Labels = map[string]string{"team": "letters"} },
			func(c *api.OAuthClient) { c.Annotations = map[string]string{"team": "letters"} },
			func(c *api.OAuthClient) { c.OwnerReferences = []metav1.OwnerReference{configMap("settings", "u")} },
		} {
			changed := c.DeepCopy()
			change(changed)
			Expect(as(collector).Update(ctx, changed)).To(beForbidden("must hold the verb use"))
		}
		c.Finalizers = nil
		Expect(as(collector).Update(ctx, c)).To(Succeed())
	})
})
