package controllers_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// Nothing that a process keeps in memory may stay there when nobody is going to ask for it.
var _ = Describe("The result of an attempt", func() {
	for _, c := range channels() {
		state := func(t *tenant, key client.ObjectKey) inflight.State {
			GinkgoHelper()
			attempts := recordOf(c.object(t, key)).Attempts
			_, s := c.deliveries(t).Look(attempts[len(attempts)-1].ID)
			return s
		}

		It("is forgotten where the object is gone, at "+c.name, func() {
			t := newTenant()
			answer := t.HoldReceiver()
			c.target(t, "acme", t.Receiver.URL)
			for _, when := range []string{"in progress", "answered"} {
				key := c.due(t, "gone-"+strings.ReplaceAll(when, " ", "-"), "acme")
				c.reconcile(t, key)
				id := recordOf(c.object(t, key)).Attempts[0].ID
				if when == "answered" {
					t.AwaitWork()
				}
				Expect(api.Delete(t.Ctx, c.object(t, key))).To(Succeed())
				c.reconcile(t, key)
				answer()
				t.AwaitWork()
				c.reconcile(t, key)
				_, state := c.deliveries(t).Look(id)
				Expect(state).To(Equal(inflight.Unknown), when)
			}
			Expect(t.Receiver.Received()).To(HaveLen(2), "what is in progress is not cut off")
		})

		It("is forgotten where the answer to its recording was lost, at "+c.name, func() {
			t := newTenant()
			c.target(t, "acme", t.Receiver.URL)
			key := c.due(t, "told", "acme")
			c.reconcile(t, key)
			t.AwaitWork()
			t.losesAnswers()
			_, err := c.reconciler(t).Reconcile(t.Ctx, Request(key))
			Expect(err).To(MatchError(ErrCutOff))
			t.Client.After = NoFault
			Expect(state(t, key)).To(Equal(inflight.Done))
			c.reconcile(t, key)
			Expect(state(t, key)).To(Equal(inflight.Unknown))
		})
	}

	It("is forgotten where what it says of a subscription could not be written at first", func() {
		t := newTenant()
		t.Receiver.AnswersStatus(http.StatusGone)
		c := eventChannel()
		c.target(t, "hook", t.Receiver.URL)
		key := c.due(t, "told", "hook")
		c.reconcile(t, key)
		t.AwaitWork()
		t.Client.Before = func(write string) error {
			if strings.Contains(write, "EventSubscription/") {
				return ErrCutOff
			}
			return nil
		}
		_, err := t.EventDeliveries.Reconcile(t.Ctx, Request(key))
		Expect(err).To(MatchError(ErrCutOff))
		t.Client.Before = NoFault
		id := recordOf(c.object(t, key)).Attempts[0].ID
		for _, want := range []inflight.State{inflight.Done, inflight.Unknown} {
			c.reconcile(t, key) // first it is recorded, then seen to be
			_, state := t.EventDeliveries.Engine.Calls.Look(id)
			Expect(state).To(Equal(want))
		}
	})

	It("is forgotten where the site that was tested is gone", func() {
		t := newTenant()
		answer := t.HoldReceiver()
		t.CreateSite()
		t.RequestTest("1")
		t.ReconcileSite()
		site := t.GetSite()
		Expect(api.Delete(t.Ctx, site)).To(Succeed())
		t.ReconcileSite()
		answer()
		<-t.Notified
		_, state := t.Sites.Engine.Calls.Look(site.Status.ConnectionTest.ID)
		Expect(state).To(Equal(inflight.Unknown))
	})

	It("is forgotten when a test of a connection is recorded", func() {
		t := newTenant()
		t.CreateSite()
		t.RequestTest("1")
		t.ReconcileSiteUntilStable()
		t.ReconcileSite()
		_, state := t.Sites.Engine.Calls.Look(t.GetSite().Status.ConnectionTest.ID)
		Expect(state).To(Equal(inflight.Unknown))
	})

	It("of the generator is forgotten where the article is gone, and its run gives its place up at once", func() {
		t := newTenantWithOneSlot()
		t.CreateSite()
		t.Generator.Does(func(ctx context.Context, _ int, _ generate.Request, _ generate.Progress) (generate.Result, error) {
			<-ctx.Done()
			return generate.Result{}, ctx.Err()
		})
		key := t.CreateArticle("gone", WithKeyword)
		for t.Generation.Engine.Calls.Len() == 0 {
			t.Reconcile(key)
		}
		a := t.GetArticle(key)
		Expect(api.Delete(t.Ctx, a)).To(Succeed())
		t.Reconcile(key)
		Expect(<-t.Notified).To(Equal(key))
		Expect(t.runState(a)).To(Equal(inflight.Unknown))
		Expect(t.Generation.Engine.Calls.Acquire(client.ObjectKey{Name: "next"}, inflight.SlotRequest{Host: "model"})).NotTo(BeNil())
	})

	It("of the generator is forgotten when it is recorded, also where the answer to that was lost", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword)
		for t.GetArticle(key).Status.Run == nil {
			t.Reconcile(key)
		}
		t.AwaitWork()
		t.losesAnswers()
		_, err := t.Articles.Reconcile(t.Ctx, Request(key))
		Expect(err).To(MatchError(ErrCutOff))
		t.Client.After = NoFault
		a := t.GetArticle(key)
		Expect(a.Status.Run.State).To(Equal(v1alpha1.RunSucceeded))
		Expect(t.runState(a)).To(Equal(inflight.Done))
		t.Reconcile(key)
		Expect(t.runState(a)).To(Equal(inflight.Unknown))
	})

	It("of the generator is never that of an earlier article of the same name", func() {
		t := newTenant()
		t.CreateSite()
		proceed := []chan struct{}{make(chan struct{}), make(chan struct{})}
		t.Generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			<-proceed[call-1]
			return Written(r.Keyword, call), nil
		})
		var key client.ObjectKey
		for n := range proceed {
			key = t.CreateArticle("shoes", WithKeyword)
			for t.Generator.Calls() == n {
				t.Reconcile(key)
			}
			if n == 0 {
				Expect(api.Delete(t.Ctx, t.GetArticle(key))).To(Succeed())
			}
		}
		close(proceed[0])
		Expect(<-t.Notified).To(Equal(key))
		Expect(t.runState(t.GetArticle(key))).To(Equal(inflight.Running))
		close(proceed[1])
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})
})

// losesAnswers has kube-apiserver make writes of status whose answer does not arrive.
func (t *tenant) losesAnswers() {
	t.Client.After = func(write string) error {
		if strings.HasSuffix(write, "/status") {
			return ErrCutOff
		}
		return nil
	}
}

// runState says how the process's work for an article's run stands.
func (t *tenant) runState(a *v1alpha1.Article) inflight.State {
	g := a.Status.Run
	_, state := t.Generation.Engine.Calls.Look(fmt.Sprintf("%s#%s#%d#%s", a.UID, g.Name, g.Attempt, g.Holder))
	return state
}
