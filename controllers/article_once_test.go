package controllers_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// hash is that of a request with an Idempotency-Key.
var hash = strings.Repeat("a", 64)

func keyed(a *v1alpha1.Article) {
	a.Annotations = map[string]string{v1alpha1.RequestHashAnnotation: hash}
}

// recordOf creates the record of a request that made an article with a uid; it is in progress if that is empty.
func (w *world) recordOf(name string, uid types.UID) *v1alpha1.IdempotencyRecord {
	GinkgoHelper()
	r := &v1alpha1.IdempotencyRecord{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: name},
		Spec:       v1alpha1.IdempotencyRecordSpec{Operation: "generate", RequestHash: hash, Object: name, ObjectUID: string(uid)},
	}
	Expect(api.Create(w.ctx, r)).To(Succeed())
	return r
}

func (w *world) recordNamed(name string) *v1alpha1.IdempotencyRecord {
	GinkgoHelper()
	r := &v1alpha1.IdempotencyRecord{}
	Expect(api.Get(w.ctx, client.ObjectKey{Namespace: w.namespace, Name: name}, r)).To(Succeed())
	return r
}

var _ = Describe("An article that a request with an Idempotency-Key created", func() {
	It("is named by the record before its run is charged", func() {
		w := newWorld()
		w.createSite()
		w.recordOf("shoes", "")
		key := w.createArticle("shoes", withKeyword, keyed)
		w.client.before = func(write string) error {
			if strings.HasPrefix(write, "patch Account/status") {
				Expect(w.recordNamed("shoes").Spec.ObjectUID).To(Equal(string(w.get(key).UID)))
			}
			return nil
		}
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		record := w.recordNamed("shoes")
		Expect(record.Spec.ObjectUID).To(Equal(string(a.UID)))
		Expect(v1alpha1.Copied(record)).To(BeFalse())
	})

	It("is named by a new record if another request has deleted that", func() {
		w := newWorld()
		w.createSite()
		a := w.reconcileUntilStable(w.createArticle("shoes", withKeyword, keyed))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(w.recordNamed("shoes").Spec).To(And(HaveField("ObjectUID", string(a.UID)), HaveField("RequestHash", hash)))
	})

	It("is neither generated nor charged if the record names another one", func() {
		w := newWorld()
		w.createSite()
		w.recordOf("shoes", "of-the-first")
		Expect(w.Generation.Charger.Reserve(w.ctx, w.callOf("shoes"))).To(Succeed())
		key := w.createArticle("shoes", withKeyword, keyed)
		a := w.reconcileUntilStable(key)
		Expect(reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/RequestRepeated"))
		Expect(reason(a, v1alpha1.ConditionStalled)).To(Equal("True/RequestRepeated"))
		Expect(w.swept(key)).To(used(0))
		Expect(w.get(key).Status.Prepaid).To(BeNil())
		Expect(w.generator.Calls()).To(BeZero())

		By("remembering it once the key is forgotten")
		Expect(api.Delete(w.ctx, w.recordNamed("shoes"))).To(Succeed())
		w.clock.SetTime(a.CreationTimestamp.Add(25 * time.Hour))
		w.restart()
		Expect(reason(w.reconcileUntilStable(key), v1alpha1.ConditionGenerated)).To(Equal("False/RequestRepeated"))

		w.edit(key, func(a *v1alpha1.Article) { a.Annotations = nil })
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(w.usage().CreditsUsed).To(Equal(int64(1)))
	})

	It("is not published if the record names another one", func() {
		w := newWorld()
		w.createSite()
		w.recordOf("hello", "of-the-first")
		a := w.reconcileUntilStable(w.createArticle("hello", withText("Hello", "Text."), approvedInManifest, toBePublished, keyed))
		Expect(reason(a, v1alpha1.ConditionApproved)).To(Equal("False/RequestRepeated"))
		Expect(a.Status.Revision).To(BeNil())
		Expect(w.receiver.Received()).To(BeEmpty())
	})

	It("goes on if it was restored with its record", func() {
		w := newWorld()
		w.createSite()
		record := w.recordOf("shoes", "")
		old := record.DeepCopy()
		record.Complete("of-before")
		record.Annotations[v1alpha1.UIDAnnotation] = "of-the-record-before"
		Expect(api.Patch(w.ctx, record, client.MergeFrom(old))).To(Succeed())
		Expect(w.reconcileUntilStable(w.createArticle("shoes", withKeyword, keyed)).Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})
})
