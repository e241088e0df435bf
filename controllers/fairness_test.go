package controllers_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

// fairLimits are the defaults of `pressroom controller`. Those of domains are left out: all receivers of a test have one address.
func fairLimits() inflight.Limits {
	return inflight.Limits{Total: 64, PerAccount: 16, PerHost: 8, Unresponsive: 16}
}

// newFairWorld is a world with these limits.
func newFairWorld(limits inflight.Limits) *world {
	GinkgoHelper()
	w := newWorld()
	w.limits = limits
	w.restart()
	w.removeRequestTimeout()
	return w
}

// neighbor is another account with a workspace of its own, in the same process.
func (w *world) neighbor() *world {
	GinkgoHelper()
	n, id := *w, worlds.Add(1)
	n.namespace, n.account = fmt.Sprintf("blog-%d", id), fmt.Sprintf("acme-%d", id)
	Expect(api.Create(n.ctx, &v1alpha1.Account{ObjectMeta: metav1.ObjectMeta{Name: n.account}})).To(Succeed())
	Expect(api.Create(n.ctx, testkit.NewWorkspace(n.namespace, n.account))).To(Succeed())
	n.createSecret()
	n.createSite()
	return &n
}

var _ = Describe("One account", func() {
	It("with 16 receivers that hang and many articles queued for them delays the publishing of no other", func() {
		const hanging, perSite = 16, 2
		w := newFairWorld(fairLimits())
		proceed := make(chan struct{})
		var queued []client.ObjectKey
		for i := range hanging {
			receiver := testkit.NewReceiver()
			receiver.Answers(func(int, http.ResponseWriter) { <-proceed })
			site := nameOf(stuck, i)
			w.createSite(func(s *v1alpha1.Site) { s.Name, s.Spec.CMS.Headless.URL = site, receiver.URL })
			for n := range perSite {
				queued = append(queued, w.createArticle(nameOf(site, n), withText("Stuck", "Text."), approvedInManifest, toBePublished, ofSite(site)))
			}
		}
		DeferCleanup(func() { close(proceed) }) // before the receivers are closed
		inParallel(len(queued), func(i int) { w.Reconcile(queued[i]) })
		Expect(w.Publication.Engine.Calls.Len()).To(Equal(fairLimits().PerAccount))
		n := w.neighbor()
		for i := range 3 {
			a := n.reconcileUntilPublished(n.createArticle(nameOf("ours", i), withText("Ours", "Text."), approvedInManifest, toBePublished))
			Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		}
		Expect(w.Publication.Engine.Calls.Len()).To(Equal(fairLimits().PerAccount), "none of the others has ended")
	})

	It("with 64 runs due at a model that never answers delays the runs of no other", func() {
		w := newFairWorld(inflight.Limits{Total: 64, PerAccount: 16, PerHost: 32, Unresponsive: 16})
		proceed := make(chan struct{})
		DeferCleanup(func() { close(proceed) })
		w.generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			if r.Keyword == "silence" {
				<-proceed
			}
			return written(r.Keyword, call), nil
		})
		silent := func(a *v1alpha1.Article) { a.Spec.Generate = &v1alpha1.GenerateRequest{Keyword: "silence"} }
		w.createSite(func(s *v1alpha1.Site) { s.Spec.Limits.ArticlesPerDay = new(int32(100)) })
		for i := range 64 {
			w.Reconcile(w.createArticle(fmt.Sprintf("silent-%d", i), silent))
		}
		Expect(w.Generation.Runs.Len()).To(Equal(16))
		n := w.neighbor()
		key := n.createArticle("ours", withKeyword)
		n.Reconcile(key)
		Expect(w.Generation.Runs.Len()).To(BeNumerically(">=", 16))
		Expect(n.get(key).Status.Run).To(HaveField("Attempt", int32(1)), "the run has begun")
		for n.get(key).Status.Revision == nil {
			Expect(<-w.Notified).To(Equal(key), "nothing else has ended")
			n.Reconcile(key)
		}
		Expect(w.Generation.Runs.Len()).To(Equal(16))
	})

	It("with events for many subscriptions has them made in parts", func() {
		w := newWorld()
		w.createSite()
		for i := range 20 {
			w.subscribe(fmt.Sprintf("hook-%d", i), forEvents("Approved"))
		}
		key := w.createArticle("shoes", withText("Shoes", "Text."), approvedInManifest)
		w.reconcileUntilStable(key)
		w.client.Writes()
		result, err := w.Outbox.Reconcile(w.ctx, request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(result.RequeueAfter).To(Equal(time.Millisecond))
		Expect(w.client.Writes()).To(And(HaveLen(16), HaveEach("create EventDelivery")))
		result, err = w.Outbox.Reconcile(w.ctx, request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(result.RequeueAfter).To(BeZero())
		Expect(w.client.Writes()).To(HaveLen(5), "four deliveries, and the outbox")
		Expect(w.get(key).Status.Events).To(HaveEach(HaveField("State", v1alpha1.EventDispatched)))
	})
})

// A backend may panic, such as on an answer that nobody has thought of.
var _ = Describe("An attempt that panics", func() {
	It("of the generator is a failed attempt", func() {
		w := newFairWorld(inflight.Limits{Total: 1})
		w.createSite()
		w.generator.Does(func(context.Context, int, generate.Request, generate.Progress) (generate.Result, error) {
			panic(errors.New("a heading without a text"))
		})
		a := w.reconcileUntilStable(w.createArticle("shoes", withKeyword))
		Expect(a.Status.Run).To(And(HaveField("State", v1alpha1.RunRetryScheduled), HaveField("Reason", v1alpha1.ReasonInvalidAnswer)))
		Expect(a.Status.Run.Message).To(Equal("an internal error ended the attempt; it is in the controller's log"))
		Expect(w.Generation.Runs.Acquire(client.ObjectKey{Name: "next"}, inflight.SlotRequest{})).NotTo(BeNil(), "the slot is free")
	})

	It("of a delivery counts, and is made again", func() {
		w := newFairWorld(inflight.Limits{Total: 1})
		w.createSite()
		w.Publication.HTTP = &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) { panic("as it happens") })}
		a := w.reconcileUntilStable(w.createArticle("shoes", withText("Shoes", "Text."), approvedInManifest, toBePublished))
		Expect(a.Status.Publication.Attempts).To(ConsistOf(And(
			HaveField("Outcome", v1alpha1.AttemptUnknown), HaveField("ErrorClass", v1alpha1.ErrorInterrupted))))
		Expect(a.Status.Publication.Cycle.State).To(Equal(v1alpha1.CycleRetryScheduled))
		Expect(w.Publication.Engine.Calls.Acquire(client.ObjectKey{Name: "next"}, inflight.SlotRequest{})).NotTo(BeNil(), "the slot is free")
	})
})

// reconcileUntilPublished reconciles an article while calls of others are in progress.
func (w *world) reconcileUntilPublished(key client.ObjectKey) *v1alpha1.Article {
	GinkgoHelper()
	for w.get(key).Status.Phase != v1alpha1.PhasePublished {
		w.Reconcile(key)
		if w.get(key).Status.Phase != v1alpha1.PhasePublished {
			Expect(<-w.Notified).To(Equal(key), "nothing else has ended")
		}
	}
	return w.get(key)
}
