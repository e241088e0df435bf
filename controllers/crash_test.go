package controllers_test

import (
	"errors"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// An article's life has so many writes by the controller: run ahead, revision, generated, attempt ahead, accepted.
const controllerWrites = 5

// The process ends just before, or just after, each write of an article's life. Whatever was in its memory is gone; the
// next process must bring the article to the same end.
var _ = Describe("A process that ends in the middle", func() {
	for _, when := range []string{"before", "after"} {
		for nth := 1; nth <= controllerWrites; nth++ {
			It(fmt.Sprintf("%s write %d loses nothing and sends nothing unrecorded", when, nth), func() {
				w := newWorld()
				w.createSite(func(s *v1alpha1.Site) { s.Spec.Review.Policy = v1alpha1.ReviewAutomatic })
				key := w.createArticle("shoes", asked, toPublished)
				Expect(w.runUntilCut(key, when, nth)).To(BeTrue(), "the process was not cut off")
				w.endProcess()
				a := w.settle(key)
				for range 4 {
					w.clock.Step(20 * time.Minute)
					a = w.settle(key)
				}
				Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
				Expect(a.Status.Generation.State).To(Equal(v1alpha1.RunSucceeded))
				Expect(w.revisions()).To(HaveLen(1))
				Expect(w.usage().CreditsUsed).To(Equal(int64(1)))
				attempts := a.Status.Publication.Attempts
				Expect(len(w.receiver.received())).To(BeNumerically("<=", len(attempts)), "every request is recorded")
				Expect(len(attempts)).To(BeNumerically("<=", 4))
				for _, r := range w.receiver.received() {
					Expect(r.body).To(Equal(w.receiver.received()[0].body))
				}
			})
		}
	}
})

// runUntilCut reconciles until the nth write by the controller, lets it happen or not, and fails every call to the API
// server from then on.
func (w *world) runUntilCut(key client.ObjectKey, when string, nth int) bool {
	GinkgoHelper()
	count, cut := 0, false
	w.client.before = func(write string) error {
		if write == "update Account/status" || write == "patch Account/status" {
			return nil
		}
		count++
		if cut || count > nth || (count == nth && when == "before") {
			cut = true
			return errCutOff
		}
		return nil
	}
	for range 50 {
		for _, r := range []reconcile.Reconciler{w.article, w.generation, w.publication} {
			_, err := r.Reconcile(w.ctx, request(key))
			if errors.Is(err, errCutOff) || (when == "after" && count == nth) {
				return true
			}
			Expect(err).NotTo(HaveOccurred())
		}
		for w.generation.Runs.Len()+w.publication.Deliveries.Len() > 0 {
			<-w.woken
		}
	}
	return false
}

// endProcess waits for what the ended process still has on the wire, as the network would bring it to its end, and begins
// another that knows nothing of it.
func (w *world) endProcess() {
	for w.generation.Runs.Len()+w.publication.Deliveries.Len() > 0 {
		<-w.woken
	}
	w.client.before = func(string) error { return nil }
	w.restart()
}
