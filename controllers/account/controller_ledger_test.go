package account_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

var _ = Describe("The ledger of an account", func() {
	ready := func(t *tenant) string {
		GinkgoHelper()
		for range 2 {
			t.ReconcileAccount()
		}
		return ConditionOf(t.GetAccount().Status.Conditions, v1alpha1.ConditionReady)
	}
	message := func(t *tenant) OmegaMatcher {
		return ContainElement(HaveField("Message", ContainSubstring("annotate pressroom.dev/restore-confirmed="+string(t.GetAccount().UID))))
	}
	// spent is an account with two credits, of which one is used.
	spent := func() *tenant {
		GinkgoHelper()
		t := newTenant()
		t.CreateSite()
		t.SetCredits(2)
		Expect(ready(t)).To(Equal("True/Valid"))
		t.ReconcileUntilStable(t.CreateArticle("one", WithKeyword))
		Expect(t.Usage().CreditsUsed).To(BeEquivalentTo(1))
		return t
	}
	// again creates the account again: from a backup, which has its annotations, or from its manifest.
	again := func(t *tenant, fromBackup bool) {
		GinkgoHelper()
		old := t.GetAccount()
		Expect(api.Delete(t.Ctx, old)).To(Succeed())
		made := &v1alpha1.Account{ObjectMeta: metav1.ObjectMeta{Name: old.Name}, Spec: old.Spec}
		if fromBackup {
			made.Annotations = old.Annotations
		}
		Expect(api.Create(t.Ctx, made)).To(Succeed())
	}
	lose := func(t *tenant) *v1alpha1.AccountLedger {
		GinkgoHelper()
		lost := &v1alpha1.AccountLedger{}
		Expect(api.Get(t.Ctx, client.ObjectKey{Name: t.Account}, lost)).To(Succeed())
		Expect(api.Delete(t.Ctx, lost)).To(Succeed())
		lost.UID, lost.ResourceVersion = "", ""
		return lost
	}
	isLost := func(t *tenant) bool {
		GinkgoHelper()
		err := api.Get(t.Ctx, client.ObjectKey{Name: t.Account}, &v1alpha1.AccountLedger{})
		Expect(client.IgnoreNotFound(err)).To(Succeed())
		return apierrors.IsNotFound(err)
	}
	confirm := func(t *tenant, uid string) {
		GinkgoHelper()
		t.EditAccount(func(a *v1alpha1.Account) {
			metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.RestoreConfirmedAnnotation, uid)
		})
	}

	It("is made before a new account is stamped, and belongs to nobody", func() {
		t := newTenant()
		lose(t)
		var order []string
		t.Client.Before = func(write string) error { order = append(order, write); return nil }
		Expect(ready(t)).To(Equal("True/Valid"))
		Expect(order).To(Equal([]string{"create AccountLedger", "patch Account", "update Account/status"}))
		Expect(t.Usage()).To(Equal(v1alpha1.AccountLedgerSpec{}))
		ledger := lose(t)
		Expect(ledger.OwnerReferences).To(BeEmpty(), "a restored Account has another uid, and the garbage collector would delete the ledger")
	})

	for name, fromBackup := range map[string]bool{"restored": true, "made again from its manifest": false} {
		It("goes on when the account is "+name+", and nobody needs to confirm anything", func() {
			t := spent()
			again(t, fromBackup)
			two := t.CreateArticle("two", WithKeyword)
			Expect(t.ReconcileUntilStable(two).Status.Phase).To(Equal(v1alpha1.PhaseReview))
			Expect(ready(t)).To(Equal("True/Valid"))
			Expect(t.Usage().CreditsUsed).To(BeEquivalentTo(2))
			three := t.CreateArticle("three", WithKeyword)
			Expect(Reason(t.ReconcileUntilStable(three), v1alpha1.ConditionGenerated)).To(Equal("False/InsufficientCredits"))
		})
	}

	It("is awaited by an account that was restored before it", func() {
		t := spent()
		lost := lose(t)
		again(t, true)
		key := t.CreateArticle("two", WithKeyword)
		Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionGenerated)).To(Equal("False/LedgerMissing"))
		Expect(ready(t)).To(Equal("False/LedgerMissing"))
		Expect(isLost(t)).To(BeTrue(), "nothing starts again by itself")
		Expect(api.Create(t.Ctx, lost)).To(Succeed())
		Expect(ready(t)).To(Equal("True/Valid"))
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(t.Usage().CreditsUsed).To(BeEquivalentTo(2))
	})

	It("is not made again for an account that has had one, whatever became of its annotations", func() {
		t := spent()
		lose(t)
		t.EditAccount(func(a *v1alpha1.Account) { a.Annotations = nil })
		Expect(ready(t)).To(Equal("False/LedgerMissing"))
		Expect(isLost(t)).To(BeTrue())
	})

	It("begins with no credit used if somebody confirms that for this very account, once", func() {
		t := spent()
		lose(t)
		again(t, true)
		for _, uid := range []string{"", "of-another-account", t.GetAccount().Annotations[v1alpha1.UIDAnnotation]} {
			confirm(t, uid)
			Expect(ready(t)).To(Equal("False/LedgerMissing"))
			Expect(t.GetAccount().Status.Conditions).To(message(t))
			Expect(isLost(t)).To(BeTrue())
		}
		confirm(t, string(t.GetAccount().UID))
		Expect(ready(t)).To(Equal("True/Valid"))
		Expect(t.GetAccount().Status.ConfirmedUID).To(Equal(string(t.GetAccount().UID)))
		Expect(t.Usage()).To(Equal(v1alpha1.AccountLedgerSpec{}))

		lose(t)
		Expect(ready(t)).To(Equal("False/LedgerMissing"), "the confirmation is used up")
		Expect(t.GetAccount().Status.Conditions).NotTo(message(t))
		Expect(api.Create(t.Ctx, NewLedger(t.Account))).To(Succeed())
		Expect(ready(t)).To(Equal("True/Valid"))
	})

	It("stays when Git takes the confirmation away and brings the uid of the exported manifest back", func() {
		t := spent()
		exported := t.GetAccount().Annotations
		lose(t)
		again(t, true)
		confirm(t, string(t.GetAccount().UID))
		Expect(ready(t)).To(Equal("True/Valid"))
		t.EditAccount(func(a *v1alpha1.Account) { a.Annotations = exported })
		Expect(ready(t)).To(Equal("True/Valid"))
		Expect(t.GetAccount().Annotations).To(Equal(exported), "the controller does not write against Git")
	})

	It("is shown in the account's status once a minute", func() {
		t := spent()
		Expect(ready(t)).To(Equal("True/Valid"))
		used := func() int64 { return *t.GetAccount().Status.CreditsUsed }
		Expect(used()).To(BeZero())
		t.Clock.Step(time.Minute - time.Second)
		t.ReconcileAccount() // the sweep
		result, err := t.Accounts.Reconcile(t.Ctx, Request(client.ObjectKey{Name: t.Account}))
		Expect(err).NotTo(HaveOccurred())
		Expect(used()).To(BeZero())
		Expect(result.RequeueAfter).To(Equal(time.Second))
		t.Clock.Step(time.Second)
		t.ReconcileAccount()
		Expect(used()).To(BeEquivalentTo(1))
		Expect(t.GetAccount().Status.CreditsUsedTime.Time).To(BeTemporally("==", t.Clock.Now().Truncate(time.Second)))
	})
})
