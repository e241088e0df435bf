package controllers_test

import (
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// A step that a missing Secret blocks says so, and no longer than it is true.
var _ = Describe("A blocked step", func() {
	It("is reported if it is the redelivery of an article that stays published", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithText("Shoes", "Text."), ApprovedInManifest, ToBePublished)
		t.ReconcileUntilStable(key)
		t.deleteSecret("webhook")
		t.Annotate(t.GetArticle(key), v1alpha1.RedeliverAnnotation, "again")
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("True/Delivered"))
		Expect(Reason(a, v1alpha1.ConditionRedelivered)).To(Equal("False/SecretNotFound"))
		Expect(meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionPublished).Message).
			To(And(HavePrefix("accepted by the receiver; a redelivery waits: "), ContainSubstring(`the Secret "webhook" must exist`)))

		t.CreateSecret()
		t.Clock.Step(30 * time.Second)
		a = t.ReconcileUntilStable(key)
		Expect(meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionRedelivered)).To(BeNil())
		Expect(meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionPublished).Message).To(Equal("accepted by the receiver"))
		Expect(t.Receiver.Received()).To(HaveLen(2))
	})

	for _, c := range channels() {
		It("is not reported once it waits for a slot alone, at "+c.name, func() {
			t := newTenantWithOneSlot()
			answer := t.HoldReceiver()
			c.target(t, "there", t.Receiver.URL)
			c.targetWithSecret(t, "late", "later")
			first, second := c.due(t, "first", "there"), c.due(t, "second", "late")
			delivered := func() string {
				GinkgoHelper()
				return ConditionOf(Conditions(c.object(t, second)), c.delivered)
			}
			c.reconcile(t, second)
			Expect(delivered()).To(Equal("False/SecretNotFound"))
			c.reconcile(t, first)
			t.Client.Writes()
			c.reconcile(t, second)
			Expect(t.Client.Writes()).To(BeEmpty(), "the Secret is not there yet")

			t.CreateEventSecret("later", EventSecret)
			t.Clock.Step(30 * time.Second) // a Secret that was missing is looked for so often
			t.Client.Writes()
			for range 2 {
				c.reconcile(t, second)
			}
			writes := slices.DeleteFunc(t.Client.Writes(), func(write string) bool { return write == "create Post" })
			Expect(writes).To(HaveLen(1), "that it is there is written once")
			Expect(delivered()).To(Equal("False/Progressing"))

			answer()
			t.AwaitWork()
			c.reconcile(t, first)
			c.attempt(t, second)
			Expect(t.Receiver.Received()).To(HaveLen(2))
		})
	}

	It("is not reported once it waits for a slot alone, at the generator", func() {
		t := newTenantWithOneSlot()
		t.CreateSite()
		answer := t.HoldGenerator()
		first, second := t.CreateArticle("first", WithKeyword), t.CreateArticle("second", WithKeyword)
		t.Generator.Blocked = &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound, Message: "there is no key"}
		t.Reconcile(second)
		Expect(Reason(t.GetArticle(second), v1alpha1.ConditionGenerated)).To(Equal("False/SecretNotFound"))
		t.Generator.Blocked = nil
		t.Reconcile(first)
		t.Client.Writes()
		for range 2 {
			t.Reconcile(second)
		}
		Expect(t.Client.Writes()).To(HaveLen(1), "that the key is there is written once")
		Expect(Reason(t.GetArticle(second), v1alpha1.ConditionGenerated)).To(Equal("False/Generating"))
		answer()
		t.ReconcileUntilStable(first)
		t.ReconcileUntilStable(second)
		Expect(t.Generator.Calls()).To(Equal(2))
	})
})

func (t *tenant) deleteSecret(name string) {
	GinkgoHelper()
	Expect(api.Delete(t.Ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: name}})).To(Succeed())
}
