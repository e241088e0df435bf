package controllers_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
)

// Nothing that a process keeps in memory may stay there when nobody is going to ask for it.
var _ = Describe("The result of an attempt", func() {
	for _, c := range channels() {
		state := func(w *world, key client.ObjectKey) inflight.State {
			GinkgoHelper()
			attempts := recordOf(c.object(w, key)).Attempts
			_, s := c.deliveries(w).Look(attempts[len(attempts)-1].ID)
			return s
		}

		It("is forgotten where the object is gone, at "+c.name, func() {
			w := newWorld()
			answer := w.holdReceiver()
			c.target(w, "acme", w.receiver.URL)
			for _, when := range []string{"in progress", "answered"} {
				key := c.due(w, "gone-"+strings.ReplaceAll(when, " ", "-"), "acme")
				c.reconcile(w, key)
				id := recordOf(c.object(w, key)).Attempts[0].ID
				if when == "answered" {
					w.awaitWork()
				}
				Expect(api.Delete(w.ctx, c.object(w, key))).To(Succeed())
				c.reconcile(w, key)
				answer()
				w.awaitWork()
				c.reconcile(w, key)
				_, state := c.deliveries(w).Look(id)
				Expect(state).To(Equal(inflight.Unknown), when)
			}
			Expect(w.receiver.Received()).To(HaveLen(2), "what is in progress is not cut off")
		})

		It("is forgotten where the answer to its recording was lost, at "+c.name, func() {
			w := newWorld()
			c.target(w, "acme", w.receiver.URL)
			key := c.due(w, "told", "acme")
			c.reconcile(w, key)
			w.awaitWork()
			w.losesAnswers()
			_, err := c.reconciler(w).Reconcile(w.ctx, request(key))
			Expect(err).To(MatchError(errCutOff))
			w.client.after = noFault
			Expect(state(w, key)).To(Equal(inflight.Done))
			c.reconcile(w, key)
			Expect(state(w, key)).To(Equal(inflight.Unknown))
		})
	}

	It("is forgotten where what it says of a subscription could not be written at first", func() {
		w := newWorld()
		w.receiver.AnswersStatus(http.StatusGone)
		c := eventChannel()
		c.target(w, "hook", w.receiver.URL)
		key := c.due(w, "told", "hook")
		c.reconcile(w, key)
		w.awaitWork()
		w.client.before = func(write string) error {
			if strings.Contains(write, "EventSubscription/") {
				return errCutOff
			}
			return nil
		}
		_, err := w.EventDeliveries.Reconcile(w.ctx, request(key))
		Expect(err).To(MatchError(errCutOff))
		w.client.before = noFault
		id := recordOf(c.object(w, key)).Attempts[0].ID
		for _, want := range []inflight.State{inflight.Done, inflight.Unknown} {
			c.reconcile(w, key) // first it is recorded, then seen to be
			_, state := w.EventDeliveries.Engine.Calls.Look(id)
			Expect(state).To(Equal(want))
		}
	})

	It("is forgotten where the site that was tested is gone", func() {
		w := newWorld()
		answer := w.holdReceiver()
		w.createSite()
		w.askTest("1")
		w.reconcileSite()
		site := w.acme()
		Expect(api.Delete(w.ctx, site)).To(Succeed())
		w.reconcileSite()
		answer()
		<-w.Notified
		_, state := w.Sites.Engine.Calls.Look(site.Status.ConnectionTest.ID)
		Expect(state).To(Equal(inflight.Unknown))
	})

	It("is forgotten when a test of a connection is recorded", func() {
		w := newWorld()
		w.createSite()
		w.askTest("1")
		w.reconcileSiteUntilStable()
		w.reconcileSite()
		_, state := w.Sites.Engine.Calls.Look(w.acme().Status.ConnectionTest.ID)
		Expect(state).To(Equal(inflight.Unknown))
	})

	It("of the generator is forgotten where the article is gone, and its run gives its place up at once", func() {
		w := newWorld()
		w.limits = inflight.Limits{Total: 1, PerHost: 1}
		w.restart()
		w.createSite()
		w.generator.Does(func(ctx context.Context, _ int, _ generate.Request, _ generate.Progress) (generate.Result, error) {
			<-ctx.Done()
			return generate.Result{}, ctx.Err()
		})
		key := w.createArticle("gone", withKeyword)
		for w.Generation.Runs.Len() == 0 {
			w.Reconcile(key)
		}
		a := w.get(key)
		Expect(api.Delete(w.ctx, a)).To(Succeed())
		w.Reconcile(key)
		Expect(<-w.Notified).To(Equal(key))
		Expect(w.runState(a)).To(Equal(inflight.Unknown))
		Expect(w.Generation.Runs.Acquire(client.ObjectKey{Name: "next"}, inflight.SlotRequest{Host: "model"})).NotTo(BeNil())
	})

	It("of the generator is forgotten when it is recorded, also where the answer to that was lost", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("shoes", withKeyword)
		for w.get(key).Status.Run == nil {
			w.Reconcile(key)
		}
		w.awaitWork()
		w.losesAnswers()
		_, err := w.Articles.Reconcile(w.ctx, request(key))
		Expect(err).To(MatchError(errCutOff))
		w.client.after = noFault
		a := w.get(key)
		Expect(a.Status.Run.State).To(Equal(v1alpha1.RunSucceeded))
		Expect(w.runState(a)).To(Equal(inflight.Done))
		w.Reconcile(key)
		Expect(w.runState(a)).To(Equal(inflight.Unknown))
	})

	It("of the generator is never that of an earlier article of the same name", func() {
		w := newWorld()
		w.createSite()
		proceed := []chan struct{}{make(chan struct{}), make(chan struct{})}
		w.generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			<-proceed[call-1]
			return written(r.Keyword, call), nil
		})
		var key client.ObjectKey
		for n := range proceed {
			key = w.createArticle("shoes", withKeyword)
			for w.generator.Calls() == n {
				w.Reconcile(key)
			}
			if n == 0 {
				Expect(api.Delete(w.ctx, w.get(key))).To(Succeed())
			}
		}
		close(proceed[0])
		Expect(<-w.Notified).To(Equal(key))
		Expect(w.runState(w.get(key))).To(Equal(inflight.Running))
		close(proceed[1])
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})
})

// holdReceiver has the world's receiver answer nothing until the function is called.
func (w *world) holdReceiver() func() {
	proceed := make(chan struct{})
	answer := sync.OnceFunc(func() { close(proceed) })
	DeferCleanup(answer)
	w.receiver.Answers(func(int, http.ResponseWriter) { <-proceed })
	return answer
}

// holdGenerator has the generator answer nothing until the function is called.
func (w *world) holdGenerator() func() {
	proceed := make(chan struct{})
	answer := sync.OnceFunc(func() { close(proceed) })
	DeferCleanup(answer)
	w.generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
		<-proceed
		return written(r.Keyword, call), nil
	})
	return answer
}

// losesAnswers has kube-apiserver make writes of status whose answer does not arrive.
func (w *world) losesAnswers() {
	w.client.after = func(write string) error {
		if strings.HasSuffix(write, "/status") {
			return errCutOff
		}
		return nil
	}
}

// runState says how the process's work for an article's run stands.
func (w *world) runState(a *v1alpha1.Article) inflight.State {
	g := a.Status.Run
	_, state := w.Generation.Runs.Look(fmt.Sprintf("%s#%s#%d", a.UID, g.Name, g.Attempt))
	return state
}
