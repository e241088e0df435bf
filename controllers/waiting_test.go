package controllers_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/inflight"
)

// Waiting for a slot is written once if status says otherwise, and else not at all.
var _ = Describe("An attempt that waits for a slot", func() {
	for _, c := range channels() {
		It("has nothing written, and goes on when there is one, at "+c.name, func() {
			w := newWorld()
			w.limits = inflight.Limits{Total: 1, PerHost: 1}
			w.restart()
			answer := w.holdReceiver()
			c.target(w, "inside", w.receiver.URL)
			first, second := c.due(w, "first", "inside"), c.due(w, "second", "inside")
			c.reconcile(w, first)
			c.reconcile(w, second)
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
		w.ReconcileUntilStable(first)
		w.ReconcileUntilStable(second)
		Expect(w.generator.Calls()).To(Equal(2))
	})

	It("does not keep status from showing what the reviewer has decided", func() {
		w := newWorld()
		w.limits = inflight.Limits{Total: 1, PerHost: 1}
		w.restart()
		w.createSite()
		answer := w.holdReceiver()
		first := w.createArticle("first", withText("First", "Text."), approvedInManifest, toBePublished)
		second := w.createArticle("second", withText("Second", "Text."))
		w.Reconcile(first)
		w.Reconcile(second)
		w.approveAndPublish(second)
		w.Reconcile(second)
		a := w.get(second)
		Expect(reason(a, v1alpha1.ConditionApproved)).To(Equal("True/Approved"))
		Expect(reason(a, v1alpha1.ConditionPublished)).To(Equal("False/Progressing"))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseApproved))
		Expect(a.Status.ObservedGeneration).To(Equal(a.Generation))
		w.client.Writes()
		w.Reconcile(second)
		Expect(w.client.Writes()).To(BeEmpty(), "it is written once")
		answer()
		w.awaitWork()
		w.Reconcile(first)
		w.ReconcileUntilStable(second)
		Expect(w.receiver.Received()).To(HaveLen(2))
	})

	It("does not keep status from showing that a run waits", func() {
		w := newWorld()
		w.limits = inflight.Limits{Total: 1, PerHost: 1}
		w.restart()
		w.createSite()
		answer := w.holdGenerator()
		first, second := w.createArticle("first", withKeyword), w.createArticle("second", withKeyword)
		w.Reconcile(first)
		w.Reconcile(second)
		a := w.get(second)
		Expect(reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/Generating"))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseGenerating))
		answer()
		w.ReconcileUntilStable(first)
		w.ReconcileUntilStable(second)
		Expect(w.generator.Calls()).To(Equal(2))
	})

	It("does not keep status from showing that the Site exists now", func() {
		w := newWorld()
		w.limits = inflight.Limits{Total: 1, PerHost: 1}
		w.restart()
		second := w.createArticle("second", withKeyword)
		w.Reconcile(second)
		Expect(reason(w.get(second), v1alpha1.ConditionGenerated)).To(Equal("False/SiteNotFound"))
		w.createSite()
		answer := w.holdGenerator()
		first := w.createArticle("first", withKeyword)
		w.Reconcile(first)
		w.Reconcile(second)
		a := w.get(second)
		Expect(reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/Generating"))
		Expect(reason(a, v1alpha1.ConditionReady)).To(Equal("False/Generating"))
		answer()
		w.ReconcileUntilStable(first)
		w.ReconcileUntilStable(second)
		Expect(w.generator.Calls()).To(Equal(2))
	})

	It("does not delay the revision of a text that is approved already while its receiver hangs", func() {
		w := newWorld()
		w.limits = inflight.Limits{Total: 1, PerHost: 1}
		w.restart()
		w.createSite()
		answer := w.holdReceiver()
		first := w.createArticle("first", withText("First", "Text."), approvedInManifest, toBePublished)
		second := w.createArticle("second", withText("Second", "Text."), approvedInManifest, toBePublished)
		w.Reconcile(first)
		w.client.Writes()
		w.Reconcile(second)
		Expect(w.client.Writes()).To(Equal([]string{"create ArticleRevision", "update Article/status"}))
		a := w.get(second)
		Expect(a.Status.Revision).NotTo(BeNil())
		Expect(reason(a, v1alpha1.ConditionApproved)).To(Equal("True/Approved"))
		Expect(a.Status.Publication).To(BeNil())
		answer()
		w.awaitWork()
		w.Reconcile(first)
		w.ReconcileUntilStable(second)
		Expect(w.receiver.Received()).To(HaveLen(2))
	})
})
