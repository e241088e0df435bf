package controllers_test

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/eventdelivery"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
	"github.com/pressroom-dev/pressroom/internal/testkit"
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
	var w *world

	BeforeEach(func() {
		w = newWorld()
		w.createSite()
	})

	It("receive each transition once, in the words of the contract", func() {
		hook := w.subscribe("all")
		key := w.createArticle("shoes", withKeyword)
		w.reconcileUntilStable(key)
		w.dispatchAndDeliver(key)
		Expect(names(hook)).To(Equal([]string{"blog.ready_for_review"}))
		w.approveAndPublish(key)
		w.reconcileUntilStable(key)
		w.dispatchAndDeliver(key)
		Expect(names(hook)).To(ConsistOf("blog.ready_for_review", "blog.approved", "blog.published"))
		w.dispatchAndDeliver(key)
		Expect(hook.Received()).To(HaveLen(3))

		first := hook.Received()[0]
		var event eventhook.Event
		Expect(json.Unmarshal([]byte(first.Body), &event)).To(Succeed())
		Expect(event.Type).To(Equal("blog.ready_for_review"))
		Expect(event.Data.Status).To(Equal("review"))
		Expect(event.Data.Title).To(Equal("All about trail running shoes"))
		Expect(event.Data.TargetKeyword).To(Equal("trail running shoes"))
		Expect(event.Data.WorkspaceID).To(Equal(w.namespace))
		Expect(first.Body).NotTo(ContainSubstring("Because."), "the text is never sent")
		Expect(first.Header.Get("Webhook-Id")).To(Equal(w.deliveryOf("all", v1alpha1.EventReadyForReview).Name))
	})

	It("receive a rejection, of a failed run and of a failed delivery", func() {
		hook := w.subscribe("all")
		rejected := w.createArticle("rejected", withText("No", "Text."))
		w.reconcileUntilStable(rejected)
		w.edit(rejected, func(a *v1alpha1.Article) {
			a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionRejected, By: "mara@acme.example"}
		})
		w.reconcileUntilStable(rejected)
		w.dispatchAndDeliver(rejected)
		Expect(names(hook)).To(ConsistOf("blog.ready_for_review", "blog.rejected"))

		w.refuseAll()
		broken := w.createArticle("broken", withKeyword)
		w.reconcileUntilStable(broken)
		w.dispatchAndDeliver(broken)
		Expect(names(hook)).To(ContainElement("blog.failed"))

		w.receiver.AnswersStatus(http.StatusGone)
		gone := w.createArticle("gone", withText("Gone", "Text."), approvedInManifest, toBePublished)
		w.reconcileUntilStable(gone)
		w.dispatchAndDeliver(gone)
		Expect(names(hook)[3:]).To(ConsistOf("blog.ready_for_review", "blog.approved", "blog.failed"))
	})

	It("get what they want, of the site that they name", func() {
		published := w.subscribe("published", forEvents(v1alpha1.EventSelector(v1alpha1.EventPublished)))
		elsewhere := w.subscribe("elsewhere", func(s *v1alpha1.EventSubscription) {
			s.Spec.SiteRef = &v1alpha1.LocalReference{Name: "other"}
		})
		key := w.createArticle("shoes", withText("Shoes", "Text."), approvedInManifest, toBePublished)
		w.reconcileUntilStable(key)
		w.dispatchAndDeliver(key)
		Expect(names(published)).To(Equal([]string{"blog.published"}))
		Expect(elsewhere.Received()).To(BeEmpty())
	})

	It("get nothing that happened before they were created, though it is dispatched after", func() {
		hook := w.subscribe("hook")
		created := w.subscription("hook").CreationTimestamp
		w.clock.SetTime(created.Add(-time.Minute))
		early := w.createArticle("early", withText("Early", "Text."))
		Expect(w.reconcileUntilStable(early).Status.Events).To(HaveLen(1), "it is in the outbox")
		w.clock.SetTime(created.Add(time.Minute))
		late := w.createArticle("late", withText("Late", "Text."))
		w.reconcileUntilStable(late)
		w.dispatchAndDeliver(early)
		Expect(w.get(early).Status.Events).To(HaveExactElements(HaveField("State", v1alpha1.EventDispatched)))
		Expect(w.deliveries("hook")).To(BeEmpty())
		w.dispatchAndDeliver(late)
		Expect(w.deliveries("hook")).To(HaveExactElements(HaveField("Spec.ArticleRef.Name", "late")))
		Expect(names(hook)).To(Equal([]string{"blog.ready_for_review"}))
	})

	It("cost nothing where nobody wants an event", func() {
		w.subscribe("rejected", forEvents(v1alpha1.EventSelector(v1alpha1.EventRejected)))
		key := w.createArticle("shoes", withText("Shoes", "Text."), approvedInManifest, toBePublished)
		w.client.Writes()
		a := w.reconcileUntilStable(key)
		Expect(w.client.Writes()).To(HaveLen(5), "revision, Post, current with the attempt ahead, accepted, Post")
		w.dispatchAndDeliver(key)
		Expect(a.Status.Events).To(BeEmpty())
	})

	It("hear of a second approval of the same revision no second time", func() {
		hook := w.subscribe("all")
		key := w.createArticle("shoes", withText("Shoes", "Text."), approvedInManifest)
		w.reconcileUntilStable(key)
		w.dispatchAndDeliver(key)
		for _, decision := range []v1alpha1.ReviewDecision{v1alpha1.DecisionRejected, v1alpha1.DecisionApproved} {
			w.edit(key, func(a *v1alpha1.Article) { a.Spec.Review.Decision = decision })
			w.reconcileUntilStable(key)
			w.dispatchAndDeliver(key)
		}
		Expect(names(hook)).To(ConsistOf("blog.ready_for_review", "blog.approved", "blog.rejected"))
	})
})

