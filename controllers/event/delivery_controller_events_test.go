package event_test

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/eventdelivery"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// names of the events that a receiver got, in order.
func names(r *testkit.Receiver) []string {
	var found []string
	for _, got := range r.Received() {
		found = append(found, got.Header.Get("X-SERVICE-Event"))
	}
	return found
}

var _ = Describe("Event subscriptions", func() {
	var t *tenant

	BeforeEach(func() {
		t = newTenant()
		t.CreateSite()
	})

	It("receive each transition once, in the words of the contract", func() {
		hook := t.Subscribe("all")
		key := t.CreateArticle("shoes", WithKeyword)
		t.ReconcileUntilStable(key)
		t.DispatchAndDeliver(key)
		Expect(names(hook)).To(Equal([]string{"blog.ready_for_review"}))
		t.ApproveAndPublish(key)
		t.ReconcileUntilStable(key)
		t.DispatchAndDeliver(key)
		Expect(names(hook)).To(ConsistOf("blog.ready_for_review", "blog.approved", "blog.published"))
		t.DispatchAndDeliver(key)
		Expect(hook.Received()).To(HaveLen(3))

		first := hook.Received()[0]
		var event eventhook.Event
		Expect(json.Unmarshal([]byte(first.Body), &event)).To(Succeed())
		Expect(event.Type).To(Equal("blog.ready_for_review"))
		Expect(event.Data.Status).To(Equal("review"))
		Expect(event.Data.Title).To(Equal("All about trail running shoes"))
		Expect(event.Data.TargetKeyword).To(Equal("trail running shoes"))
		Expect(event.Data.WorkspaceID).To(Equal(t.Namespace))
		Expect(first.Body).NotTo(ContainSubstring("Because."), "the text is never sent")
		Expect(first.Header.Get("Webhook-Id")).To(Equal(t.DeliveryOf("all", v1alpha1.EventReadyForReview).Name))
	})

	It("receive a rejection, of a failed run and of a failed delivery", func() {
		hook := t.Subscribe("all")
		rejected := t.CreateArticle("rejected", WithText("No", "Text."))
		t.ReconcileUntilStable(rejected)
		t.EditArticle(rejected, func(a *v1alpha1.Article) {
			a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionRejected, By: "mara@acme.example"}
		})
		t.ReconcileUntilStable(rejected)
		t.DispatchAndDeliver(rejected)
		Expect(names(hook)).To(ConsistOf("blog.ready_for_review", "blog.rejected"))

		t.refuseAll()
		broken := t.CreateArticle("broken", WithKeyword)
		t.ReconcileUntilStable(broken)
		t.DispatchAndDeliver(broken)
		Expect(names(hook)).To(ContainElement("blog.failed"))

		t.Receiver.AnswersStatus(http.StatusGone)
		gone := t.CreateArticle("gone", WithText("Gone", "Text."), ApprovedInManifest, ToBePublished)
		t.ReconcileUntilStable(gone)
		t.DispatchAndDeliver(gone)
		Expect(names(hook)[3:]).To(ConsistOf("blog.ready_for_review", "blog.approved", "blog.failed"))
	})

	It("get what they want, of the site that they name", func() {
		published := t.Subscribe("published", ForEvents(v1alpha1.EventSelector(v1alpha1.EventPublished)))
		elsewhere := t.Subscribe("elsewhere", func(s *v1alpha1.EventSubscription) {
			s.Spec.SiteRef = &v1alpha1.LocalReference{Name: "other"}
		})
		key := t.CreateArticle("shoes", WithText("Shoes", "Text."), ApprovedInManifest, ToBePublished)
		t.ReconcileUntilStable(key)
		t.DispatchAndDeliver(key)
		Expect(names(published)).To(Equal([]string{"blog.published"}))
		Expect(elsewhere.Received()).To(BeEmpty())
	})

	It("get nothing that happened before they were created, though it is dispatched after", func() {
		hook := t.Subscribe("hook")
		created := t.Subscription("hook").CreationTimestamp
		t.Clock.SetTime(created.Add(-time.Minute))
		early := t.CreateArticle("early", WithText("Early", "Text."))
		Expect(t.ReconcileUntilStable(early).Status.Transitions).To(ConsistOf(HaveField("Dispatch", v1alpha1.DispatchPending)), "it is in the outbox")
		t.Clock.SetTime(created.Add(time.Minute))
		late := t.CreateArticle("late", WithText("Late", "Text."))
		t.ReconcileUntilStable(late)
		t.DispatchAndDeliver(early)
		Expect(t.GetArticle(early).Status.Transitions).To(HaveExactElements(HaveField("Dispatch", v1alpha1.DispatchDone)))
		Expect(t.Deliveries("hook")).To(BeEmpty())
		t.DispatchAndDeliver(late)
		Expect(t.Deliveries("hook")).To(HaveExactElements(HaveField("Spec.ArticleRef.Name", "late")))
		Expect(names(hook)).To(Equal([]string{"blog.ready_for_review"}))
	})

	It("cost nothing where nobody wants an event", func() {
		t.Subscribe("rejected", ForEvents(v1alpha1.EventSelector(v1alpha1.EventRejected)))
		key := t.CreateArticle("shoes", WithText("Shoes", "Text."), ApprovedInManifest, ToBePublished)
		t.Client.Writes()
		a := t.ReconcileUntilStable(key)
		Expect(t.Client.Writes()).To(HaveLen(5), "revision, Post, current with the attempt ahead, accepted, Post")
		t.DispatchAndDeliver(key)
		Expect(a.Status.Transitions).To(And(Not(BeEmpty()), HaveEach(HaveField("Dispatch", v1alpha1.DispatchState("")))))
	})

	It("hear of a second approval of the same revision no second time", func() {
		hook := t.Subscribe("all")
		key := t.CreateArticle("shoes", WithText("Shoes", "Text."), ApprovedInManifest)
		t.ReconcileUntilStable(key)
		t.DispatchAndDeliver(key)
		for _, decision := range []v1alpha1.ReviewDecision{v1alpha1.DecisionRejected, v1alpha1.DecisionApproved} {
			t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Review.Decision = decision })
			t.ReconcileUntilStable(key)
			t.DispatchAndDeliver(key)
		}
		Expect(names(hook)).To(ConsistOf("blog.ready_for_review", "blog.approved", "blog.rejected"))
	})

	It("are not tried again in a workspace that is being deleted", func() {
		t.Subscribe("hook")
		article := t.CreateArticle("shoes", WithText("Shoes", "Text."))
		t.ReconcileUntilStable(article)
		subscription, site := t.Subscription("hook"), t.GetSite()
		t.Annotate(subscription, v1alpha1.TestEventAnnotation, "one")
		site.Status.Conditions = []metav1.Condition{{
			Type: v1alpha1.ConditionDelivering, Status: metav1.ConditionFalse, Reason: "Failing", LastTransitionTime: metav1.NewTime(t.Clock.Now()),
		}}
		Expect(api.Status().Update(t.Ctx, site)).To(Succeed())
		Expect(api.Delete(t.Ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: t.Namespace}})).To(Succeed())
		for key, r := range map[client.ObjectKey]reconcile.Reconciler{
			article: t.Outbox, client.ObjectKeyFromObject(site): t.SiteEvents, client.ObjectKeyFromObject(subscription): t.EventSubscriptions,
		} {
			_, err := r.Reconcile(t.Ctx, Request(key))
			Expect(err).NotTo(HaveOccurred(), key.Name)
		}
		Expect(t.Deliveries("hook")).To(BeEmpty())
	})
})

