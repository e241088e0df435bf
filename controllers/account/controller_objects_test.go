package account_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

var _ = Describe("What requests leave behind in the workspaces of an account", func() {
	It("is counted once a minute, and written if it has changed", func() {
		t := newTenant()
		record := func(name string) {
			GinkgoHelper()
			Expect(api.Create(t.Ctx, &internalv1alpha1.IdempotencyRecord{
				ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: name},
				Spec:       internalv1alpha1.IdempotencyRecordSpec{Operation: "generate", RequestHash: strings.Repeat("0", 64), Object: "order"},
			})).To(Succeed())
		}
		counted := func() int64 {
			GinkgoHelper()
			result, err := t.Accounts.Reconcile(t.Ctx, Request(client.ObjectKey{Name: t.Account}))
			Expect(err).NotTo(HaveOccurred())
			Expect(result.RequeueAfter).To(And(BeNumerically(">", 0), BeNumerically("<=", time.Minute)))
			return t.GetAccount().Status.Objects.IdempotencyRecords
		}
		for i := range 3 {
			record(fmt.Sprintf("order-%d", i))
		}
		Expect(counted()).To(BeEquivalentTo(3))
		record("another")
		Expect(counted()).To(BeEquivalentTo(3), "not within the minute")
		t.Clock.Step(time.Minute)
		Expect(counted()).To(BeEquivalentTo(4))
		By("counting an answer that is kept by its bytes")
		Expect(api.Create(t.Ctx, withAnswer(t.Namespace, 5<<10))).To(Succeed())
		t.Clock.Step(time.Minute)
		Expect(counted()).To(BeEquivalentTo(4 + 1 + 5))
		before := t.GetAccount().ResourceVersion
		lists := 0
		t.Accounts.Client = interceptor.NewClient(t.Client, interceptor.Funcs{
			List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
				if _, ok := list.(*v1alpha1.PostList); ok {
					lists++
				}
				return c.List(ctx, list, opts...)
			},
		})
		t.Clock.Step(time.Minute)
		for range 40 {
			Expect(counted()).To(BeEquivalentTo(10))
			t.Clock.Step(time.Second)
		}
		Expect(lists).To(Equal(1), "a charge must not cost what the account has")
		Expect(t.GetAccount().ResourceVersion).To(Equal(before), "nothing is written if nothing has changed")
	})
})

// withAnswer is a record that keeps an answer of so many bytes.
func withAnswer(namespace string, bytes int) *internalv1alpha1.IdempotencyRecord {
	r := &internalv1alpha1.IdempotencyRecord{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "answered"},
		Spec:       internalv1alpha1.IdempotencyRecordSpec{Operation: "bulk", RequestHash: strings.Repeat("0", 64), Object: "order"},
	}
	r.Keep(strings.Repeat("x", bytes))
	return r
}
