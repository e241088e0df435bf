package site_test

import (
	"fmt"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	. "github.com/onsi/gomega/gstruct"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

var _ = Describe("The condition Delivering of a site", func() {
	delivering := func(t *tenant) *metav1.Condition {
		GinkgoHelper()
		t.ReconcileSite()
		return meta.FindStatusCondition(t.GetSite().Status.Conditions, v1alpha1.ConditionDelivering)
	}
	count := 0
	send := func(t *tenant, articles int) {
		GinkgoHelper()
		for range articles {
			count++
			text := WithText(fmt.Sprintf("Article %d", count), "Some words.")
			t.ReconcileUntilStable(t.CreateArticle(fmt.Sprintf("article-%d", count), text, ToBePublished, ApprovedInManifest))
		}
	}

	It("is False while all deliveries fail, whatever the last test has found, and is written once a minute at the most", func() {
		t := newTenant()
		t.CreateSite()
		t.ReconcileSiteUntilStable()
		Expect(delivering(t)).To(BeNil(), "nothing was sent")
		counted := func() int {
			_, _, failing := t.Articles.Health.Overall()
			return failing
		}
		send(t, 1)
		Expect(delivering(t)).To(HaveField("Status", metav1.ConditionTrue))
		t.Clock.Step(time.Minute)
		t.Receiver.AnswersStatus(http.StatusUnauthorized)
		send(t, 2)
		Expect(delivering(t)).To(HaveField("Status", metav1.ConditionTrue), "two failures may be those of the articles")
		Expect(counted()).To(BeZero())
		send(t, 1)
		failing := delivering(t)
		Expect(failing).To(And(HaveField("Status", metav1.ConditionFalse), HaveField("Reason", v1alpha1.ReasonReceiverRejected)))
		Expect(failing.Message).To(And(ContainSubstring("the last 3 attempts failed"), ContainSubstring("401")))
		Expect(counted()).To(Equal(1))
		t.Clock.Step(10 * time.Second)
		send(t, 1)
		Expect(delivering(t)).To(Equal(failing), "within a minute")
		t.Clock.Step(time.Minute)
		Expect(delivering(t).Message).To(ContainSubstring("the last 4 attempts failed"))
		t.Receiver.AnswersStatus(http.StatusOK)
		t.Clock.Step(time.Minute)
		send(t, 1)
		Expect(delivering(t)).To(And(HaveField("Status", metav1.ConditionTrue), HaveField("Reason", v1alpha1.ReasonDelivered)))
		Expect(counted()).To(BeZero())
	})

	It("comes with the last success, the failures since, and the article that waits longest, written once a minute at the most", func() {
		t := newTenant()
		t.CreateSite()
		t.ReconcileSiteUntilStable()
		Expect(t.GetSite().Status.Deliveries).To(BeNil(), "there is no article")
		deliveries := func() *v1alpha1.SiteDeliveries {
			GinkgoHelper()
			t.ReconcileSite()
			return t.GetSite().Status.Deliveries
		}
		at := func(offset time.Duration) OmegaMatcher {
			return PointTo(HaveField("Time", BeTemporally("==", t.Clock.Now().Add(offset))))
		}
		send(t, 1)
		Expect(deliveries()).To(PointTo(And(HaveField("LastSuccessTime", at(0)), HaveField("Failures", BeZero()), HaveField("OldestWaitingTime", BeNil()))))

		t.Receiver.AnswersStatus(http.StatusServiceUnavailable)
		t.Clock.Step(2 * time.Minute)
		send(t, 1)
		t.Clock.Step(time.Second)
		waiting := deliveries()
		Expect(waiting).To(PointTo(And(HaveField("LastSuccessTime", at(-2*time.Minute-time.Second)), HaveField("Failures", int32(1)),
			HaveField("OldestWaitingTime", at(-time.Second)))))

		t.Client.Writes()
		send(t, 1)
		t.Client.Writes()
		Expect(deliveries()).To(Equal(waiting), "within a minute")
		Expect(t.Client.Writes()).To(BeEmpty())
		old := t.GetSite().Status.Deliveries
		t.Restart()
		Expect(deliveries()).To(Equal(old), "the next process knows nothing else")

		t.Receiver.AnswersStatus(http.StatusOK)
		t.Clock.Step(time.Minute)
		for n := count - 1; n <= count; n++ {
			t.ReconcileUntilStable(client.ObjectKey{Namespace: t.Namespace, Name: fmt.Sprintf("article-%d", n)})
		}
		Expect(deliveries()).To(PointTo(And(HaveField("LastSuccessTime", at(0)), HaveField("Failures", BeZero()), HaveField("OldestWaitingTime", BeNil()))))
		last, oldest, _ := t.Articles.Health.Overall()
		Expect(last).To(BeTemporally("==", t.Clock.Now()))
		Expect(oldest).To(BeZero())
	})

	It("forgets an article that is deleted while it waits", func() {
		t := newTenant()
		t.CreateSite()
		t.Receiver.AnswersStatus(http.StatusServiceUnavailable)
		send(t, 1)
		_, oldest, _ := t.Articles.Health.Overall()
		Expect(oldest).NotTo(BeZero())
		key := client.ObjectKey{Namespace: t.Namespace, Name: fmt.Sprintf("article-%d", count)}
		Expect(api.Delete(t.Ctx, t.GetArticle(key))).To(Succeed())
		_, err := t.Articles.Reconcile(t.Ctx, Request(key))
		Expect(err).NotTo(HaveOccurred())
		_, oldest, _ = t.Articles.Health.Overall()
		Expect(oldest).To(BeZero())
	})
})
