package access_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

var _ = Describe("The record of an Idempotency-Key", func() {
	It("is kept for 24 hours, and then deleted", func() {
		t := newTenant()
		record := &internalv1alpha1.IdempotencyRecord{
			ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: "order"},
			Spec:       internalv1alpha1.IdempotencyRecordSpec{Operation: "generate", RequestHash: strings.Repeat("0", 64), Object: "order"},
		}
		Expect(api.Create(t.Ctx, record)).To(Succeed())
		key := client.ObjectKeyFromObject(record)
		t.Clock.SetTime(record.CreationTimestamp.Add(24*time.Hour - time.Second))
		result, err := t.Records.Reconcile(t.Ctx, Request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(result.RequeueAfter).To(Equal(time.Second))
		Expect(api.Get(t.Ctx, key, record)).To(Succeed())

		t.Clock.Step(time.Second)
		_, err = t.Records.Reconcile(t.Ctx, Request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(client.IgnoreNotFound(api.Get(t.Ctx, key, record))).To(Succeed())
		Expect(api.Get(t.Ctx, key, record)).NotTo(Succeed())
	})
})
