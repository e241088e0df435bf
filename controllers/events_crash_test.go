package controllers_test

import (
	"errors"
	"fmt"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// The process ends just before, or just after, each write of an article's life and of its three events.
var _ = Describe("A process that ends in the middle of telling events", func() {
	for _, when := range []string{"before", "after"} {
		It("at any write, just "+when+" it, loses no event and sends nothing unrecorded", func() {
			cuts, requests := 0, 0
			for nth := 1; ; nth++ {
				w := newWorld()
				w.createSite(func(s *v1alpha1.Site) { s.Spec.Review.Policy = v1alpha1.ReviewAutomatic })
				hook := w.subscribe("hook")
				key := w.createArticle("shoes", asked, toPublished)
				cut := w.tellUntilCut(key, when, nth)
				w.endEventProcess()
				for range 5 {
					w.settle(key)
					w.tell(key)
					w.clock.Step(20 * time.Minute)
				}
				w.expectAllTold(hook, fmt.Sprintf("%s write %d", when, nth))
				requests += len(hook.received())
				if !cut {
					break
				}
				cuts++
			}
			AddReportEntry("figure", fmt.Sprintf("cut off %s each of %d writes: 0 events lost, %d requests for %d events",
				when, cuts, requests, 3*(cuts+1)))
			Expect(cuts).To(BeNumerically(">=", 15))
		})
	}
})

// expectAllTold checks that each of three events was delivered, and every request recorded.
func (w *world) expectAllTold(hook *receiver, when string) {
	GinkgoHelper()
	deliveries := w.deliveries("hook")
	Expect(deliveries).To(HaveLen(3), when)
	requests, bodies := map[string]int{}, map[string]string{}
	for _, r := range hook.received() {
		id := r.header.Get("Webhook-Id")
		requests[id]++
		if body, again := bodies[id]; again {
			Expect(r.body).To(Equal(body), when)
		}
		bodies[id] = r.body
	}
	for i := range deliveries {
		c := deliveries[i].Status.Cycle
		Expect(c).NotTo(BeNil(), when)
		Expect(c.State).To(Equal(v1alpha1.CycleDelivered), when)
		Expect(requests[deliveries[i].Name]).To(And(BeNumerically(">=", 1), BeNumerically("<=", len(deliveries[i].Status.Attempts))), when)
		Expect(len(deliveries[i].Status.Attempts)).To(BeNumerically("<=", 4), when)
	}
}

// tellUntilCut reconciles everything until the nth write, lets it happen or not, and fails every call from then on.
func (w *world) tellUntilCut(key client.ObjectKey, when string, nth int) bool {
	GinkgoHelper()
	count, cut := 0, false
	w.client.before = func(write string) error {
		if strings.Contains(write, "Account/") || strings.Contains(write, "EventSubscription/") {
			return nil
		}
		count++
		cut = cut || count > nth || (count == nth && when == "before")
		if cut {
			return errCutOff
		}
		return nil
	}
	step := func(r reconcile.Reconciler, key client.ObjectKey) bool {
		_, err := r.Reconcile(w.ctx, request(key))
		if errors.Is(err, errCutOff) || (when == "after" && count == nth) {
			return true
		}
		Expect(err).NotTo(HaveOccurred())
		return false
	}
	for range 30 {
		for _, r := range []reconcile.Reconciler{w.article, w.generation, w.publication, w.outbox} {
			if step(r, key) {
				return true
			}
		}
		for _, d := range w.deliveries("hook") {
			if step(w.eventDeliveries, client.ObjectKeyFromObject(&d)) {
				return true
			}
		}
		w.awaitWork()
	}
	return false
}

func (w *world) awaitWork() {
	for w.generation.Runs.Len()+w.publication.Deliveries.Len()+w.eventDeliveries.Deliveries.Len() > 0 {
		<-w.woken
	}
}

// endEventProcess lets the network bring to its end what the ended process has on the wire, and begins another.
func (w *world) endEventProcess() {
	w.awaitWork()
	w.client.before = func(string) error { return nil }
	w.restart()
}
