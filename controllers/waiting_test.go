package controllers_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/internal/inflight"
)

// Design, section 3: waiting for a slot is not written.
var _ = Describe("What waits for a slot", func() {
	for _, c := range channels() {
		It("has nothing written, and goes on when there is one, at "+c.name, func() {
			w := newWorld()
			w.limits = inflight.Limits{Total: 1, PerHost: 1}
			w.restart()
			answer := w.holdReceiver()
			c.target(w, "inside", w.receiver.URL)
			first, second := c.due(w, "first", "inside"), c.due(w, "second", "inside")
			c.reconcile(w, first)
			w.client.Writes()
			c.reconcile(w, second)
			Expect(w.client.Writes()).To(BeEmpty())
			answer()
			w.awaitWork()
			c.reconcile(w, first)
			c.attempt(w, second)
			Expect(w.receiver.Received()).To(HaveLen(2))
		})
	}

	It("has nothing written, and goes on when there is one, at the generator", func() {
		w := newWorld()
		w.limits = inflight.Limits{Total: 1, PerHost: 1}
		w.restart()
		w.createSite()
		answer := w.holdGenerator()
		first, second := w.createArticle("first", withKeyword), w.createArticle("second", withKeyword)
		w.Reconcile(first)
		_, err := w.Articles.Reconcile(w.ctx, request(second))
		Expect(err).NotTo(HaveOccurred())
		w.client.Writes()
		w.Reconcile(second)
		Expect(w.client.Writes()).To(BeEmpty())
		answer()
		w.reconcileUntilStable(first)
		w.reconcileUntilStable(second)
		Expect(w.generator.Calls()).To(Equal(2))
	})
})
