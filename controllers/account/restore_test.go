package account_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/controllers/controllertest"
)

var _ = Describe("The credits of an account", func() {
	account := func(t *tenant) string {
		GinkgoHelper()
		for range 3 {
			_, err := t.Accounts.Reconcile(t.Ctx, Request(client.ObjectKey{Name: t.Account}))
			Expect(err).NotTo(HaveOccurred())
		}
		return ConditionOf(t.GetAccount().Status.Conditions, v1alpha1.ConditionReady)
	}
	// again creates the account again from its manifest, which may have the account's annotations.
	again := func(t *tenant, annotations bool) {
		GinkgoHelper()
		old := t.GetAccount()
		Expect(api.Delete(t.Ctx, old)).To(Succeed())
		made := &v1alpha1.Account{ObjectMeta: metav1.ObjectMeta{Name: old.Name}, Spec: old.Spec}
		if annotations {
			made.Annotations = old.Annotations
		}
		Expect(api.Create(t.Ctx, made)).To(Succeed())
	}
	spent := func() *tenant {
		GinkgoHelper()
		t := newTenant()
		t.CreateSite()
		t.SetCredits(2)
		Expect(account(t)).To(Equal("True/Valid"), "a new account needs no ceremony")
		t.ReconcileUntilStable(t.CreateArticle("one", WithKeyword))
		Expect(t.Usage().CreditsUsed).To(BeEquivalentTo(1))
		Expect(account(t)).To(Equal("True/Valid"))
		return t
	}
	set := func(t *tenant, used string) {
		GinkgoHelper()
		a := t.GetAccount()
		a.Annotations[v1alpha1.CreditsUsedAnnotation] = used
		Expect(api.Update(t.Ctx, a)).To(Succeed())
	}

	for name, annotations := range map[string]bool{"restored without status": true, "created again from Git": false} {
		It("that was "+name+" are not spent before somebody says how many are used", func() {
			t := spent()
			again(t, annotations)
			Expect(account(t)).To(Equal("False/UsageUnknown"))
			key := t.CreateArticle("two", WithKeyword)
			Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionGenerated)).To(Equal("False/InsufficientCredits"))
			set(t, "none of your business")
			Expect(account(t)).To(Equal("False/UsageUnknown"))
			Expect(t.GetAccount().Status.Conditions).To(ContainElement(HaveField("Message", ContainSubstring(
				`pressroom.dev/credits-used must be the number of credits that are used, 0 to 1000000000000; it is "none of your business"`))))
			set(t, "1")
			Expect(account(t)).To(Equal("True/Valid"))
			Expect(t.GetAccount().Annotations).NotTo(HaveKey(v1alpha1.CreditsUsedAnnotation))
			Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
			Expect(t.Usage().CreditsUsed).To(BeEquivalentTo(2))
			third := t.CreateArticle("three", WithKeyword)
			Expect(Reason(t.ReconcileUntilStable(third), v1alpha1.ConditionGenerated)).To(Equal("False/InsufficientCredits"))
		})
	}

	It("are not charged before the controller has seen a restored account", func() {
		t := spent()
		again(t, true)
		key := t.CreateArticle("two", WithKeyword)
		Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionGenerated)).To(Equal("False/InsufficientCredits"))
		Expect(t.Usage().CreditsUsed).To(BeZero())
	})

	It("are what they were if status is restored too", func() {
		t := spent()
		status := t.GetAccount().Status
		again(t, true)
		a := t.GetAccount()
		a.Status = status
		Expect(api.Status().Update(t.Ctx, a)).To(Succeed())
		Expect(account(t)).To(Equal("True/Valid"))
		Expect(t.Usage().CreditsUsed).To(BeEquivalentTo(1))
	})

	It("may be spent if they have no limit", func() {
		t := newTenant()
		t.CreateSite()
		account(t)
		again(t, true)
		Expect(account(t)).To(Equal("False/UsageUnknown"))
		Expect(t.ReconcileUntilStable(t.CreateArticle("one", WithKeyword)).Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})
})
