package controllers_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/controllers/controllertest"
)

// The last nonce that was handled asks for nothing, however often the object is written.
var _ = Describe("A nonce that was handled", func() {
	var t *tenant

	BeforeEach(func() {
		t = newTenant()
		t.CreateSite()
	})

	nonces := []string{"first", "first", "second", "", "second"}

	It("has no article written again, or sent again, also by the next process", func() {
		key := t.CreateArticle("shoes", WithKeyword)
		t.ReconcileUntilStable(key)
		for _, nonce := range nonces {
			t.Annotate(t.GetArticle(key), v1alpha1.RegenerateAnnotation, nonce)
			t.ReconcileUntilStable(key)
			t.Restart()
		}
		Expect(t.Generator.Calls()).To(Equal(3))
		t.ApproveAndPublish(key)
		t.ReconcileUntilStable(key)
		for _, nonce := range nonces {
			t.Annotate(t.GetArticle(key), v1alpha1.RedeliverAnnotation, nonce)
			t.ReconcileUntilStable(key)
			t.Restart()
		}
		Expect(t.Receiver.Received()).To(HaveLen(3))
	})

	It("has no event sent again", func() {
		hook := t.Subscribe("hook")
		t.CreateDelivery("told", "hook")
		t.Deliver()
		for _, nonce := range nonces {
			t.Annotate(&t.Deliveries("hook")[0], v1alpha1.RedeliverAnnotation, nonce)
			t.Deliver()
		}
		Expect(hook.Received()).To(HaveLen(3))
	})

	It("has no connection tested again", func() {
		for _, nonce := range nonces {
			t.RequestTest(nonce)
			t.ReconcileSiteUntilStable()
		}
		Expect(t.Receiver.Received()).To(HaveLen(2))
	})
})
