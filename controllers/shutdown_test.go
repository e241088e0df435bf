package controllers_test

import (
	"context"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers"
	"github.com/pressroom-dev/pressroom/internal/generate"
)

var _ = Describe("A controller that is stopped", func() {
	It("waits for a delivery on the wire and records it", func() {
		w := newWorld()
		w.createSite()
		held, proceed := make(chan struct{}), make(chan struct{})
		w.receiver.answers(func(int, http.ResponseWriter) {
			close(held)
			<-proceed
		})
		key := w.createArticle("hello", wrote("Hello", "First post."), approvedInManifest, toPublished)
		for w.publication.Deliveries.Len() == 0 {
			w.reconcileAll(key)
		}
		<-held
		stopped := w.stop()
		close(proceed)
		Expect(<-stopped).To(Succeed())
		Expect(w.get(key).Status.Publication.State).To(Equal(v1alpha1.PublicationPublished))
	})

	It("waits for a test of a connection and records it", func() {
		w := newWorld()
		w.createSite()
		held, proceed := make(chan struct{}), make(chan struct{})
		w.receiver.answers(func(int, http.ResponseWriter) {
			close(held)
			<-proceed
		})
		w.askTest("1")
		w.reconcileSite()
		<-held
		stopped := w.stop()
		close(proceed)
		Expect(<-stopped).To(Succeed())
		Expect(conditionOf(w.acme().Status.Conditions, v1alpha1.ConditionConnected)).To(Equal("True/ReceiverAccepted"))
	})

	It("cuts a run of the generator off, so that the next process takes it up at once", func() {
		w := newWorld()
		w.createSite()
		w.generator.does(func(ctx context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			if call == 1 {
				<-ctx.Done()
				return generate.Result{}, ctx.Err()
			}
			return written(r.Keyword, call), nil
		})
		key := w.createArticle("shoes", asked)
		w.reconcileAll(key)
		Expect(<-w.stop()).To(Succeed())
		a := w.get(key)
		Expect(a.Status.Generation).To(And(HaveField("State", v1alpha1.RunRetryScheduled), HaveField("Reason", v1alpha1.ReasonInterrupted)))
		w.restart()
		Expect(w.settle(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})
})

// stop ends the process as the manager does.
func (w *world) stop() <-chan error {
	ctx, cancel := context.WithCancel(w.ctx)
	drainer := &controllers.Drainer{Generation: w.generation, Publication: w.publication, Events: w.eventDeliveries, Sites: w.sites}
	stopped := make(chan error, 1)
	go func() { stopped <- drainer.Start(ctx) }()
	cancel()
	return stopped
}
