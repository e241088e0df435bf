package event_test

import (
	"encoding/json"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

var _ = Describe("A test event", func() {
	It("is asked for by a nonce, and sent once through the same engine as every event", func() {
		t := newTenant()
		receiver := t.Subscribe("hook", ForEvents("Published"))
		t.Annotate(t.Subscription("hook"), v1alpha1.TestEventAnnotation, "one")
		t.Deliver()
		t.Deliver()
		Expect(receiver.Received()).To(HaveLen(1))
		sent := receiver.Received()[0]
		Expect(sent.Header.Get("X-SERVICE-Event")).To(Equal("subscription.test"))
		Expect(sent.Header.Get("webhook-signature")).To(HavePrefix("v1,"))
		var body map[string]any
		Expect(json.Unmarshal([]byte(sent.Body), &body)).To(Succeed())
		Expect(body).To(And(HaveKeyWithValue("type", "subscription.test"), HaveKeyWithValue("data", map[string]any{
			"subscription_uid": identity.UID(identity.KindEventSubscription, t.Namespace, "hook"), "workspace_id": t.Namespace,
		})))
		test := t.Subscription("hook").Status.Test
		Expect(test.Dispatch).To(Equal(v1alpha1.DispatchDone))
		Expect(t.Deliveries("hook")).To(ConsistOf(And(HaveField("Name", test.Delivery), HaveField("Name", sent.Header.Get("webhook-id")))))

		t.Annotate(t.Subscription("hook"), v1alpha1.TestEventAnnotation, "two")
		t.Deliver()
		Expect(receiver.Received()).To(HaveLen(2))
		Expect(receiver.Received()[1].Header.Get("webhook-id")).NotTo(Equal(test.Delivery))
	})

	It("has one delivery if the controller stops in between", func() {
		t := newTenant()
		t.Subscribe("hook")
		t.Annotate(t.Subscription("hook"), v1alpha1.TestEventAnnotation, "one")
		key := client.ObjectKeyFromObject(t.Subscription("hook"))
		for range 3 {
			_, err := t.EventSubscriptions.Reconcile(t.Ctx, Request(key))
			Expect(err).NotTo(HaveOccurred())
			// As if the write of the state had been lost.
			t.EditSubscriptionStatus("hook", func(s *v1alpha1.EventSubscription) { s.Status.Test.Dispatch = v1alpha1.DispatchPending })
		}
		Expect(t.Deliveries("hook")).To(HaveLen(1))
	})

	It("may not name an article, and every other event must", func() {
		t := newTenant()
		t.Subscribe("hook")
		d := &v1alpha1.EventDelivery{Spec: v1alpha1.EventDeliverySpec{
			SubscriptionRef: v1alpha1.LocalReference{Name: "hook"}, ArticleRef: v1alpha1.LocalReference{Name: "a"},
			Type: v1alpha1.EventTest, Time: v1alpha1.NewMicroTime(time.Now()), Body: "{}",
		}}
		d.Namespace, d.Name = t.Namespace, "d"
		Expect(api.Create(t.Ctx, d.DeepCopy())).To(MatchError(ContainSubstring("articleRef must be set, except for a test")))
		d.Spec.Type, d.Spec.ArticleRef.Name = v1alpha1.EventPublished, ""
		Expect(api.Create(t.Ctx, d)).To(MatchError(ContainSubstring("articleRef must be set, except for a test")))
	})
})
