package controllers_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// fairLimits are the defaults of `pressroom controller`. Those of domains are left out: all receivers of a test have one address.
func fairLimits() inflight.Limits {
	return inflight.Limits{Total: 64, PerAccount: 16, PerHost: 8, Unresponsive: 16}
}

// newFairTenant is a tenant with these limits.
func newFairTenant(limits inflight.Limits) *tenant {
	GinkgoHelper()
	t := newTenant()
	t.Limits = limits
	t.Restart()
	t.removeRequestTimeout()
	return t
}

var _ = Describe("One account", func() {
	It("with 16 receivers that hang and many articles queued for them delays the publishing of no other", func() {
		const hanging, perSite = 16, 2
		t := newFairTenant(fairLimits())
		proceed := make(chan struct{})
		var queued []client.ObjectKey
		for i := range hanging {
			receiver := testkit.NewReceiver()
			receiver.Answers(func(int, http.ResponseWriter) { <-proceed })
			site := nameOf(stuck, i)
			t.CreateSite(func(s *v1alpha1.Site) { s.Name, s.Spec.CMS.Headless.URL = site, receiver.URL })
			for n := range perSite {
				queued = append(queued, t.CreateArticle(nameOf(site, n), WithText("Stuck", "Text."), ApprovedInManifest, ToBePublished, OfSite(site)))
			}
		}
		DeferCleanup(func() { close(proceed) }) // before the receivers are closed
		inParallel(len(queued), func(i int) { t.Reconcile(queued[i]) })
		Expect(t.Publication.Engine.Calls.Len()).To(Equal(fairLimits().PerAccount))
		n := t.neighbor()
		for i := range 3 {
			a := n.reconcileUntilPublished(n.CreateArticle(nameOf("ours", i), WithText("Ours", "Text."), ApprovedInManifest, ToBePublished))
			Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		}
		Expect(t.Publication.Engine.Calls.Len()).To(Equal(fairLimits().PerAccount), "none of the others has ended")
	})

	It("with as many runs due at a model that never answers as there are slots delays the runs of no other", func() {
		const slots = 24
		t := newFairTenant(inflight.Limits{Total: slots, PerAccount: 16, PerHost: 32, Unresponsive: 16})
		proceed := make(chan struct{})
		DeferCleanup(func() { close(proceed) })
		t.Generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			if r.Keyword == "silence" {
				<-proceed
			}
			return Written(r.Keyword, call), nil
		})
		silent := func(a *v1alpha1.Article) { a.Spec.Generate = &v1alpha1.GenerateRequest{Keyword: "silence"} }
		t.CreateSite(func(s *v1alpha1.Site) { s.Spec.Limits.ArticlesPerDay = new(int32(100)) })
		for i := range slots {
			t.Reconcile(t.CreateArticle(fmt.Sprintf("silent-%d", i), silent))
		}
		Expect(t.Generation.Engine.Calls.Len()).To(Equal(16))
		n := t.neighbor()
		key := n.CreateArticle("ours", WithKeyword)
		n.Reconcile(key)
		Expect(t.Generation.Engine.Calls.Len()).To(BeNumerically(">=", 16))
		Expect(n.GetArticle(key).Status.Run).To(HaveField("Attempt", int32(1)), "the run has begun")
		for n.GetArticle(key).Status.Revision == nil {
			Expect(<-t.Notified).To(Equal(key), "nothing else has ended")
			n.Reconcile(key)
		}
		Expect(t.Generation.Engine.Calls.Len()).To(Equal(16))
	})

	It("with events for many subscriptions has them made in parts", func() {
		t := newTenant()
		t.CreateSite()
		for i := range 20 {
			t.Subscribe(fmt.Sprintf("hook-%d", i), ForEvents("Approved"))
		}
		key := t.CreateArticle("shoes", WithText("Shoes", "Text."), ApprovedInManifest)
		t.ReconcileUntilStable(key)
		t.Client.Writes()
		result, err := t.Outbox.Reconcile(t.Ctx, Request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(result.RequeueAfter).To(Equal(time.Millisecond))
		Expect(t.Client.Writes()).To(And(HaveLen(16), HaveEach("create EventDelivery")))
		result, err = t.Outbox.Reconcile(t.Ctx, Request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(result.RequeueAfter).To(BeZero())
		Expect(t.Client.Writes()).To(HaveLen(5), "four deliveries, and the outbox")
		Expect(t.GetArticle(key).Status.Transitions).NotTo(ContainElement(HaveField("Dispatch", v1alpha1.DispatchPending)))
	})
})

