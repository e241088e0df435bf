package access_test

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/access"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

var _ = Describe("The API key controller", func() {
	It("says whether a key works, and when that changes by the clock", func() {
		t := newTenant()
		reconciler := &access.APIKeyReconciler{Base: t.Sites.Base}
		expires := v1alpha1.NewTime(Started.Add(time.Hour))
		key, _ := testkit.NewAPIKey(t.Account, v1alpha1.ScopeRead)
		key.Spec.ExpirationTime = &expires
		Expect(api.Create(t.Ctx, key)).To(Succeed())
		ready := func() (string, time.Duration) {
			GinkgoHelper()
			result, err := reconciler.Reconcile(t.Ctx, Request(client.ObjectKeyFromObject(key)))
			Expect(err).NotTo(HaveOccurred())
			Expect(api.Get(t.Ctx, client.ObjectKeyFromObject(key), key)).To(Succeed())
			c := meta.FindStatusCondition(key.Status.Conditions, v1alpha1.ConditionReady)
			return string(c.Status) + "/" + c.Reason, result.RequeueAfter
		}
		got, left := ready()
		Expect(got).To(Equal("True/Valid"))
		Expect(left).To(Equal(time.Hour))
		t.Clock.Step(time.Hour)
		got, left = ready()
		Expect(got).To(Equal("False/Expired"))
		Expect(left).To(BeZero())
		Expect(api.Delete(t.Ctx, t.GetAccount())).To(Succeed())
		t.Clock.SetTime(Started)
		got, _ = ready()
		Expect(got).To(Equal("False/AccountNotFound"))
	})

	It("binds a key to the account that exists, whatever the cache still has", func() {
		t := newTenant()
		deleted := t.GetAccount()
		Expect(api.Delete(t.Ctx, t.GetAccount())).To(Succeed())
		again := &v1alpha1.Account{ObjectMeta: metav1.ObjectMeta{Name: deleted.Name}, Spec: deleted.Spec}
		Expect(api.Create(t.Ctx, again)).To(Succeed())
		key, _ := testkit.NewAPIKey(deleted.Name, v1alpha1.ScopeRead)
		Expect(api.Create(t.Ctx, key)).To(Succeed())
		reconciler := &access.APIKeyReconciler{Base: t.Sites.Base}
		reconciler.Client = interceptor.NewClient(api, interceptor.Funcs{
			Get: func(ctx context.Context, c client.WithWatch, name client.ObjectKey, o client.Object, opts ...client.GetOption) error {
				if account, ok := o.(*v1alpha1.Account); ok {
					deleted.DeepCopyInto(account)
					return nil
				}
				return c.Get(ctx, name, o, opts...)
			},
		})
		_, err := reconciler.Reconcile(t.Ctx, Request(client.ObjectKeyFromObject(key)))
		Expect(err).NotTo(HaveOccurred())
		Expect(api.Get(t.Ctx, client.ObjectKeyFromObject(key), key)).To(Succeed())
		Expect(key.Status.AccountUID).To(Equal(string(again.UID)))
	})
})
