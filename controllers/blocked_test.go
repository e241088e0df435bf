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
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// A step that a missing Secret blocks says so, and no longer than it is true.
var _ = Describe("A blocked step", func() {
	It("is reported if it is the redelivery of an article that stays published", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("shoes", withText("Shoes", "Text."), approvedInManifest, toBePublished)
		w.reconcileUntilStable(key)
		w.deleteSecret("webhook")
		w.annotate(w.get(key), v1alpha1.RedeliverAnnotation, "again")
		a := w.reconcileUntilStable(key)
		Expect(reason(a, v1alpha1.ConditionPublished)).To(Equal("True/Delivered"))
		Expect(reason(a, v1alpha1.ConditionRedelivered)).To(Equal("False/SecretNotFound"))
		Expect(meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionPublished).Message).
			To(And(HavePrefix("accepted by the receiver; a redelivery waits: "), ContainSubstring(`the Secret "webhook" must exist`)))

		w.createSecret()
		w.clock.Step(30 * time.Second)
		a = w.reconcileUntilStable(key)
		Expect(meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionRedelivered)).To(BeNil())
		Expect(meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionPublished).Message).To(Equal("accepted by the receiver"))
		Expect(w.receiver.Received()).To(HaveLen(2))
	})

	for _, c := range channels() {
		It("is not reported once it waits for a slot alone, at "+c.name, func() {
			w := newWorld()
			w.limits = inflight.Limits{Total: 1, PerHost: 1}
			w.restart()
			answer := w.holdReceiver()
			c.target(w, "there", w.receiver.URL)
			c.targetWithSecret(w, "late", "later")
			first, second := c.due(w, "first", "there"), c.due(w, "second", "late")
			delivered := func() string {
				GinkgoHelper()
				o, ok := c.object(w, second).(interface{ GetConditions() []metav1.Condition })
				Expect(ok).To(BeTrue())
				return conditionOf(o.GetConditions(), c.delivered)
			}
			c.reconcile(w, second)
			Expect(delivered()).To(Equal("False/SecretNotFound"))
			c.reconcile(w, first)
			w.client.Writes()
			c.reconcile(w, second)
			Expect(w.client.Writes()).To(BeEmpty(), "the Secret is not there yet")

			w.createEventSecret("later", eventSecret)
			w.clock.Step(30 * time.Second) // a Secret that was missing is looked for so often
			w.client.Writes()
			for range 2 {
				c.reconcile(w, second)
			}
			writes := slices.DeleteFunc(w.client.Writes(), func(write string) bool { return write == "create Post" })
			Expect(writes).To(HaveLen(1), "that it is there is written once")
			Expect(delivered()).To(Equal("False/Progressing"))

			answer()
			w.awaitWork()
			c.reconcile(w, first)
			c.attempt(w, second)
			Expect(w.receiver.Received()).To(HaveLen(2))
		})
	}

	It("is not reported once it waits for a slot alone, at the generator", func() {
		w := newWorld()
		w.limits = inflight.Limits{Total: 1, PerHost: 1}
		w.restart()
		w.createSite()
		answer := w.holdGenerator()
		first, second := w.createArticle("first", withKeyword), w.createArticle("second", withKeyword)
		w.generator.Blocked = &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound, Message: "there is no key"}
		w.Reconcile(second)
		Expect(reason(w.get(second), v1alpha1.ConditionGenerated)).To(Equal("False/SecretNotFound"))
		w.generator.Blocked = nil
		w.Reconcile(first)
		w.client.Writes()
		for range 2 {
			w.Reconcile(second)
		}
		Expect(w.client.Writes()).To(HaveLen(1), "that the key is there is written once")
		Expect(reason(w.get(second), v1alpha1.ConditionGenerated)).To(Equal("False/Generating"))
		answer()
		w.reconcileUntilStable(first)
		w.reconcileUntilStable(second)
		Expect(w.generator.Calls()).To(Equal(2))
	})
})

func (w *world) deleteSecret(name string) {
	GinkgoHelper()
	Expect(api.Delete(w.ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: name}})).To(Succeed())
}