var _ = Describe("An event's delivery", func() {
	var t *tenant
	var key client.ObjectKey

	BeforeEach(func() {
		t = newTenant()
		t.CreateSite()
	})

	// begin has one event told to the subscription "hook".
	begin := func() *v1alpha1.EventDelivery {
		GinkgoHelper()
		key = t.CreateArticle("shoes", WithText("Shoes", "Text."))
		t.ReconcileUntilStable(key)
		t.DispatchAndDeliver(key)
		return t.DeliveryOf("hook", v1alpha1.EventReadyForReview)
	}

	It("is tried once and three times again, with the same bytes and id, and a fresh time", func() {
		hook := t.Subscribe("hook")
		hook.AnswersStatus(http.StatusInternalServerError)
		begin()
		for range 10 {
			t.Clock.Step(20 * time.Minute)
			t.Deliver()
		}
		d := t.DeliveryOf("hook", v1alpha1.EventReadyForReview)
		Expect(d.Status.Cycle).To(And(HaveField("State", v1alpha1.CycleFailed), HaveField("Reason", v1alpha1.ReasonExhausted)))
		got := hook.Received()
		Expect(got).To(HaveLen(4))
		times := map[string]bool{}
		for _, r := range got {
			Expect(r.Body).To(Equal(got[0].Body))
			Expect(r.Header.Get("Webhook-Id")).To(Equal(d.Name))
			times[r.Header.Get("Webhook-Timestamp")] = true
		}
		Expect(times).To(HaveLen(4))
		Expect(meta.IsStatusConditionTrue(d.Status.Conditions, v1alpha1.ConditionStalled)).To(BeTrue())
	})

	It("ends at 410, and at a forbidden address without a request", func() {
		t.Subscribe("hook").AnswersStatus(http.StatusGone)
		t.Subscribe("inside", func(s *v1alpha1.EventSubscription) { s.Spec.URL = "http://169.254.169.254/latest" })
		begin()
		Expect(t.DeliveryOf("hook", v1alpha1.EventReadyForReview).Status.Cycle.Reason).To(Equal(v1alpha1.ReasonReceiverRejected))
		blocked := t.DeliveryOf("inside", v1alpha1.EventReadyForReview).Status
		Expect(blocked.Cycle.Reason).To(Equal(v1alpha1.ReasonAddressBlocked))
		Expect(blocked.Attempts).To(HaveLen(1))
	})

	It("waits for its secret, and is signed by the previous one too during a rotation", func() {
		hook := t.Subscribe("hook", func(s *v1alpha1.EventSubscription) {
			s.Spec.SigningSecretRef.Name = "later"
			s.Spec.PreviousSigningSecretRef = &v1alpha1.SecretKeyReference{Name: "hook", Key: "secret"}
		})
		d := begin()
		Expect(ConditionOf(d.Status.Conditions, v1alpha1.ConditionDelivered)).To(Equal("False/SecretNotFound"))
		t.CreateEventSecret("later", "whsec_too-short")
		t.Clock.Step(30 * time.Second) // a Secret that was missing is looked for so often
		t.Deliver()
		d = t.DeliveryOf("hook", v1alpha1.EventReadyForReview)
		Expect(ConditionOf(d.Status.Conditions, v1alpha1.ConditionDelivered)).To(Equal("False/InvalidSecret"))
		Expect(hook.Received()).To(BeEmpty())

		t.CreateEventSecret("latest", "whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXphYmNkZWY=")
		s := t.Subscription("hook")
		s.Spec.SigningSecretRef.Name = "latest"
		Expect(api.Update(t.Ctx, s)).To(Succeed())
		t.Deliver()
		Expect(hook.Received()).To(HaveLen(1))
		Expect(hook.Received()[0].Header.Get("Webhook-Signature")).To(MatchRegexp(`^v1,\S{44} v1,\S{44}$`))
	})

	It("starts one new cycle for each nonce", func() {
		hook := t.Subscribe("hook")
		begin()
		for range 2 {
			d := t.DeliveryOf("hook", v1alpha1.EventReadyForReview)
			d.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "again"}
			Expect(api.Update(t.Ctx, d)).To(Succeed())
			t.Deliver()
			t.Restart()
			t.Deliver()
		}
		Expect(hook.Received()).To(HaveLen(2))
		Expect(t.DeliveryOf("hook", v1alpha1.EventReadyForReview).Status.Cycle.Number).To(Equal(int32(2)))
	})

	It("is removed 24 hours after it was delivered", func() {
		t.Subscribe("hook")
		begin()
		t.Clock.Step(eventdelivery.DeliveredRetention - time.Minute)
		t.Deliver()
		Expect(t.Deliveries("hook")).To(HaveLen(1))
		t.Clock.Step(2 * time.Minute)
		t.Deliver()
		Expect(t.Deliveries("hook")).To(BeEmpty())
	})

	// exhaust makes every attempt of the deliveries that are under way.
	exhaust := func() {
		GinkgoHelper()
		for range 4 {
			t.Deliver()
			t.Clock.Step(10 * time.Minute)
		}
	}
	ready := func() string {
		GinkgoHelper()
		return ConditionOf(t.Subscription("hook").Status.Conditions, v1alpha1.ConditionReady)
	}

	It("suspends its subscription where it fails after 5 days of failures, until one edit", func() {
		hook := t.Subscribe("hook")
		hook.AnswersStatus(http.StatusInternalServerError)
		begin()
		t.Clock.Step(eventdelivery.SuspendAfter)
		t.Deliver()
		Expect(ready()).To(Equal("True/Valid"), "it may be accepted by a retry")
		exhaust()
		Expect(ready()).To(Equal("False/Suspended"))
		Expect(t.Events.Events).To(Receive(ContainSubstring("Suspended")))
		t.Annotate(t.DeliveryOf("hook", v1alpha1.EventReadyForReview), v1alpha1.RedeliverAnnotation, "again")
		before := len(hook.Received())
		t.Clock.Step(time.Hour)
		t.Deliver()
		Expect(hook.Received()).To(HaveLen(before), "nothing is sent while it is suspended")

		hook.AnswersStatus(http.StatusOK)
		s := t.Subscription("hook")
		s.Annotations = map[string]string{v1alpha1.ResumeAnnotation: "now"}
		Expect(api.Update(t.Ctx, s)).To(Succeed())
		t.ReconcileEvents()
		t.Deliver()
		Expect(ready()).To(Equal("True/Valid"))
		Expect(t.DeliveryOf("hook", v1alpha1.EventReadyForReview).Status.Cycle.State).To(Equal(v1alpha1.CycleAccepted))
	})

	It("waits while spec.suspend is true, and is sent then", func() {
		hook := t.Subscribe("hook")
		suspend := func(yes bool) {
			GinkgoHelper()
			s := t.Subscription("hook")
			s.Spec.Suspend = yes
			Expect(api.Update(t.Ctx, s)).To(Succeed())
			t.ReconcileEvents()
		}
		suspend(true)
		Expect(ready()).To(Equal("True/Suspended"), "it is as somebody wants it, and Git tools wait for nothing")
		t.CreateDelivery("waiting", "hook")
		t.Deliver()
		t.Clock.Step(6 * 24 * time.Hour)
		t.Deliver()
		Expect(hook.Received()).To(BeEmpty())
		Expect(t.Deliveries("hook")).To(HaveExactElements(HaveField("Status.Conditions", ContainElement(And(
			HaveField("Type", v1alpha1.ConditionDelivered), HaveField("Reason", v1alpha1.ReasonSuspended))))))
		suspend(false)
		t.Deliver()
		Expect(hook.Received()).To(HaveLen(1))
		Expect(ready()).To(Equal("True/Valid"))
	})

	It("does not suspend a subscription of few events for two short failures, of which the second is over at the retry", func() {
		hook := t.Subscribe("hook")
		hook.AnswersStatus(http.StatusServiceUnavailable)
		t.CreateDelivery("first", "hook")
		exhaust()
		Expect(t.Deliveries("hook")).To(HaveExactElements(HaveField("Status.Cycle.Reason", v1alpha1.ReasonExhausted)))
		t.Clock.Step(eventdelivery.SuspendAfter + time.Hour)
		t.CreateDelivery("second", "hook")
		t.Deliver()
		Expect(hook.Received()).To(HaveLen(5))
		Expect(ready()).To(Equal("True/Valid"))
		hook.AnswersStatus(http.StatusOK)
		t.Clock.Step(time.Minute)
		t.Deliver()
		s := t.Subscription("hook")
		Expect(s.Status.FailingSince).To(BeNil())
		Expect(s.Status.Suspension).To(BeNil())
	})

	// recovers has an event accepted after one that was not.
	recovers := func(between func()) {
		GinkgoHelper()
		hook := t.Subscribe("hook")
		hook.AnswersStatus(http.StatusServiceUnavailable)
		t.CreateDelivery("first", "hook")
		between()
		hook.AnswersStatus(http.StatusOK)
		t.CreateDelivery("second", "hook")
		t.Deliver()
	}

	It("says that its receiver has recovered though the subscription is changed at the same time", func() {
		recovers(func() {
			t.Deliver()
			Expect(t.Subscription("hook").Status.FailingSince).NotTo(BeNil())
			t.Client.Before = func(write string) error {
				if write == "update EventSubscription/status" {
					t.Client.Before = func(string) error { return nil }
					t.Annotate(t.Subscription("hook"), "touched", "yes")
				}
				return nil
			}
		})
		Expect(t.Subscription("hook").Annotations).To(HaveKey("touched"))
		Expect(t.Subscription("hook").Status.FailingSince).To(BeNil())
	})

	It("says that its receiver has recovered though the cache does not know yet that it has failed", func() {
		recovers(func() {
			before := t.Subscription("hook")
			t.Deliver()
			t.Client.StaleSubscription = before
		})
		Expect(t.Subscription("hook").Status.FailingSince).To(BeNil())
	})

	It("is kept until what it says of its receiver is written too", func() {
		hook := t.Subscribe("hook")
		hook.AnswersStatus(http.StatusServiceUnavailable)
		key := t.CreateDelivery("first", "hook")
		t.Client.Before = func(write string) error {
			if write == "update EventSubscription/status" {
				return ErrCutOff
			}
			return nil
		}
		reconcile := func() error {
			_, err := t.EventDeliveries.Reconcile(t.Ctx, Request(key))
			return err
		}
		Expect(reconcile()).To(Succeed())
		t.AwaitWork()
		Expect(reconcile()).To(MatchError(ErrCutOff))
		t.Client.Before = func(string) error { return nil }
		t.Deliver()
		Expect(t.Subscription("hook").Status.FailingSince).NotTo(BeNil())
		Expect(t.Deliveries("hook")).To(HaveExactElements(HaveField("Status.Attempts", HaveExactElements(HaveField("HTTPStatus", int32(503))))))
	})

	It("waits while the Site of its article is suspended, also once the article is deleted", func() {
		hook := t.Subscribe("hook")
		key := t.CreateArticle("shoes", WithKeyword)
		t.ReconcileUntilStable(key)
		_, err := t.Outbox.Reconcile(t.Ctx, Request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(api.Delete(t.Ctx, t.GetArticle(key))).To(Succeed())
		t.EditSite(func(s *v1alpha1.Site) { s.Spec.Suspend = true })
		t.Deliver()
		Expect(hook.Received()).To(BeEmpty())
		waiting := client.ObjectKeyFromObject(t.DeliveryOf("hook", v1alpha1.EventReadyForReview))
		t.Clock.Step(time.Hour)
		result, err := t.EventDeliveries.Reconcile(t.Ctx, Request(waiting))
		Expect(err).NotTo(HaveOccurred())
		Expect(result.RequeueAfter).To(BeNumerically("~", 7*24*time.Hour-time.Hour, time.Minute), "when it expires, since a watch reports the end")
		t.EditSite(func(s *v1alpha1.Site) { s.Spec.Suspend = false })
		t.Deliver()
		Expect(names(hook)).To(Equal([]string{"blog.ready_for_review"}))
	})

	It("is not sent to an address that was taken away a moment ago", func() {
		hook, next := t.Subscribe("hook"), testkit.NewReceiver()
		key := t.CreateDelivery("first", "hook")
		seen := t.Subscription("hook")
		edited := seen.DeepCopy()
		edited.Spec.URL = next.URL
		Expect(api.Update(t.Ctx, edited)).To(Succeed())
		t.Client.StaleSubscription = seen
		_, err := t.EventDeliveries.Reconcile(t.Ctx, Request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(t.EventDeliveries.Engine.Calls.Len()).To(BeZero())
		t.Client.StaleSubscription = nil
		t.Deliver()
		Expect(hook.Received()).To(BeEmpty())
		Expect(next.Received()).To(HaveLen(1))
	})

	It("expires after 7 days without a way to its receiver", func() {
		t.Subscribe("hook", func(s *v1alpha1.EventSubscription) { s.Spec.SigningSecretRef.Name = "never" })
		begin()
		t.Clock.Step(7*24*time.Hour + time.Minute)
		t.Deliver()
		d := t.DeliveryOf("hook", v1alpha1.EventReadyForReview)
		Expect(ConditionOf(d.Status.Conditions, v1alpha1.ConditionDelivered)).To(Equal("False/Expired"))
	})
})

// refuseAll has the generator refuse every article from now on.
func (t *tenant) refuseAll() {
	t.Generator.Does(func(context.Context, int, generate.Request, generate.Progress) (generate.Result, error) {
		return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonRefused, Message: "no"}
	})
}