var _ = Describe("An event's delivery", func() {
	var w *world
	var key client.ObjectKey

	BeforeEach(func() {
		w = newWorld()
		w.createSite()
	})

	// begin has one event told to the subscription "hook".
	begin := func() *v1alpha1.EventDelivery {
		GinkgoHelper()
		key = w.createArticle("shoes", withText("Shoes", "Text."))
		w.reconcileUntilStable(key)
		w.dispatchAndDeliver(key)
		return w.deliveryOf("hook", v1alpha1.EventReadyForReview)
	}

	It("is tried once and three times again, with the same bytes and id, and a fresh time", func() {
		hook := w.subscribe("hook")
		hook.AnswersStatus(http.StatusInternalServerError)
		begin()
		for range 10 {
			w.clock.Step(20 * time.Minute)
			w.deliver()
		}
		d := w.deliveryOf("hook", v1alpha1.EventReadyForReview)
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
		w.subscribe("hook").AnswersStatus(http.StatusGone)
		w.subscribe("inside", func(s *v1alpha1.EventSubscription) { s.Spec.URL = "http://169.254.169.254/latest" })
		begin()
		Expect(w.deliveryOf("hook", v1alpha1.EventReadyForReview).Status.Cycle.Reason).To(Equal(v1alpha1.ReasonReceiverRejected))
		blocked := w.deliveryOf("inside", v1alpha1.EventReadyForReview).Status
		Expect(blocked.Cycle.Reason).To(Equal(v1alpha1.ReasonAddressBlocked))
		Expect(blocked.Attempts).To(HaveLen(1))
	})

	It("waits for its secret, and is signed by the previous one too during a rotation", func() {
		hook := w.subscribe("hook", func(s *v1alpha1.EventSubscription) {
			s.Spec.SigningSecretRef.Name = "later"
			s.Spec.PreviousSigningSecretRef = &v1alpha1.SecretKeyReference{Name: "hook", Key: "secret"}
		})
		d := begin()
		Expect(conditionOf(d.Status.Conditions, v1alpha1.ConditionDelivered)).To(Equal("False/SecretNotFound"))
		w.createEventSecret("later", "whsec_too-short")
		w.clock.Step(30 * time.Second) // a Secret that was missing is looked for so often
		w.deliver()
		d = w.deliveryOf("hook", v1alpha1.EventReadyForReview)
		Expect(conditionOf(d.Status.Conditions, v1alpha1.ConditionDelivered)).To(Equal("False/InvalidSecret"))
		Expect(hook.Received()).To(BeEmpty())

		w.createEventSecret("latest", "whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXphYmNkZWY=")
		s := w.subscription("hook")
		s.Spec.SigningSecretRef.Name = "latest"
		Expect(api.Update(w.ctx, s)).To(Succeed())
		w.deliver()
		Expect(hook.Received()).To(HaveLen(1))
		Expect(hook.Received()[0].Header.Get("Webhook-Signature")).To(MatchRegexp(`^v1,\S{44} v1,\S{44}$`))
	})

	It("starts one new cycle for each nonce", func() {
		hook := w.subscribe("hook")
		begin()
		for range 2 {
			d := w.deliveryOf("hook", v1alpha1.EventReadyForReview)
			d.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "again"}
			Expect(api.Update(w.ctx, d)).To(Succeed())
			w.deliver()
			w.restart()
			w.deliver()
		}
		Expect(hook.Received()).To(HaveLen(2))
		Expect(w.deliveryOf("hook", v1alpha1.EventReadyForReview).Status.Cycle.Number).To(Equal(int32(2)))
	})

	It("is removed 24 hours after it was delivered", func() {
		w.subscribe("hook")
		begin()
		w.clock.Step(eventdelivery.DeliveredRetention - time.Minute)
		w.deliver()
		Expect(w.deliveries("hook")).To(HaveLen(1))
		w.clock.Step(2 * time.Minute)
		w.deliver()
		Expect(w.deliveries("hook")).To(BeEmpty())
	})

	// exhaust makes every attempt of the deliveries that are under way.
	exhaust := func() {
		GinkgoHelper()
		for range 4 {
			w.deliver()
			w.clock.Step(10 * time.Minute)
		}
	}
	ready := func() string {
		GinkgoHelper()
		return conditionOf(w.subscription("hook").Status.Conditions, v1alpha1.ConditionReady)
	}

	It("suspends its subscription where it fails after 5 days of failures, until one edit", func() {
		hook := w.subscribe("hook")
		hook.AnswersStatus(http.StatusInternalServerError)
		begin()
		w.clock.Step(eventdelivery.SuspendAfter)
		w.deliver()
		Expect(ready()).To(Equal("True/Valid"), "it may be accepted by a retry")
		exhaust()
		Expect(ready()).To(Equal("False/Suspended"))
		Expect(w.Events.Events).To(Receive(ContainSubstring("Suspended")))
		w.annotate(w.deliveryOf("hook", v1alpha1.EventReadyForReview), v1alpha1.RedeliverAnnotation, "again")
		before := len(hook.Received())
		w.clock.Step(time.Hour)
		w.deliver()
		Expect(hook.Received()).To(HaveLen(before), "nothing is sent while it is suspended")

		hook.AnswersStatus(http.StatusOK)
		s := w.subscription("hook")
		s.Annotations = map[string]string{v1alpha1.ResumeAnnotation: "now"}
		Expect(api.Update(w.ctx, s)).To(Succeed())
		w.reconcileEvents()
		w.deliver()
		Expect(ready()).To(Equal("True/Valid"))
		Expect(w.deliveryOf("hook", v1alpha1.EventReadyForReview).Status.Cycle.State).To(Equal(v1alpha1.CycleDelivered))
	})

	It("does not suspend a subscription of few events for two short failures, of which the second is over at the retry", func() {
		hook := w.subscribe("hook")
		hook.AnswersStatus(http.StatusServiceUnavailable)
		w.createDelivery("first", "hook")
		exhaust()
		Expect(w.deliveries("hook")).To(HaveExactElements(HaveField("Status.Cycle.Reason", v1alpha1.ReasonExhausted)))
		w.clock.Step(eventdelivery.SuspendAfter + time.Hour)
		w.createDelivery("second", "hook")
		w.deliver()
		Expect(hook.Received()).To(HaveLen(5))
		Expect(ready()).To(Equal("True/Valid"))
		hook.AnswersStatus(http.StatusOK)
		w.clock.Step(time.Minute)
		w.deliver()
		s := w.subscription("hook")
		Expect(s.Status.FailingSince).To(BeNil())
		Expect(s.Status.Suspension).To(BeNil())
	})

	// recovers has an event accepted after one that was not.
	recovers := func(between func()) {
		GinkgoHelper()
		hook := w.subscribe("hook")
		hook.AnswersStatus(http.StatusServiceUnavailable)
		w.createDelivery("first", "hook")
		between()
		hook.AnswersStatus(http.StatusOK)
		w.createDelivery("second", "hook")
		w.deliver()
	}

	It("says that its receiver has recovered though the subscription is changed at the same time", func() {
		recovers(func() {
			w.deliver()
			Expect(w.subscription("hook").Status.FailingSince).NotTo(BeNil())
			w.client.before = func(write string) error {
				if write == "update EventSubscription/status" {
					w.client.before = func(string) error { return nil }
					w.annotate(w.subscription("hook"), "touched", "yes")
				}
				return nil
			}
		})
		Expect(w.subscription("hook").Annotations).To(HaveKey("touched"))
		Expect(w.subscription("hook").Status.FailingSince).To(BeNil())
	})

	It("says that its receiver has recovered though the cache does not know yet that it has failed", func() {
		recovers(func() {
			before := w.subscription("hook")
			w.deliver()
			w.client.staleSubscription = before
		})
		Expect(w.subscription("hook").Status.FailingSince).To(BeNil())
	})

	It("is kept until what it tells of its receiver is written too", func() {
		hook := w.subscribe("hook")
		hook.AnswersStatus(http.StatusServiceUnavailable)
		key := w.createDelivery("first", "hook")
		w.client.before = func(write string) error {
			if write == "update EventSubscription/status" {
				return errCutOff
			}
			return nil
		}
		reconcile := func() error {
			_, err := w.EventDeliveries.Reconcile(w.ctx, request(key))
			return err
		}
		Expect(reconcile()).To(Succeed())
		w.awaitWork()
		Expect(reconcile()).To(MatchError(errCutOff))
		w.client.before = func(string) error { return nil }
		w.deliver()
		Expect(w.subscription("hook").Status.FailingSince).NotTo(BeNil())
		Expect(w.deliveries("hook")).To(HaveExactElements(HaveField("Status.Attempts", HaveExactElements(HaveField("HTTPStatus", int32(503))))))
	})

	It("expires after 7 days without a way to its receiver", func() {
		w.subscribe("hook", func(s *v1alpha1.EventSubscription) { s.Spec.SigningSecretRef.Name = "never" })
		begin()
		w.clock.Step(7*24*time.Hour + time.Minute)
		w.deliver()
		d := w.deliveryOf("hook", v1alpha1.EventReadyForReview)
		Expect(conditionOf(d.Status.Conditions, v1alpha1.ConditionDelivered)).To(Equal("False/Expired"))
	})
})

// deliveryOf returns the one delivery of an event to a subscription.
func (w *world) deliveryOf(subscription string, event v1alpha1.ArticleEventType) *v1alpha1.EventDelivery {
	GinkgoHelper()
	var found []*v1alpha1.EventDelivery
	all := w.deliveries(subscription)
	for i := range all {
		if all[i].Spec.Type == event {
			found = append(found, &all[i])
		}
	}
	Expect(found).To(HaveLen(1))
	return found[0]
}

// refuseAll has the generator refuse every article from now on.
func (w *world) refuseAll() {
	w.generator.Does(func(context.Context, int, generate.Request, generate.Progress) (generate.Result, error) {
		return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonRefused, Message: "no"}
	})
}

// conditionOf returns one of the conditions as Status/Reason.
func conditionOf(conditions []metav1.Condition, kind string) string {
	c := meta.FindStatusCondition(conditions, kind)
	if c == nil {
		return ""
	}
	return string(c.Status) + "/" + c.Reason
}
