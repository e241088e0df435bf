package controllers_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// Waiting for a slot is written once if status says otherwise, and else not at all.
var _ = Describe("An attempt that waits for a slot", func() {
	for _, c := range channels() {
		It("has nothing written, and goes on when there is one, at "+c.name, func() {
			t := newTenantWithOneSlot()
			answer := t.HoldReceiver()
			c.target(t, "inside", t.Receiver.URL)
			first, second := c.due(t, "first", "inside"), c.due(t, "second", "inside")
			c.reconcile(t, first)
			c.reconcile(t, second)
			t.Client.Writes()
			c.reconcile(t, second)
			Expect(t.Client.Writes()).To(BeEmpty())
			answer()
			t.AwaitWork()
			c.reconcile(t, first)
			c.attempt(t, second)
			Expect(t.Receiver.Received()).To(HaveLen(2))
		})
	}

	It("has nothing written, and goes on when there is one, at the generator", func() {
		t := newTenantWithOneSlot()
		t.CreateSite()
		answer := t.HoldGenerator()
		first, second := t.CreateArticle("first", WithKeyword), t.CreateArticle("second", WithKeyword)
		t.Reconcile(first)
		t.Reconcile(second)
		a := t.GetArticle(second)
		Expect(Reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/Generating"))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseGenerating))
		t.Client.Writes()
		t.Reconcile(second)
		Expect(t.Client.Writes()).To(BeEmpty())
		answer()
		t.ReconcileUntilStable(first)
		t.ReconcileUntilStable(second)
		Expect(t.Generator.Calls()).To(Equal(2))
	})

	It("does not keep status from showing what the reviewer has decided", func() {
		t := newTenantWithOneSlot()
		t.CreateSite()
		answer := t.HoldReceiver()
		first := t.CreateArticle("first", WithText("First", "Text."), ApprovedInManifest, ToBePublished)
		second := t.CreateArticle("second", WithText("Second", "Text."))
		t.Subscribe("newsroom")
		t.Reconcile(first)
		t.Reconcile(second)
		t.ApproveAndPublish(second)
		t.Reconcile(second)
		a := t.GetArticle(second)
		Expect(Reason(a, v1alpha1.ConditionApproved)).To(Equal("True/Approved"))
		Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("False/Progressing"))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseApproved))
		Expect(a.Status.ObservedGeneration).To(Equal(a.Generation))
		Expect(a.Status.Transitions).To(ContainElement(And(
			HaveField("Type", v1alpha1.EventApproved), HaveField("Dispatch", v1alpha1.DispatchPending))))
		t.Client.Writes()
		t.Reconcile(second)
		Expect(t.Client.Writes()).To(BeEmpty(), "it is written once")
		answer()
		t.AwaitWork()
		t.Reconcile(first)
		t.ReconcileUntilStable(second)
		Expect(t.Receiver.Received()).To(HaveLen(2))
	})

	It("does not keep status from showing that the Site exists now", func() {
		t := newTenantWithOneSlot()
		second := t.CreateArticle("second", WithKeyword)
		t.Reconcile(second)
		Expect(Reason(t.GetArticle(second), v1alpha1.ConditionGenerated)).To(Equal("False/SiteNotFound"))
		t.CreateSite()
		answer := t.HoldGenerator()
		first := t.CreateArticle("first", WithKeyword)
		t.Reconcile(first)
		t.Reconcile(second)
		a := t.GetArticle(second)
		Expect(Reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/Generating"))
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("False/Generating"))
		answer()
		t.ReconcileUntilStable(first)
		t.ReconcileUntilStable(second)
		Expect(t.Generator.Calls()).To(Equal(2))
	})

	It("does not delay the revision of a text that is approved already while its receiver hangs", func() {
		t := newTenantWithOneSlot()
		t.CreateSite()
		answer := t.HoldReceiver()
		first := t.CreateArticle("first", WithText("First", "Text."), ApprovedInManifest, ToBePublished)
		second := t.CreateArticle("second", WithText("Second", "Text."), ApprovedInManifest, ToBePublished)
		t.Reconcile(first)
		t.Client.Writes()
		t.Reconcile(second)
		Expect(t.Client.Writes()).To(Equal([]string{"create ArticleRevision", "update Article/status"}))
		a := t.GetArticle(second)
		Expect(a.Status.Revision).NotTo(BeNil())
		Expect(Reason(a, v1alpha1.ConditionApproved)).To(Equal("True/Approved"))
		Expect(a.Status.Publication).To(BeNil())
		answer()
		t.AwaitWork()
		t.Reconcile(first)
		t.ReconcileUntilStable(second)
		Expect(t.Receiver.Received()).To(HaveLen(2))
	})
})

// newTenantWithOneSlot is a tenant of whose calls one at a time is made.
func newTenantWithOneSlot() *tenant {
	GinkgoHelper()
	t := newTenant()
	t.Limits = inflight.Limits{Total: 1, PerHost: 1}
	t.Restart()
	return t
}
