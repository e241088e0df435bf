package controllers_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// The writes by the controller of the life of an article and of its events. The article: charged, run ahead, revision, Post, generated
// and attempt ahead in one, accepted, Post. Each of three events: made, attempt ahead, accepted; and the outbox emptied twice.
const writesOfLife = 7 + 3*3 + 2

// The process ends just before, or just after, each write of an article's life. Whatever was in its memory is gone; the
// next process must bring everything to the same end.
var _ = Describe("A process that ends in the middle", func() {
	for _, when := range []string{"before", "after"} {
		It("of an article's life and its events, just "+when+" any write, loses nothing and does nothing twice or unrecorded", func() {
			crashAtEachWrite(when)
		})
	}
})

// crashAtEachWrite leads one article after the other to its end, each cut off at its next write, until one has no such
// write any more.
func crashAtEachWrite(when string) {
	GinkgoHelper()
	cuts, requests := 0, 0
	for cut := true; cut; {
		t := newTenant()
		t.CreateSite(func(s *v1alpha1.Site) { s.Spec.Review.Policy = v1alpha1.ReviewAutomatic })
		hook := t.Subscribe("hook")
		key := t.CreateArticle("shoes", WithKeyword, ToBePublished)
		cut = t.runUntilCut(key, when, cuts+1)
		t.EndProcess()
		// One round more than its end takes: nothing is made twice in that one.
		for round, ended := 0, false; round < 5 && !ended; round++ {
			ended = t.hasEnded(key)
			t.ReconcileUntilStable(key)
			t.DispatchAndDeliver(key)
			t.Clock.Step(20 * time.Minute)
		}
		at := fmt.Sprintf("%s write %d", when, cuts+1)
		t.expectMadeOnce(key, at)
		t.expectAllDelivered(hook, at)
		requests += len(t.Receiver.Received()) + len(hook.Received())
		if cut {
			cuts++
		}
	}
	AddReportEntry("figure", fmt.Sprintf("cut off %s each of %d writes: 0 lost, 0 double, 0 unrecorded, %d requests", when, cuts, requests))
	Expect(cuts).To(Equal(writesOfLife))
}

// hasEnded reports whether the article is published and each of its three events delivered.
func (t *tenant) hasEnded(key client.ObjectKey) bool {
	GinkgoHelper()
	deliveries := t.Deliveries("hook")
	return t.GetArticle(key).Status.Phase == v1alpha1.PhasePublished && len(deliveries) == 3 &&
		!slices.ContainsFunc(deliveries, func(d v1alpha1.EventDelivery) bool { return d.Status.FinishTime == nil })
}

// expectMadeOnce checks that the article was generated, charged and published once, and every call and request recorded.
func (t *tenant) expectMadeOnce(key client.ObjectKey, at string) {
	GinkgoHelper()
	a := t.GetArticle(key)
	Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished), at)
	Expect(a.Status.Run.State).To(Equal(v1alpha1.RunSucceeded), at)
	Expect(t.Generator.Calls()).To(BeNumerically("<=", a.Status.Run.Attempt), at)
	Expect(t.Revisions()).To(HaveLen(1), at)
	Expect(t.Usage().CreditsUsed).To(Equal(int64(1)), at)
	expectRecorded(t.Receiver.Received(), a.Status.Publication.DeliveryRecord, at)
}

// expectRecorded checks that all requests have the same bytes, and that each is a recorded attempt.
func expectRecorded(requests []testkit.Received, r v1alpha1.DeliveryRecord, at string) {
	GinkgoHelper()
	Expect(r.Cycle).To(And(Not(BeNil()), HaveField("State", v1alpha1.CycleAccepted)), at)
	Expect(len(r.Attempts)).To(BeNumerically("<=", 4), at)
	Expect(len(requests)).To(And(BeNumerically(">=", 1), BeNumerically("<=", len(r.Attempts))), at)
	for _, request := range requests {
		Expect(request.Body).To(Equal(requests[0].Body), at)
	}
}

// expectAllDelivered checks that each of three events was delivered under its own id.
func (t *tenant) expectAllDelivered(hook *testkit.Receiver, at string) {
	GinkgoHelper()
	byID := map[string][]testkit.Received{}
	for _, r := range hook.Received() {
		id := r.Header.Get("Webhook-Id")
		byID[id] = append(byID[id], r)
	}
	deliveries := t.Deliveries("hook")
	Expect(deliveries).To(HaveLen(3), at)
	Expect(byID).To(HaveLen(3), at)
	for i := range deliveries {
		expectRecorded(byID[deliveries[i].Name], deliveries[i].Status.DeliveryRecord, at)
	}
}

// runUntilCut reconciles until the nth write by the controller, lets it happen or not, and fails every call to the API
// server from then on. It reports whether there was such a write.
func (t *tenant) runUntilCut(key client.ObjectKey, when string, nth int) bool {
	GinkgoHelper()
	count, cut := 0, false
	t.Client.Before = func(write string) error {
		// The health of a subscription is kept apart from the article's life.
		if strings.Contains(write, "EventSubscription/") {
			return nil
		}
		count++
		cut = cut || count > nth || (count == nth && when == "before")
		if cut {
			return ErrCutOff
		}
		return nil
	}
	step := func(r reconcile.Reconciler, key client.ObjectKey) bool {
		_, err := r.Reconcile(t.Ctx, Request(key))
		if errors.Is(err, ErrCutOff) || (when == "after" && count == nth) {
			return true
		}
		Expect(err).NotTo(HaveOccurred())
		return false
	}
	for range 30 {
		for _, r := range []reconcile.Reconciler{t.Articles, t.Posts, t.Outbox} {
			if step(r, key) {
				return true
			}
		}
		for _, d := range t.Deliveries("hook") {
			if step(t.EventDeliveries, client.ObjectKeyFromObject(&d)) {
				return true
			}
		}
		t.AwaitWork()
	}
	return false
}
