package controllers_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// The last nonce that was handled asks for nothing, however often the object is written.
var _ = Describe("A nonce that was handled", func() {
	var w *world

	BeforeEach(func() {
		w = newWorld()
		w.createSite()
	})

	nonces := []string{"first", "first", "second", "", "second"}

	It("has no article written again, or sent again, also by the next process", func() {
		key := w.createArticle("shoes", withKeyword)
		w.reconcileUntilStable(key)
		for _, nonce := range nonces {
			w.annotate(w.get(key), v1alpha1.RegenerateAnnotation, nonce)
			w.reconcileUntilStable(key)
			w.restart()
		}
		Expect(w.generator.Calls()).To(Equal(3))
		w.approveAndPublish(key)
		w.reconcileUntilStable(key)
		for _, nonce := range nonces {
			w.annotate(w.get(key), v1alpha1.RedeliverAnnotation, nonce)
			w.reconcileUntilStable(key)
			w.restart()
		}
		Expect(w.receiver.Received()).To(HaveLen(3))
	})

	It("has no event sent again", func() {
		hook := w.subscribe("hook")
		w.createDelivery("told", "hook")
		w.deliver()
		for _, nonce := range nonces {
			w.annotate(&w.deliveries("hook")[0], v1alpha1.RedeliverAnnotation, nonce)
			w.deliver()
		}
		Expect(hook.Received()).To(HaveLen(3))
	})

	It("has no connection tested again", func() {
		for _, nonce := range nonces {
			w.askTest(nonce)
			w.reconcileSiteUntilStable()
		}
		Expect(w.receiver.Received()).To(HaveLen(2))
	})
})
