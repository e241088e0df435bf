package controllers_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

var _ = Describe("The credits of an account", func() {
	account := func(w *world) string {
		GinkgoHelper()
		for range 3 {
			_, err := w.Accounts.Reconcile(w.ctx, request(client.ObjectKey{Name: w.account}))
			Expect(err).NotTo(HaveOccurred())
		}
		return conditionOf(w.readAccount().Status.Conditions, v1alpha1.ConditionReady)
	}
	// again creates the account again from its manifest, which may have the account's annotations.
	again := func(w *world, annotations bool) {
		GinkgoHelper()
		old := w.readAccount()
		Expect(api.Delete(w.ctx, old)).To(Succeed())
		made := &v1alpha1.Account{ObjectMeta: metav1.ObjectMeta{Name: old.Name}, Spec: old.Spec}
		if annotations {
			made.Annotations = old.Annotations
		}
		Expect(api.Create(w.ctx, made)).To(Succeed())
	}
	spent := func() *world {
		GinkgoHelper()
		w := newWorld()
		w.createSite()
		w.setCredits(2)
		Expect(account(w)).To(Equal("True/Valid"), "a new account needs no ceremony")
		w.reconcileUntilStable(w.createArticle("one", withKeyword))
		Expect(w.usage().CreditsUsed).To(BeEquivalentTo(1))
		Expect(account(w)).To(Equal("True/Valid"))
		return w
	}
	set := func(w *world, used string) {
		GinkgoHelper()
		a := w.readAccount()
		a.Annotations[v1alpha1.CreditsUsedAnnotation] = used
		Expect(api.Update(w.ctx, a)).To(Succeed())
	}

	for name, annotations := range map[string]bool{"restored without status": true, "created again from Git": false} {
		It("that was "+name+" are not spent before somebody says how many are used", func() {
			w := spent()
			again(w, annotations)
			Expect(account(w)).To(Equal("False/UsageUnknown"))
			key := w.createArticle("two", withKeyword)
			Expect(reason(w.reconcileUntilStable(key), v1alpha1.ConditionGenerated)).To(Equal("False/InsufficientCredits"))
			set(w, "none of your business")
			Expect(account(w)).To(Equal("False/UsageUnknown"))
			Expect(w.readAccount().Status.Conditions).To(ContainElement(HaveField("Message", ContainSubstring(
				`pressroom.dev/credits-used must be the number of credits that are used, 0 to 1000000000000; it is "none of your business"`))))
			set(w, "1")
			Expect(account(w)).To(Equal("True/Valid"))
			Expect(w.readAccount().Annotations).NotTo(HaveKey(v1alpha1.CreditsUsedAnnotation))
			Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
			Expect(w.usage().CreditsUsed).To(BeEquivalentTo(2))
			third := w.createArticle("three", withKeyword)
			Expect(reason(w.reconcileUntilStable(third), v1alpha1.ConditionGenerated)).To(Equal("False/InsufficientCredits"))
		})
	}

	It("are not charged before the controller has seen a restored account", func() {
		w := spent()
		again(w, true)
		key := w.createArticle("two", withKeyword)
		Expect(reason(w.reconcileUntilStable(key), v1alpha1.ConditionGenerated)).To(Equal("False/InsufficientCredits"))
		Expect(w.usage().CreditsUsed).To(BeZero())
	})

	It("are what they were if status is restored too", func() {
		w := spent()
		status := w.readAccount().Status
		again(w, true)
		a := w.readAccount()
		a.Status = status
		Expect(api.Status().Update(w.ctx, a)).To(Succeed())
		Expect(account(w)).To(Equal("True/Valid"))
		Expect(w.usage().CreditsUsed).To(BeEquivalentTo(1))
	})

	It("may be spent if they have no limit", func() {
		w := newWorld()
		w.createSite()
		account(w)
		again(w, true)
		Expect(account(w)).To(Equal("False/UsageUnknown"))
		Expect(w.reconcileUntilStable(w.createArticle("one", withKeyword)).Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})
})
