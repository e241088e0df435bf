package site_test

import (
	"fmt"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/controllers/controllertest"
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
		send(t, 1)
		Expect(delivering(t)).To(HaveField("Status", metav1.ConditionTrue))
		t.Clock.Step(time.Minute)
		t.Receiver.AnswersStatus(http.StatusUnauthorized)
		send(t, 2)
		Expect(delivering(t)).To(HaveField("Status", metav1.ConditionTrue), "two failures may be those of the articles")
		send(t, 1)
		failing := delivering(t)
		Expect(failing).To(And(HaveField("Status", metav1.ConditionFalse), HaveField("Reason", v1alpha1.ReasonReceiverRejected)))
		Expect(failing.Message).To(And(ContainSubstring("the last 3 attempts failed"), ContainSubstring("401")))
		t.Clock.Step(10 * time.Second)
		send(t, 1)
		Expect(delivering(t)).To(Equal(failing), "within a minute")
		t.Clock.Step(time.Minute)
		Expect(delivering(t).Message).To(ContainSubstring("the last 4 attempts failed"))
		t.Receiver.AnswersStatus(http.StatusOK)
		t.Clock.Step(time.Minute)
		send(t, 1)
		Expect(delivering(t)).To(And(HaveField("Status", metav1.ConditionTrue), HaveField("Reason", v1alpha1.ReasonDelivered)))
	})
})
