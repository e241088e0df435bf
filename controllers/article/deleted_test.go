package article_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "github.com/pressroom-dev/pressroom/controllers/controllertest"
)

var _ = Describe("An article that was deleted since the cache saw it", func() {
	It("is no failure of the controller", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("gone", WithText("Shoes", "Text."))
		t.ReconcileUntilStable(key)
		last := t.GetArticle(key)
		Expect(api.Delete(t.Ctx, last.DeepCopy())).To(Succeed())
		last.Generation++
		t.Client.Stale = last
		_, err := t.Articles.Reconcile(t.Ctx, Request(key))
		Expect(err).NotTo(HaveOccurred())
	})
})
