package controllers_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("An article that was deleted since the cache saw it", func() {
	It("is no failure of the controller", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("gone", withText("Shoes", "Text."))
		w.ReconcileUntilStable(key)
		last := w.get(key)
		Expect(api.Delete(w.ctx, last.DeepCopy())).To(Succeed())
		last.Generation++
		w.client.stale = last
		_, err := w.Articles.Reconcile(w.ctx, request(key))
		Expect(err).NotTo(HaveOccurred())
	})
})
