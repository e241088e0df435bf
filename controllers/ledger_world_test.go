package controllers_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/types"
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
	patch := fmt.Sprintf(`{"spec": {"credits": %d}}`, n)
	Expect(api.Patch(w.ctx, w.getAccount(), client.RawPatch(types.MergePatchType, []byte(patch)))).To(Succeed())
}

// reconcileAccount lets the account controller look at the ledger.
func (w *world) reconcileAccount() {
	GinkgoHelper()
	_, err := w.Accounts.Reconcile(w.ctx, request(client.ObjectKey{Name: w.account}))
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
