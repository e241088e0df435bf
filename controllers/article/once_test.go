package article_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// hash is the hash of a request with an Idempotency-Key.
var hash = strings.Repeat("a", 64)

func keyed(a *v1alpha1.Article) {
	a.Annotations = map[string]string{v1alpha1.RequestHashAnnotation: hash}
}

// recordOf creates the record of a request that made an article with a uid; it is in progress if that is empty.
func (t *tenant) recordOf(name string, uid types.UID) *internalv1alpha1.IdempotencyRecord {
	GinkgoHelper()
	r := &internalv1alpha1.IdempotencyRecord{
		ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: name},
		Spec:       internalv1alpha1.IdempotencyRecordSpec{Operation: "generate", RequestHash: hash, Object: name, ObjectUID: string(uid)},
	}
	Expect(api.Create(t.Ctx, r)).To(Succeed())
	return r
}

func (t *tenant) recordNamed(name string) *internalv1alpha1.IdempotencyRecord {
	GinkgoHelper()
	r := &internalv1alpha1.IdempotencyRecord{}
	Expect(api.Get(t.Ctx, client.ObjectKey{Namespace: t.Namespace, Name: name}, r)).To(Succeed())
	return r
}

var _ = Describe("An article that a request with an Idempotency-Key created", func() {
	It("is named by the record before its run is charged", func() {
		t := newTenant()
		t.CreateSite()
		t.recordOf("shoes", "")
		key := t.CreateArticle("shoes", WithKeyword, keyed)
		t.Client.Before = func(write string) error {
			if strings.HasPrefix(write, "patch AccountLedger") {
				Expect(t.recordNamed("shoes").Spec.ObjectUID).To(Equal(string(t.GetArticle(key).UID)))
			}
			return nil
		}
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		record := t.recordNamed("shoes")
		Expect(record.Spec.ObjectUID).To(Equal(string(a.UID)))
		Expect(v1alpha1.Copied(record)).To(BeFalse())
	})

	It("is named by a new record if another request has deleted that", func() {
		t := newTenant()
		t.CreateSite()
		a := t.ReconcileUntilStable(t.CreateArticle("shoes", WithKeyword, keyed))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(t.recordNamed("shoes").Spec).To(And(HaveField("ObjectUID", string(a.UID)), HaveField("RequestHash", hash)))
	})

	It("is neither generated nor charged if the record names another one", func() {
		t := newTenant()
		t.CreateSite()
		t.recordOf("shoes", "of-the-first")
		Expect(t.Generation.Charger.Reserve(t.Ctx, t.GetAccount().Spec, t.GenerateCharge("shoes"))).To(Succeed())
		key := t.CreateArticle("shoes", WithKeyword, keyed)
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/RequestRepeated"))
		Expect(Reason(a, v1alpha1.ConditionStalled)).To(Equal("True/RequestRepeated"))
		Expect(t.Swept(key)).To(Used(0))
		Expect(t.GetArticle(key).Status.Prepaid).To(BeNil())
		Expect(t.Generator.Calls()).To(BeZero())

		By("remembering it once the key is forgotten")
		Expect(api.Delete(t.Ctx, t.recordNamed("shoes"))).To(Succeed())
		t.Clock.SetTime(a.CreationTimestamp.Add(25 * time.Hour))
		t.Restart()
		Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionGenerated)).To(Equal("False/RequestRepeated"))

		t.EditArticle(key, func(a *v1alpha1.Article) { a.Annotations = nil })
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(t.Usage().CreditsUsed).To(Equal(int64(1)))
	})

	It("is not published if the record names another one", func() {
		t := newTenant()
		t.CreateSite()
		t.recordOf("hello", "of-the-first")
		a := t.ReconcileUntilStable(t.CreateArticle("hello", WithText("Hello", "Text."), ApprovedInManifest, ToBePublished, keyed))
		Expect(Reason(a, v1alpha1.ConditionApproved)).To(Equal("False/RequestRepeated"))
		Expect(a.Status.Revision).To(BeNil())
		Expect(t.Receiver.Received()).To(BeEmpty())
	})

	It("goes on if it was restored with its record", func() {
		t := newTenant()
		t.CreateSite()
		record := t.recordOf("shoes", "")
		old := record.DeepCopy()
		record.Complete("of-before")
		record.Annotations[v1alpha1.UIDAnnotation] = "of-the-record-before"
		Expect(api.Patch(t.Ctx, record, client.MergeFrom(old))).To(Succeed())
		Expect(t.ReconcileUntilStable(t.CreateArticle("shoes", WithKeyword, keyed)).Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})
})
