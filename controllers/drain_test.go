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
	"github.com/pressroom-dev/pressroom/internal/lifecycle/backoff"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

var _ = Describe("A controller that is stopped", func() {
	DescribeTable("waits for what is in progress and records it", func(begin, expectRecorded func(t *tenant, hello client.ObjectKey)) {
		t := newTenant()
		t.CreateSite()
		held, proceed := make(chan struct{}), make(chan struct{})
		t.Receiver.Answers(func(int, http.ResponseWriter) {
			close(held)
			<-proceed
		})
		hello := client.ObjectKey{Namespace: t.Namespace, Name: "hello"}
		begin(t, hello)
		<-held
		stopped := t.stop(patience)
		close(proceed)
		Expect(<-stopped).To(Succeed())
		expectRecorded(t, hello)
	},
		Entry("a delivery", func(t *tenant, hello client.ObjectKey) {
			t.CreateArticle(hello.Name, WithText("Hello", "First post."), ApprovedInManifest, ToBePublished)
			for t.Publication.Engine.Calls.Len() == 0 {
				t.Reconcile(hello)
			}
		}, func(t *tenant, hello client.ObjectKey) {
			Expect(t.GetArticle(hello).Status.Publication.Post.State).To(Equal(v1alpha1.PostPresent))
		}),
		Entry("a test of a connection", func(t *tenant, _ client.ObjectKey) {
			t.RequestTest("1")
			t.ReconcileSite()
		}, func(t *tenant, _ client.ObjectKey) {
			Expect(ConditionOf(t.GetSite().Status.Conditions, v1alpha1.ConditionConnected)).To(Equal("True/ReceiverAccepted"))
		}),
	)

	It("writes the tokens that the ledger does not have yet", func() {
		t := newTenant()
		t.CreateSite()
		shoes := t.CreateArticle("shoes", WithKeyword)
		Expect(t.ReconcileUntilStable(shoes).Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(t.Usage().Sites).To(ConsistOf(HaveField("Tokens", BeZero())))
		Expect(<-t.stop(patience)).To(Succeed())
		Expect(t.Usage().Sites).To(ConsistOf(HaveField("Tokens", int64(1100))))
	})

	It("records what has ended although something else does not end in time", func() {
		t := newTenant()
		t.CreateSite()
		stuck := testkit.NewReceiver()
		proceed := make(chan struct{})
		answer := sync.OnceFunc(func() { close(proceed) })
		DeferCleanup(answer)
		stuck.Answers(func(int, http.ResponseWriter) { <-proceed })
		t.CreateSite(func(s *v1alpha1.Site) { s.Name, s.Spec.CMS.Headless.URL = "stuck", stuck.URL })
		hangs := t.CreateArticle("hangs", WithText("Hangs", "Text."), ApprovedInManifest, OfSite("stuck"))
		ends := t.CreateArticle("ends", WithText("Ends", "Text."), ApprovedInManifest)
		for _, key := range []client.ObjectKey{hangs, ends} {
			t.makeReady(key)
			publishing().reconcile(t, key)
		}
		Expect(<-t.Notified).To(Equal(ends))
		Expect(<-t.stop(time.Nanosecond)).To(Succeed())
		Expect(t.GetArticle(ends).Status.Publication.Post.State).To(Equal(v1alpha1.PostPresent))
		Expect(t.GetArticle(hangs).Status.Publication.Cycle.State).To(Equal(v1alpha1.CycleInProgress))
		answer()
		t.AwaitWork()
	})

	// kube-apiserver may have the write whose answer nobody waits for.
	It("cuts a run off that it was asked to stop while writing ahead, and does not count the attempt", func() {
		t := newTenant()
		t.CreateSite()
		t.runUntilCutOff(1)
		key := t.CreateArticle("shoes", WithKeyword)
		ctx, askToStop := context.WithCancel(t.Ctx)
		defer askToStop()
		t.Client.After = func(write string) error {
			if write == "update Article/status" {
				askToStop()
			}
			return nil
		}
		_, err := t.Articles.Reconcile(ctx, Request(key))
		Expect(err).NotTo(HaveOccurred())
		t.Client.After = NoFault
		Expect(<-t.stop(patience)).To(Succeed())
		Expect(t.GetArticle(key).Status.Run).To(And(HaveField("State", v1alpha1.RunRetryScheduled), HaveField("Reason", v1alpha1.ReasonStopped)))
		t.Restart()
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(a.Status.Run.Attempt).To(BeEquivalentTo(1))
	})

	It("begins no run once it was asked to stop", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword)
		ctx, askToStop := context.WithCancel(t.Ctx)
		defer askToStop()
		t.Client.After = func(write string) error {
			if write == "patch AccountLedger" {
				askToStop()
			}
			return nil
		}
		_, err := t.Articles.Reconcile(ctx, Request(key))
		Expect(err).To(MatchError(context.Canceled))
		t.Client.After = NoFault
		Expect(t.GetArticle(key).Status.Run).To(BeNil())
		t.Restart()
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(t.Usage().CreditsUsed).To(BeEquivalentTo(1))
	})

	It("cuts a run off, which the next process takes up at once, and does not count the attempt, however often it is stopped", func() {
		const stops = backoff.MaxRunAttempts + 2
		t := newTenant()
		t.CreateSite()
		t.runUntilCutOff(stops)
		key := t.CreateArticle("shoes", WithKeyword)
		for range stops {
			t.Reconcile(key)
			Expect(<-t.stop(patience)).To(Succeed())
			Expect(t.GetArticle(key).Status.Run).To(And(
				HaveField("State", v1alpha1.RunRetryScheduled), HaveField("Reason", v1alpha1.ReasonStopped), HaveField("Attempt", int32(1))))
			t.Restart()
		}
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(a.Status.Run.Attempt).To(BeEquivalentTo(1))
		Expect(t.Usage().CreditsUsed).To(BeEquivalentTo(1))
	})
})

// patience is longer than anything takes here.
const patience = 5 * time.Minute

// runUntilCutOff has the first calls of the model go on until they are cut off.
func (t *tenant) runUntilCutOff(calls int) {
	t.Generator.Does(func(ctx context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
		if call <= calls {
			<-ctx.Done()
			return generate.Result{}, ctx.Err()
		}
		return Written(r.Keyword, call), nil
	})
}

// stop ends the process as the manager does, and waits so long for what is in progress.
func (t *tenant) stop(wait time.Duration) <-chan error {
	ctx, cancel := context.WithCancel(t.Ctx)
	drainer := &controllers.Drainer{
		Articles: t.Articles, Events: t.EventDeliveries, Sites: t.Sites, Accounts: t.Accounts, Wait: wait, Record: patience,
	}
	stopped := make(chan error, 1)
	go func() { stopped <- drainer.Start(ctx) }()
	cancel()
	return stopped
}
