package moneywalk_test

import (
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// countSurplus counts the surplus articles. Anyone who creates one deletes it and gives its charge back, unless kube-apiserver does not
// answer: then it stays.
func (b *books) countSurplus() {
	for _, surplus := range b.surplus {
		if surplus {
			b.w.counts["surplus articles"]++
		}
	}
	for _, c := range b.credits {
		if b.surplus[c.uid] && !c.returned && !c.refunded {
			b.w.failf("the surplus article %s keeps a credit", c.uid)
		}
	}
}

// close checks the books once nothing is in progress: each credit that is used has paid for a run, is held by an article that waits,
// or was an article's that was deleted.
func (b *books) close(u *v1alpha1.AccountLedgerSpec, articles []*v1alpha1.Article) {
	if len(u.Pending) > 0 || len(u.Refunded) > 0 {
		b.w.failf("the ledger does not drain: %d pending, %d refunded: %+v", len(u.Pending), len(u.Refunded), u.Pending)
	}
	b.check(u)
	b.countSurplus()
	holds := map[string]bool{}
	for _, a := range articles {
		holds[string(a.UID)] = a.Status.Prepaid != nil
	}
	for _, c := range b.credits {
		if !c.returned && !c.refunded && c.run == "" && !b.deleted[c.uid] && !holds[c.uid] {
			b.w.failf("a credit of %s at %s was used for nothing", c.article, c.at.Format(time.TimeOnly))
		}
	}
	for uid, c := range b.held {
		if !holds[uid] && !b.deleted[uid] && !c.refunded {
			b.w.failf("article %s lost the credit that it held", uid)
		}
	}
}

// keyPays notes for which article an Idempotency-Key pays: never for another one.
func (b *books) keyPays(a *v1alpha1.Article) {
	if a.Annotations[v1alpha1.RequestHashAnnotation] == "" {
		return
	}
	if first, paid := b.paidFor[a.Name]; paid && first != string(a.UID) {
		b.w.failf("one Idempotency-Key paid for %s, and then for %s, of the name %s", first, a.UID, a.Name)
	}
	b.paidFor[a.Name] = string(a.UID)
}
