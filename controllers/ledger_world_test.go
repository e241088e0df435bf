package controllers_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

func (w *world) getAccount() *v1alpha1.Account {
	GinkgoHelper()
	account := &v1alpha1.Account{}
	Expect(api.Get(w.ctx, client.ObjectKey{Name: w.account}, account)).To(Succeed())
	return account
}

// usage reads the account's ledger.
func (w *world) usage() v1alpha1.AccountUsage {
	GinkgoHelper()
	return w.getAccount().Status.Usage
}

func (w *world) setCredits(n int64) {
	GinkgoHelper()
	account := w.getAccount()
	account.Spec.Credits = &n
	Expect(api.Update(w.ctx, account)).To(Succeed())
}

// settleLedger lets the account controller look at the ledger.
func (w *world) settleLedger() {
	GinkgoHelper()
	_, err := w.accounts.Reconcile(w.ctx, request(client.ObjectKey{Name: w.account}))
	Expect(err).NotTo(HaveOccurred())
}

// chargeFor is what the facade reserves for an article that it is about to create.
func (w *world) chargeFor(article string) ledger.Charge {
	return ledger.Charge{
		Account: w.account, Run: article + "-00000000-1", Workspace: w.namespace, Article: article,
		SiteUID: identity.UID(identity.KindSite, w.namespace, "acme"), Metered: true,
	}
}

func (w *world) revisions() []v1alpha1.ArticleRevision {
	GinkgoHelper()
	var list v1alpha1.ArticleRevisionList
	Expect(api.List(w.ctx, &list, client.InNamespace(w.namespace))).To(Succeed())
	return list.Items
}
