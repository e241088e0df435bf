package controllers_test

import (
	"context"
	"net/http"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

var _ = Describe("A controller that is stopped", func() {
	It("waits for a delivery in progress and records it", func() {
		w := newWorld()
		w.createSite()
		held, proceed := make(chan struct{}), make(chan struct{})
		w.receiver.Answers(func(int, http.ResponseWriter) {
			close(held)
			<-proceed
		})
		key := w.createArticle("hello", withText("Hello", "First post."), approvedInManifest, toBePublished)
		for w.Publication.Engine.Calls.Len() == 0 {
			w.Reconcile(key)
		}
		<-held
		stopped := w.stop(patience)
		close(proceed)
		Expect(<-stopped).To(Succeed())
		Expect(w.get(key).Status.Publication.State).To(Equal(v1alpha1.PublicationPublished))
	})

	It("records what has ended although something else does not end in time", func() {
		w := newWorld()
		w.createSite()
		stuck := testkit.NewReceiver()
		proceed := make(chan struct{})
		answer := sync.OnceFunc(func() { close(proceed) })
		DeferCleanup(answer)
		stuck.Answers(func(int, http.ResponseWriter) { <-proceed })
		w.createSite(func(s *v1alpha1.Site) { s.Name, s.Spec.CMS.Headless.URL = "stuck", stuck.URL })
		hangs := w.createArticle("hangs", withText("Hangs", "Text."), approvedInManifest, ofSite("stuck"))
		ends := w.createArticle("ends", withText("Ends", "Text."), approvedInManifest)
		for _, key := range []client.ObjectKey{hangs, ends} {
			w.makeReady(key)
			publishing().reconcile(w, key)
		}
		Expect(<-w.Notified).To(Equal(ends))
		Expect(<-w.stop(time.Nanosecond)).To(Succeed())
		Expect(w.get(ends).Status.Publication.State).To(Equal(v1alpha1.PublicationPublished))
		Expect(w.get(hangs).Status.Publication.State).To(Equal(v1alpha1.PublicationDelivering))
		answer()
		w.awaitWork()
	})

	It("waits for a test of a connection and records it", func() {
		w := newWorld()
		w.createSite()
		held, proceed := make(chan struct{}), make(chan struct{})
		w.receiver.Answers(func(int, http.ResponseWriter) {
			close(held)
			<-proceed
		})
		w.askTest("1")
		w.reconcileSite()
		<-held
		stopped := w.stop(patience)
		close(proceed)
		Expect(<-stopped).To(Succeed())
		Expect(conditionOf(w.acme().Status.Conditions, v1alpha1.ConditionConnected)).To(Equal("True/ReceiverAccepted"))
	})

	It("cuts a run of the generator off, so that the next process takes it up at once", func() {
		w := newWorld()
		w.createSite()
		w.generator.Does(func(ctx context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			if call == 1 {
				<-ctx.Done()
				return generate.Result{}, ctx.Err()
			}
			return written(r.Keyword, call), nil
		})
		key := w.createArticle("shoes", withKeyword)
		w.Reconcile(key)
		Expect(<-w.stop(patience)).To(Succeed())
		a := w.get(key)
		Expect(a.Status.Run).To(And(HaveField("State", v1alpha1.RunRetryScheduled), HaveField("Reason", v1alpha1.ReasonStopped)))
		w.restart()
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})

	// kube-apiserver may have the write whose answer nobody waits for.
	It("cuts a run off that it was asked to stop while writing ahead, and does not count the attempt", func() {
		w := newWorld()
		w.createSite()
		w.generator.Does(func(ctx context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			if call == 1 {
				<-ctx.Done()
				return generate.Result{}, ctx.Err()
			}
			return written(r.Keyword, call), nil
		})
		key := w.createArticle("shoes", withKeyword)
		ctx, askToStop := context.WithCancel(w.ctx)
		defer askToStop()
		w.client.after = func(write string) error {
			if write == "update Article/status" {
				askToStop()
			}
			return nil
		}
		_, err := w.Articles.Reconcile(ctx, request(key))
		Expect(err).NotTo(HaveOccurred())
		w.client.after = noFault
		Expect(<-w.stop(patience)).To(Succeed())
		Expect(w.get(key).Status.Run).To(And(HaveField("State", v1alpha1.RunRetryScheduled), HaveField("Reason", v1alpha1.ReasonStopped)))
		w.restart()
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(a.Status.Run.Attempt).To(BeEquivalentTo(1))
	})

	It("begins no run once it was asked to stop", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("shoes", withKeyword)
		ctx, askToStop := context.WithCancel(w.ctx)
		defer askToStop()
		w.client.after = func(write string) error {
			if write == "patch Account/status" {
				askToStop()
			}
			return nil
		}
		_, err := w.Articles.Reconcile(ctx, request(key))
		Expect(err).To(MatchError(context.Canceled))
		w.client.after = noFault
		Expect(w.get(key).Status.Run).To(BeNil())
		w.restart()
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(w.usage().CreditsUsed).To(BeEquivalentTo(1))
	})

	It("does not count an attempt of a run that it cuts off, however often it is stopped", func() {
		const stops = attempts.MaxPerRun + 2
		w := newWorld()
		w.createSite()
		w.generator.Does(func(ctx context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			if call <= stops {
				<-ctx.Done()
				return generate.Result{}, ctx.Err()
			}
			return written(r.Keyword, call), nil
		})
		key := w.createArticle("shoes", withKeyword)
		for range stops {
			w.Reconcile(key)
			Expect(<-w.stop(patience)).To(Succeed())
			Expect(w.get(key).Status.Run.Attempt).To(BeEquivalentTo(1))
			w.restart()
		}
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(a.Status.Run.Attempt).To(BeEquivalentTo(1))
		Expect(w.usage().CreditsUsed).To(BeEquivalentTo(1))
	})
})

// patience is longer than anything takes here.
const patience = 5 * time.Minute

// stop ends the process as the manager does, and waits so long for what is in progress.
func (w *world) stop(wait time.Duration) <-chan error {
	ctx, cancel := context.WithCancel(w.ctx)
	drainer := &controllers.Drainer{
		Articles: w.Articles, Events: w.EventDeliveries, Sites: w.Sites, Wait: wait, Record: patience,
	}
	stopped := make(chan error, 1)
	go func() { stopped <- drainer.Start(ctx) }()
	cancel()
	return stopped
}
