package controllers_test

import (
	"regexp"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// A Get waits until the cache has the last write of this process to the object, which a stalled watch does not show.
var _ = Describe("A watch that stalls", func() {
	It("ends the reconciles of what was written by the time limit, delays no other kind, and has nothing sent twice", func() {
		t := newTenant()
		t.reconcileTimeout = 3 * time.Second
		t.CreateSite(func(s *v1alpha1.Site) { s.Spec.Suspend = true })
		DeferCleanup(t.startManager())
		key := t.createApproved("due")
		a := t.await(key, func(a *v1alpha1.Article) bool { return Reason(a, v1alpha1.ConditionPublished) == "False/Suspended" })
		Eventually(t.requests.hasShown).WithArguments("articles", a).WithTimeout(time.Minute).Should(BeTrue())

		resume := t.requests.stall("articles")
		t.EditSite(func(s *v1alpha1.Site) { s.Spec.Suspend = false })
		Eventually(t.Receiver.Received).WithTimeout(time.Minute).Should(HaveLen(1))
		before := reconcileErrors()
		Eventually(reconcileErrors).WithTimeout(time.Minute).ShouldNot(Equal(before), "the reconcile that records the outcome")
		Expect(t.GetArticle(key).Status.Publication.Cycle.State).To(Equal(v1alpha1.CycleInProgress))
		t.RequestTest("first")
		Eventually(func() string { return ConditionOf(t.GetSite().Status.Conditions, v1alpha1.ConditionConnected) }).
			WithTimeout(time.Minute).Should(Equal("True/ReceiverAccepted"))

		resume()
		a = t.await(key, inPhase(v1alpha1.PhasePublished))
		Expect(a.Status.Publication.Attempts).To(HaveLen(1))
		Expect(t.Receiver.Received()).To(HaveLen(2), "the article, and the test of the connection")
	})
})

// reconcileErrors returns how many reconciles of articles ended with an error, as Prometheus reads it.
func reconcileErrors() string {
	GinkgoHelper()
	return regexp.MustCompile(`controller_runtime_reconcile_errors_total\{controller="article"\} .*`).FindString(scrape(metrics.Registry))
}
