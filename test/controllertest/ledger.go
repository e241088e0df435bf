package controllertest

import (
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// GetAccount reads the account.
func (t *Tenant) GetAccount() *v1alpha1.Account {
	GinkgoHelper()
	account := &v1alpha1.Account{}
	Expect(t.API.Get(t.Ctx, client.ObjectKey{Name: t.Account}, account)).To(Succeed())
	return account
}

// EditAccount changes the account. It succeeds while a controller writes the account.
func (t *Tenant) EditAccount(change func(*v1alpha1.Account)) {
	GinkgoHelper()
	account := t.GetAccount()
	old := account.DeepCopy()
	change(account)
	Expect(t.API.Patch(t.Ctx, account, client.MergeFrom(old))).To(Succeed())
}

// NewLedger returns an empty ledger, as the controller makes it for a new account.
func NewLedger(account string) *v1alpha1.AccountLedger {
	return &v1alpha1.AccountLedger{ObjectMeta: metav1.ObjectMeta{Name: account}}
}

// Usage reads the account's ledger.
func (t *Tenant) Usage() v1alpha1.AccountLedgerSpec {
	GinkgoHelper()
	l := &v1alpha1.AccountLedger{}
	Expect(t.API.Get(t.Ctx, client.ObjectKey{Name: t.Account}, l)).To(Succeed())
	return l.Spec
}

// SetCredits changes how many credits the account has.
func (t *Tenant) SetCredits(n int64) {
	GinkgoHelper()
	patch := fmt.Sprintf(`{"spec": {"credits": %d}}`, n)
	Expect(t.API.Patch(t.Ctx, t.GetAccount(), client.RawPatch(types.MergePatchType, []byte(patch)))).To(Succeed())
}

// ReconcileAccount lets the account controller look at the ledger.
func (t *Tenant) ReconcileAccount() {
	GinkgoHelper()
	_, err := t.Accounts.Reconcile(t.Ctx, Request(client.ObjectKey{Name: t.Account}))
	Expect(err).NotTo(HaveOccurred())
}

// ChargeFor returns the charge that the facade takes for an article before it creates it.
func (t *Tenant) ChargeFor(article string) ledger.Charge {
	return ledger.Charge{
		Account: t.Account, Run: article + "-00000000-1", Workspace: t.Namespace, Article: article,
		Site: "acme", Metered: true,
	}
}

// Revisions of the workspace.
func (t *Tenant) Revisions() []v1alpha1.ArticleRevision {
	GinkgoHelper()
	var list v1alpha1.ArticleRevisionList
	Expect(t.API.List(t.Ctx, &list, client.InNamespace(t.Namespace))).To(Succeed())
	return list.Items
}

// GenerateCharge is the charge of a generate call.
func (t *Tenant) GenerateCharge(name string) ledger.Charge {
	c := t.ChargeFor(name)
	c.Run = identity.RevisionName(name, identity.UID(identity.KindArticle, t.Namespace, name), 1)
	return c
}

// Swept has the account controller look at the ledger for as long as charges may stay in it.
func (t *Tenant) Swept(keys ...client.ObjectKey) v1alpha1.AccountLedgerSpec {
	GinkgoHelper()
	for range 3 {
		t.Clock.Step(30 * time.Second)
		t.ReconcileAccount()
		for _, key := range keys {
			t.ReconcileUntilStable(key)
		}
	}
	return t.Usage()
}

// Used matches a ledger with so many credits used, and no pending charge.
func Used(credits int64) OmegaMatcher {
	return And(HaveField("CreditsUsed", credits), HaveField("Pending", BeEmpty()))
}
