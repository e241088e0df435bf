package controllers_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

var _ = Describe("The record of an Idempotency-Key", func() {
	It("is kept for 24 hours, and then deleted", func() {
		w := newWorld()
		record := &v1alpha1.IdempotencyRecord{
			ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "order"},
			Spec:       v1alpha1.IdempotencyRecordSpec{Operation: "generate", RequestHash: strings.Repeat("0", 64), Object: "order"},
		}
		Expect(api.Create(w.ctx, record)).To(Succeed())
		key := client.ObjectKeyFromObject(record)
		w.clock.SetTime(record.CreationTimestamp.Add(24*time.Hour - time.Second))
		result, err := w.Records.Reconcile(w.ctx, request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(result.RequeueAfter).To(Equal(time.Second))
		Expect(api.Get(w.ctx, key, record)).To(Succeed())

		w.clock.Step(time.Second)
		_, err = w.Records.Reconcile(w.ctx, request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(client.IgnoreNotFound(api.Get(w.ctx, key, record))).To(Succeed())
		Expect(api.Get(w.ctx, key, record)).NotTo(Succeed())
	})
})