// A backend may panic, such as on an answer that nobody has thought of.
var _ = Describe("An attempt that panics", func() {
	It("of the generator is a failed attempt", func() {
		t := newFairTenant(inflight.Limits{Total: 1})
		t.CreateSite()
		t.Generator.Does(func(context.Context, int, generate.Request, generate.Progress) (generate.Result, error) {
			panic(errors.New("a heading without a text"))
		})
		a := t.ReconcileUntilStable(t.CreateArticle("shoes", WithKeyword))
		Expect(a.Status.Run).To(And(HaveField("State", v1alpha1.RunRetryScheduled), HaveField("Reason", v1alpha1.ReasonInvalidAnswer)))
		Expect(a.Status.Run.Message).To(Equal("an internal error ended the attempt; it is in the controller's log"))
		Expect(t.Generation.Engine.Calls.Acquire(client.ObjectKey{Name: "next"}, inflight.SlotRequest{})).NotTo(BeNil(), "the slot is free")
	})

	It("of a delivery counts, and is made again", func() {
		t := newFairTenant(inflight.Limits{Total: 1})
		t.CreateSite()
		t.Publication.HTTP = &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) { panic("as it happens") })}
		a := t.ReconcileUntilStable(t.CreateArticle("shoes", WithText("Shoes", "Text."), ApprovedInManifest, ToBePublished))
		Expect(a.Status.Publication.Attempts).To(ConsistOf(And(
			HaveField("Outcome", v1alpha1.AttemptUnknown), HaveField("ErrorClass", v1alpha1.ErrorInterrupted))))
		Expect(a.Status.Publication.Cycle.State).To(Equal(v1alpha1.CycleRetryScheduled))
		Expect(t.Publication.Engine.Calls.Acquire(client.ObjectKey{Name: "next"}, inflight.SlotRequest{})).NotTo(BeNil(), "the slot is free")
	})
})

// reconcileUntilPublished reconciles an article while calls of others are in progress.
func (t *tenant) reconcileUntilPublished(key client.ObjectKey) *v1alpha1.Article {
	GinkgoHelper()
	for t.GetArticle(key).Status.Phase != v1alpha1.PhasePublished {
		t.Reconcile(key)
		if t.GetArticle(key).Status.Phase != v1alpha1.PhasePublished {
			Expect(<-t.Notified).To(Equal(key), "nothing else has ended")
		}
	}
	return t.GetArticle(key)
}

var _ = Describe("Requests that kube-apiserver does not answer", func() {
	It("for the articles that one account's ledger names delay the ledger of no other", func() {
		t := newTenant()
		n := t.neighbor()
		came := t.requests.hang("/namespaces/" + t.Namespace + "/articles/never")
		// The manager watches one workspace.
		charge := func(account, article string) {
			l := &v1alpha1.AccountLedger{}
			Expect(api.Get(t.Ctx, client.ObjectKey{Name: account}, l)).To(Succeed())
			old := l.DeepCopy()
			c := t.GenerateCharge(article)
			l.Spec.CreditsUsed = 1
			l.Spec.Pending = []v1alpha1.PendingCharge{{Run: c.Run, Workspace: c.Workspace, Article: article, Site: c.Site, Time: v1alpha1.NewMicroTime(Started)}}
			Expect(api.Patch(t.Ctx, l, client.MergeFrom(old))).To(Succeed())
		}
		charge(t.Account, "never")
		t.Clock.Step(time.Hour)
		DeferCleanup(t.startManager(func(o *controllers.Options) { o.Clock = t.Clock }))
		Eventually(came).Should(BeNumerically(">", 0))
		charge(n.Account, "gone")
		Eventually(n.Usage).Should(Used(0))
		Expect(t.Usage().Pending).To(HaveLen(1))
	})

	It("for the Secret of one site delay no other site", func() {
		t := newTenant()
		came := t.requests.hang("/secrets/silent")
		t.CreateSite(func(s *v1alpha1.Site) { s.Name, s.Spec.CMS.Headless.SigningSecretRef.Name = "silent", "silent" })
		DeferCleanup(t.startManager())
		Eventually(came).Should(BeNumerically(">", 0))
		t.CreateSite()
		Eventually(func() string { return ConditionOf(t.GetSite().Status.Conditions, v1alpha1.ConditionReady) }).Should(Equal("True/Configured"))
	})
})
