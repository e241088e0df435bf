package apiserver_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"

	"github.com/pressroom-dev/pressroom/test/testkit"
)

var _ = Describe("The signing secrets of an event subscription", func() {
	It("are no more than the newest two, and others are not deleted", func() {
		t := newTenant(shared)
		uid := shared.ask(t, "POST", subscriptions, subscribing("*")).Text("uid")
		rotate := func() {
			Expect(shared.ask(t, "POST", subscriptions+"/"+uid+"/rotate-secret", nil).Status).To(Equal(200))
		}
		rotate()
		rotate()
		s := t.subscription(uid)
		Expect(t.subscriptionSecrets()).To(ConsistOf(s.Spec.SigningSecretRef.Name, s.Spec.PreviousSigningSecretRef.Name))

		own := &corev1.Secret{StringData: map[string]string{"secret": "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="}}
		own.Namespace, own.Name = t.Workspace, "of-the-customer"
		Expect(api.Create(ctx, own)).To(Succeed())
		s.Spec.PreviousSigningSecretRef.Name = own.Name
		Expect(api.Update(ctx, s)).To(Succeed())
		rotate()
		Expect(t.subscriptionSecrets()).To(ContainElement(own.Name))
	})

	It("are rotated at the same time without losing a secret", func() {
		t := newTenant(shared)
		uid := shared.ask(t, "POST", subscriptions, subscribing("*")).Text("uid")
		// Two of them are one request, and its repeat.
		keys := []string{"a", "b", "b"}
		answers := make(chan testkit.Answer, len(keys))
		for _, key := range keys {
			go func() {
				defer GinkgoRecover()
				answers <- shared.ask(t, "POST", subscriptions+"/"+uid+"/rotate-secret", nil, "Idempotency-Key", key)
			}()
		}
		shown := map[string]bool{}
		for range keys {
			var got testkit.Answer
			Eventually(answers).Should(Receive(&got))
			if got.Status == 200 {
				shown[got.Text("secret")] = true
				continue
			}
			Expect(got).To(failing(409, "CONFLICT"))
		}
		s := t.subscription(uid)
		Expect(shown).To(HaveLen(2))
		Expect(shown).To(And(HaveKey(t.secret(s.Spec.SigningSecretRef)), HaveKey(t.secret(*s.Spec.PreviousSigningSecretRef))))
		Expect(t.subscriptionSecrets()).To(ConsistOf(s.Spec.SigningSecretRef.Name, s.Spec.PreviousSigningSecretRef.Name))
	})
})
